import { formatStates } from '../text/attributes.ts'
import { note, type RefStyle } from '../text/dialect.ts'
import { lineParts } from '../text/formats/tree.ts'
import type { RenderNode } from '../text/passes.ts'
import { quote } from '../text/quote.ts'
import { briefDetail } from '../text/standalone-line.ts'
import type { DiffNode } from './nodes.ts'

/**
 * One difference between two snapshots.
 *
 * @example
 * const entry: DiffEntry = { kind: 'changed', ref: 'e4', label: 'textbox "Email"', detail: ' value: "" → "a@b.c"' }
 */
export interface DiffEntry {
  readonly kind: 'changed' | 'appeared' | 'vanished'
  /** absent for a text without a ref */
  readonly ref?: string
  /** the element: `button "Save" [disabled]` */
  readonly label: string
  /** the rest of the line: its text, the item around it, or what changed */
  readonly detail: string
  /** the focus is all that changed */
  readonly focus?: 'gained' | 'lost'
}

export type DiffKind = DiffEntry['kind']
export const diffKinds: readonly DiffKind[] = ['changed', 'appeared', 'vanished']

const signs: { readonly [kind in DiffKind]: string } = { changed: '~', appeared: '+', vanished: '-' }

/** `~ textbox "Email" [ref=e4] value: "" → "a@b.c"` */
export const entryLine = ({ kind, ref, label, detail }: DiffEntry, refs: RefStyle): string =>
  `${signs[kind]} ${ref === undefined ? label : refs.element(label, ref)}${detail}`

export const presenceEntry = (kind: 'appeared' | 'vanished', { node: { ref }, label, text, place }: DiffNode): DiffEntry => ({
  kind,
  ...(ref !== undefined && { ref }),
  label,
  detail: `${text}${place}`,
})

/** The change of an element between two snapshots, or undefined if there is none. */
export function changeEntry(ref: string, was: RenderNode, { node: is, place }: DiffNode): DiffEntry | undefined {
  const states = stateChange(was, is)
  const changes = [
    ...(was.role === is.role ? [] : [`role: ${was.role} → ${is.role}`]),
    ...textChange('name', was.name, is.name),
    ...textChange('value', was.value, is.value),
    ...textChange('text', was.text, is.text),
    ...(states ? [states.phrase] : []),
  ]
  if (changes.length === 0) return undefined
  const { states: _states, value: _value, hint: _hint, ...bare } = is
  const { label } = lineParts({ ...bare, text: '', attrs: {} }, { detail: briefDetail, url: '', place: '' })
  const focus = changes.length === 1 ? states?.focus : undefined
  return { kind: 'changed', ref, label, detail: `${place} ${changes.join(', ')}`, ...(focus && { focus }) }
}

const textChange = (property: string, was = '', is = ''): string[] =>
  was === is ? [] : [`${property}: ${quote(was, 80)} → ${quote(is, 80)}`]

interface StateChange {
  readonly phrase: string
  readonly focus?: DiffEntry['focus']
}

function stateChange(was: RenderNode, is: RenderNode): StateChange | undefined {
  const [before, after] = [formatStates(was, briefDetail), formatStates(is, briefDetail)]
  const gone = before.filter(state => !after.includes(state))
  const come = after.filter(state => !before.includes(state))
  if (gone.length === 0 && come.length === 0) return undefined
  if (gone.length === 0) return { phrase: `now ${inBrackets(come)}`, ...(isFocus(come) && { focus: 'gained' as const }) }
  if (come.length === 0) return { phrase: `no longer ${inBrackets(gone)}`, ...(isFocus(gone) && { focus: 'lost' as const }) }
  return { phrase: `${inBrackets(gone)} → ${inBrackets(come)}` }
}

const inBrackets = (states: readonly string[]): string => states.map(state => `[${state}]`).join(' ')
const isFocus = (states: readonly string[]): boolean => states.length === 1 && states[0] === 'focused'

/** What a comparison says beside its entries. */
export type DiffRemark =
  | { readonly kind: 'behindDialog'; readonly count: number; readonly dialog: string }
  | { readonly kind: 'reachableAgain'; readonly count: number }
  | { readonly kind: 'laterSnapshotCut' }

export function remarkLine(remark: DiffRemark, refs: RefStyle): string {
  if (remark.kind === 'behindDialog') return note(`${remark.count} behind the dialog ${refs.ref(remark.dialog)} now`)
  if (remark.kind === 'reachableAgain') return note(`${remark.count} in reach again`)
  return note('the later snapshot was cut', 'what vanished may still be there')
}

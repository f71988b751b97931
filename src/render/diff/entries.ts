import { formatStates } from '../text/attributes.ts'
import { note, type RefStyle } from '../text/dialect.ts'
import { lineParts } from '../text/formats/tree.ts'
import type { RenderNode } from '../text/passes.ts'
import { quote } from '../text/quote.ts'
import { briefDetail } from '../text/standalone-line.ts'
import type { DiffNode } from './nodes.ts'
import type { OrderChange } from './order.ts'

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
  /** the ref of the element that contains it now: it was moved there */
  readonly into?: string
  /** of an entry that appeared: the number of entries around it that appeared too */
  readonly level?: number
  /** the focus is all that changed */
  readonly focus?: 'gained' | 'lost'
  /** all that changed is that something is on top of it now, or no longer */
  readonly cover?: 'gained' | 'lost'
}

export type DiffKind = DiffEntry['kind']
export const diffKinds: readonly DiffKind[] = ['appeared', 'changed', 'vanished']

// the sign of vanished entries differs from the dash of the tree format: its lines may follow in the same answer
const signs: { readonly [kind in DiffKind]: string } = { changed: '~', appeared: '+', vanished: 'gone:' }

/** `~ textbox "Email" [ref=e4] value: "" → "a@b.c"` */
export const entryLine = ({ kind, ref, label, detail, into, level = 0 }: DiffEntry, refs: RefStyle): string =>
  `${signs[kind]} ${'  '.repeat(Math.min(level, maxLevel))}${ref === undefined ? label : refs.element(label, ref)}${detail}${
    into === undefined ? '' : ` moved into ${refs.ref(into)}`
  }`

const maxLevel = 6

export const presenceEntry = (kind: 'appeared' | 'vanished', { node: { ref }, label, text, place }: DiffNode, level = 0): DiffEntry => ({
  kind,
  ...(ref !== undefined && { ref }),
  label,
  detail: `${text}${place}`,
  ...(level > 0 && { level }),
})

/** The change of an element between two snapshots, or undefined. */
export function changeEntry(ref: string, was: RenderNode, { node: is, place, text }: DiffNode, into?: string): DiffEntry | undefined {
  const states = stateChange(was, is)
  const changes = [
    ...(roleOf(was) === roleOf(is) ? [] : [`role: ${was.role} → ${is.role}`]),
    ...textChange('name', was.name, is.name),
    ...textChange('value', was.value, is.value),
    ...textChange('text', was.text, is.text),
    ...(states ? [states.phrase] : []),
  ]
  if (changes.length === 0 && into === undefined) return undefined
  const { states: _states, value: _value, hint: _hint, new: _new, ...bare } = is
  const { label } = lineParts({ ...bare, text: '', attrs: {} }, { detail: briefDetail, url: '', place: '' })
  const { focus, cover } = changes.length === 1 && states ? states : {}
  const detail = changes.length > 0 ? `${place} ${changes.join(', ')}` : `${text}${place}`
  return {
    kind: 'changed',
    ref,
    label,
    detail: into !== undefined && changes.length > 0 ? `${detail},` : detail,
    ...(into !== undefined && { into }),
    ...(into === undefined && focus && { focus }),
    ...(into === undefined && cover && { cover }),
  }
}

/** whether a container counts as an item depends on what it contains */
const roleOf = ({ role }: RenderNode): string => (role === 'item' ? 'generic' : role)

const textChange = (property: string, was = '', is = ''): string[] =>
  was === is ? [] : [`${property}: ${quote(was, 80)} → ${quote(is, 80)}`]

interface StateChange {
  readonly phrase: string
  readonly focus?: DiffEntry['focus']
  readonly cover?: DiffEntry['cover']
}

function stateChange(was: RenderNode, is: RenderNode): StateChange | undefined {
  const [before, after] = [formatStates(was, briefDetail), formatStates(is, briefDetail)]
  const gone = before.filter(state => !after.includes(state))
  const come = after.filter(state => !before.includes(state))
  const successorOf = (state: string) => come.find(other => propertyOf(other) === propertyOf(state))
  const replaced = gone.filter(successorOf)
  const lost = gone.filter(state => !replaced.includes(state))
  const gained = come.filter(state => !replaced.some(other => successorOf(other) === state))
  const phrases = [
    ...replaced.map(state => `${inBrackets([state])} → ${inBrackets([successorOf(state) ?? ''])}`),
    ...(lost.length > 0 ? [`no longer ${inBrackets(lost)}`] : []),
    ...(gained.length > 0 ? [`now ${inBrackets(gained)}`] : []),
  ]
  if (phrases.length === 0) return undefined
  const isOnly = phrases.length === 1 && replaced.length === 0
  return { phrase: phrases.join(', '), ...(isOnly && (gained.length > 0 ? only(gained, 'gained') : only(lost, 'lost'))) }
}

/** two states of one property follow each other: `[collapsed] → [expanded]`, `[checked=mixed] → [checked]` */
const propertyOf = (state: string): string => (/^(collapsed|expanded)$/.test(state) ? 'expanded' : (/^[\w-]+/.exec(state)?.[0] ?? state))

const inBrackets = (states: readonly string[]): string => states.map(state => `[${state}]`).join(' ')

function only([state = '', ...others]: readonly string[], how: 'gained' | 'lost'): Pick<DiffEntry, 'focus' | 'cover'> {
  if (others.length > 0) return {}
  return state === 'focused' ? { focus: how } : /^covered\b/.test(state) ? { cover: how } : {}
}

/** Entries of which only the number is printed if there are several. */
export const coverLine = (cover: 'gained' | 'lost', count: number): string =>
  note(`${count} ${cover === 'gained' ? 'now' : 'no longer'} covered`)

/** One line for all elements that moved among their neighbors. */
export const orderLine = ({ count, container }: OrderChange, refs: RefStyle): string =>
  note(`order changed${container === undefined ? '' : ` in ${refs.ref(container)}`}, ${count} moved`, 'take a snapshot')

/** What a comparison says beside its entries. */
export type DiffRemark =
  | { readonly kind: 'behindDialog' | 'behindOrGone'; readonly count: number; readonly dialog: string }
  | { readonly kind: 'back' | 'covered' | 'uncovered'; readonly count: number }
  | { readonly kind: 'laterSnapshotCut' }

export function remarkLine(remark: DiffRemark, refs: RefStyle): string {
  if (remark.kind === 'behindDialog') return note(`${remark.count} behind the dialog ${refs.ref(remark.dialog)} now`)
  if (remark.kind === 'behindOrGone') return note(`${remark.count} behind the dialog ${refs.ref(remark.dialog)} or gone`)
  if (remark.kind === 'back') return note(`${remark.count} back`)
  if (remark.kind !== 'laterSnapshotCut')
    return note(`${remark.count} text${remark.count > 1 ? 's' : ''} ${remark.kind === 'covered' ? 'now' : 'no longer'} covered`)
  return note('the later snapshot was cut', 'what vanished may still be there')
}

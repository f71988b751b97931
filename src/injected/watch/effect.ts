import type { Effect } from '../../contract/page-api.ts'
import { roleOf } from '../../engine/accessibility/roles.ts'
import { statesOf } from '../../engine/accessibility/states.ts'
import type { Dom } from '../../engine/dom.ts'
import { redacted } from '../../engine/secrets.ts'
import { describeElement } from '../../engine/snapshot/visibility.ts'
import { cut, textBelow, tidy } from '../../engine/text.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { focusedIn } from '../view/focused.ts'
import { sceneOf } from '../view/scene.ts'

const maxValue = 200
const maxSelected = 20

/** The observable state of the page and of one element at one time. */
export interface PageState {
  readonly url: string
  readonly focus: Element | null
  readonly dialogs: readonly Element[]
  readonly scroll: { readonly x: number; readonly y: number }
  readonly element: Partial<Effect>
}

interface StateContext {
  readonly session: Session
  readonly dom: Dom<Node>
  readonly document: Document
  readonly node: Element | null
}

export function captureState({ session, dom, document, node }: StateContext, scroller: Element | null): PageState {
  const dialogs: Element[] = []
  const found = native.allOf(document, 'dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]')
  for (let i = 0; i < found.length && i < 50; i++) if (!dom.hidden(found[i] as Element)) dialogs.push(found[i] as Element)
  return {
    url: native.documentURL(window.document) ?? '',
    focus: focusedIn(document),
    dialogs,
    scroll: scrollPosition(document, scroller),
    element: !node ? {} : native.isConnected(node) ? elementState(session, dom, node) : { gone: true },
  }
}

/** scroll position of an element (default: the document) */
export function scrollPosition(document: Document, scroller: Element | null): { x: number; y: number } {
  const element = scroller ?? native.scrollingElement(document) ?? null
  const at = (read: (of: Element) => number | undefined) => (element ? Math.round(read(element) ?? 0) : 0)
  return { x: at(native.scrollLeft), y: at(native.scrollTop) }
}

/** value, checked state and the like of an element */
function elementState(session: Session, dom: Dom<Node>, node: Element): Partial<Effect> {
  const { checked, expanded, pressed, options } = statesOf(dom, node, '')
  const type = native.getAttribute(node, 'type')?.toLowerCase()
  const hasValue = /^(input|textarea|select)$/.test(dom.tag(node)) ? checked === undefined : dom.is(node, 'editable')
  // a widget draws its choice beside an empty input, or in a combobox without one
  const isCombobox = roleOf(dom, node) === 'combobox'
  const drawn = () => isCombobox && (sceneOf(session, node).layout?.drawnValue(node) || textBelow(dom, node, { max: maxValue }))
  const value = hasValue || isCombobox ? dom.value(node) || drawn() || '' : undefined
  return {
    ...(value === redacted && { characters: Array.from(native.inputValue(node) ?? native.textareaValue(node) ?? '').length }),
    ...(options !== undefined ? { selected: selectedTexts(dom, node) } : value !== undefined && { value: cut(value, maxValue) }),
    ...(type === 'file' && { files: Array.from(native.filesOf(node) ?? [], ({ name }) => cut(name, maxValue)).slice(0, maxSelected) }),
    ...(checked !== undefined && { checked }),
    ...(expanded !== undefined && { expanded }),
    ...(pressed !== undefined && { pressed }),
  }
}

const selectedTexts = (dom: Dom<Node>, select: Element): string[] =>
  Array.from(dom.options(select))
    .filter(option => dom.is(option, 'selected'))
    .slice(0, maxSelected)
    .map(option => cut(tidy(native.getAttribute(option, 'label') || native.optionText(option) || ''), maxValue))

interface EffectContext {
  readonly session: Session
  readonly dom: Dom<Node>
  readonly before: PageState
  readonly now: PageState
  readonly changed: Effect['changed']
  /** the field that keeps its form from being sent */
  readonly invalid: Element | undefined
  /** includes the state of the element even if it is the same as before, since the action was to set it */
  readonly setsState: boolean
}

/** The differences between two states. */
export function effectOf({ session, dom, before, now, changed, invalid, setsState }: EffectContext): Effect {
  const refOrLabel = (element: Element) => session.refs.of(element) ?? describeElement(dom, element)
  const opened = now.dialogs.find(each => !before.dialogs.includes(each))
  const hasScrolled = now.scroll.x !== before.scroll.x || now.scroll.y !== before.scroll.y
  const message = invalid && !setsState && native.validationMessage(invalid)
  return {
    ...(setsState ? now.element : difference(before.element, now.element)),
    ...(now.url !== before.url && { url: cut(now.url, 500) }),
    ...(now.focus !== before.focus && { focus: now.focus ? refOrLabel(now.focus) : '' }),
    ...(opened && { dialog: refOrLabel(opened) }),
    ...(hasScrolled && { scroll: now.scroll }),
    ...(message && { invalid: { field: refOrLabel(invalid), message: cut(message, maxValue) } }),
    ...(changed && changed.added + changed.removed + changed.altered > 0 && { changed }),
  }
}

function difference(before: Partial<Effect>, now: Partial<Effect>): Partial<Effect> {
  const changed: { [name: string]: unknown } = {}
  for (const name of Object.keys(now) as (keyof Effect)[]) if (`${now[name]}` !== `${before[name]}`) changed[name] = now[name]
  return changed
}

import type { Effect } from '../../contract/page-api.ts'
import type { Dom } from '../../engine/dom.ts'
import { labelOf } from '../../engine/snapshot/visibility.ts'
import { statesOf } from '../../engine/states.ts'
import { cut, tidy } from '../../engine/text.ts'
import { focusedIn } from '../actions/focus.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../view/snapshot.ts'

const maxValue = 200
const maxChosen = 20

/** What can be told of the page and of one element at a moment. */
export interface Moment {
  readonly url: string
  readonly focus: Element | null
  readonly dialogs: readonly Element[]
  readonly scroll: { readonly x: number; readonly y: number }
  readonly element: Partial<Effect>
}

export function momentOf(dom: Dom<Node>, document: Document, node: Element | null, scroller: Element | null): Moment {
  const dialogs: Element[] = []
  const found = native.allOf(document, 'dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]')
  for (let i = 0; i < found.length && i < 50; i++) if (!dom.hidden(found[i] as Element)) dialogs.push(found[i] as Element)
  return {
    url: native.documentURL(window.document) ?? '',
    focus: focusedIn(document),
    dialogs,
    scroll: scrollOf(document, scroller),
    element: !node ? {} : native.isConnected(node) ? stateOf(dom, node) : { gone: true },
  }
}

/** where the document, or what is scrolled, stands */
export function scrollOf(document: Document, scroller: Element | null): { x: number; y: number } {
  const moved = scroller ?? native.scrollingElement(document) ?? null
  const at = (read: (of: Element) => number | undefined) => (moved ? Math.round(read(moved) ?? 0) : 0)
  return { x: at(native.scrollLeft), y: at(native.scrollTop) }
}

/** value, checkedness and the like of an element as they are now */
function stateOf(dom: Dom<Node>, node: Element): Partial<Effect> {
  const { checked, expanded, pressed, options } = statesOf(dom, node, '')
  const type = native.getAttribute(node, 'type')?.toLowerCase()
  const tells = /^(input|textarea|select)$/.test(dom.tag(node)) ? checked === undefined : dom.is(node, 'editable')
  const value = tells ? dom.value(node) : undefined
  return {
    ...(options !== undefined ? { selected: chosenOf(dom, node) } : value !== undefined && { value: cut(value, maxValue) }),
    ...(type === 'file' && { files: Array.from(native.filesOf(node) ?? [], ({ name }) => cut(name, maxValue)).slice(0, maxChosen) }),
    ...(checked !== undefined && { checked }),
    ...(expanded !== undefined && { expanded }),
    ...(pressed !== undefined && { pressed }),
  }
}

/** texts of the options that are chosen */
const chosenOf = (dom: Dom<Node>, select: Element): string[] =>
  Array.from(dom.options(select))
    .filter(option => dom.is(option, 'selected'))
    .slice(0, maxChosen)
    .map(option => cut(tidy(native.getAttribute(option, 'label') || native.optionText(option) || ''), maxValue))

/** What is different now. The state of the element itself is always told, since it is what the caller acted on. */
export function effectOf(session: Session, dom: Dom<Node>, before: Moment, now: Moment, changed: Effect['changed']): Effect {
  const word = (element: Element) => session.refs.of(element) ?? labelOf(dom, element)
  const opened = now.dialogs.find(each => !before.dialogs.includes(each))
  const hasMoved = now.scroll.x !== before.scroll.x || now.scroll.y !== before.scroll.y
  return {
    ...now.element,
    ...(now.url !== before.url && { url: cut(now.url, 500) }),
    ...(now.focus !== before.focus && { focus: now.focus ? word(now.focus) : '' }),
    ...(opened && { dialog: word(opened) }),
    ...(hasMoved && { scroll: now.scroll }),
    ...(changed && changed.added + changed.removed + changed.altered > 0 && { changed }),
  }
}

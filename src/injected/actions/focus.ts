import { say } from '../../contract/message.ts'
import type { Dom } from '../../engine/dom.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import { focusedIn } from '../view/focused.ts'
import type { Target } from '../view/target.ts'
import { flushChange } from './change-event.ts'
import { send } from './events.ts'
import { requireEnabled, visibleElement } from './target.ts'

/** elements that can have the focus, unless they are disabled or not drawn */
const focusable =
  'a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,iframe,audio[controls],video[controls],[tabindex],[contenteditable]:not([contenteditable=false])'

/** Focuses the element of a `focus` command. Returns the condition that must hold once the page has settled. */
export function focusTarget(target: Target): () => boolean {
  visibleElement(target)
  requireEnabled(target)
  if (!focusElement(target.node)) throw focusRefused(target)
  return () => focusedIn(target.document) === target.node
}

export const focusRefused = (target: Target) => engineError('not_committed', say`${target} does not take the focus`)

/** Focuses an element; false if it does not take the focus. A window without focus fires no events for it, so they are sent here. */
export function focusElement(node: Element): boolean {
  const document = native.ownerDocument(node) as Document
  const before = focusedIn(document)
  if (before === node && node !== native.bodyOf(document)) return true
  // a browser fires `change` before it moves the focus
  if (before) flushChange(before)
  const fired = fires(node, 'focus', () => {
    // the body of a frame is its active element even if the frame does not have the focus
    if (before === node) native.focusWindow(native.defaultView(document) as Window)
    native.focus(node, { preventScroll: true })
  })
  const now = focusedIn(document)
  if (now && now !== before && now === node && !fired) {
    if (before && native.isConnected(before)) sendFocusEvents(before, ['blur', 'focusout'], node)
    sendFocusEvents(node, ['focus', 'focusin'], before)
  }
  return now === node
}

export function blurElement(node: Element): void {
  flushChange(node)
  if (!fires(node, 'blur', () => native.blur(node))) sendFocusEvents(node, ['blur', 'focusout'], null)
}

/** whether `work` makes the browser fire an event on the element */
function fires(node: Element, type: string, work: () => void): boolean {
  let fired = false
  const listener = () => {
    fired = true
  }
  native.listen(node, type, listener, { capture: true })
  asPage(work)
  native.unlisten(node, type, listener, { capture: true })
  return fired
}

function sendFocusEvents(node: Element, types: readonly string[], relatedTarget: Element | null): void {
  for (const type of types) send(node, 'FocusEvent', type, { bubbles: type.length > 5, cancelable: false, relatedTarget })
}

/** Moves the focus as a mouse press does: to the nearest focusable ancestor, or away from the focused element. */
export function focusFromPress(dom: Dom<Node>, pressed: Element): void {
  for (let each: Node | null = pressed; each; each = dom.parent(each))
    if (native.matches(each, focusable) && !dom.is(each, 'disabled')) {
      focusElement(each as Element)
      return
    }
  const focus = focusedIn(native.ownerDocument(pressed) as Document)
  if (focus) blurElement(focus)
}

/** Moves the focus as Tab does; false at the end of the page. */
export function focusNext(dom: Dom<Node>, document: Document, back: boolean): boolean {
  const before = focusedIn(document)
  const list = inTabOrder(dom, document, before)
  const at = list.indexOf(before as Element)
  const others = back ? list.slice(0, at < 0 ? list.length : at).reverse() : list.slice(at + 1)
  // an inert element does not take the focus, and another may pass it on
  return others.some(next => focusElement(next) || focusedIn(document) !== before)
}

/** positive tabindex first, then document order; of a radio group only the checked one */
function inTabOrder(dom: Dom<Node>, document: Document, from: Element | null): Element[] {
  const found: { node: Element; index: number }[] = []
  const gather = (root: Node) => {
    const all = native.allOf(root, '*')
    for (let i = 0; i < all.length; i++) {
      const node = all[i] as Element
      if (isTabStop(dom, node)) found.push({ node, index: Number.parseInt(dom.attr(node, 'tabindex') ?? '0', 10) || 0 })
      const shadow = native.shadowRoot(node)
      if (shadow) gather(shadow)
    }
  }
  gather(document)
  const modal = found.filter(({ node }) => isInModal(dom, node))
  return (modal.length ? modal : found)
    .filter(({ node, index }) => index >= 0 || node === from)
    .sort((one, other) => sortKey(one) - sortKey(other))
    .map(({ node }) => node)
}

const sortKey = ({ index }: { index: number }) => (index > 0 ? index : 1e6)

function isTabStop(dom: Dom<Node>, node: Element): boolean {
  if (!native.matches(node, focusable) || dom.is(node, 'disabled') || dom.hidden(node)) return false
  const group = dom.attr(node, 'type') === 'radio' && dom.attr(node, 'name')
  return !group || dom.is(node, 'checked') || !native.querySelector(document, `input[type=radio][name=${native.stringify(group)}]:checked`)
}

function isInModal(dom: Dom<Node>, node: Node): boolean {
  for (let each: Node | null = node; each; each = dom.parent(each)) if (dom.tag(each) === 'dialog' && dom.is(each, 'modal')) return true
  return false
}

import type { Dom } from '../../engine/dom.ts'
import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import { flushChange } from './change-event.ts'
import { send } from './events.ts'

/** what can have the focus, unless it is disabled or not drawn */
const focusable =
  'a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,iframe,audio[controls],video[controls],[tabindex],[contenteditable]:not([contenteditable=false])'

/** the innermost element with the focus, through open shadow roots; null when it is nowhere in particular */
export function focusedIn(document: Document): Element | null {
  let focus = native.activeElement(document) ?? null
  for (let root = focus && native.shadowRoot(focus); root; root = focus && native.shadowRoot(focus)) {
    const inner = native.shadowActiveElement(root)
    if (!inner) break
    focus = inner
  }
  return focus === native.bodyOf(document) ? null : focus
}

/** Whether the element has the focus now. In a window that has none itself, browsers move it without telling the page: then we tell. */
export function focusOn(node: Element): boolean {
  const document = native.ownerDocument(node) as Document
  const before = focusedIn(document)
  if (before === node) return true
  // a browser fires `change` before it moves the focus
  if (before) flushChange(before)
  let told = false
  const hear = () => {
    told = true
  }
  native.listen(node, 'focus', hear, { capture: true })
  asPage(() => native.focus(node, { preventScroll: true }))
  native.unlisten(node, 'focus', hear, { capture: true })
  const now = focusedIn(document)
  if (now && now !== before && now === node && !told) {
    if (before && native.isConnected(before)) tell(before, ['blur', 'focusout'], node)
    tell(node, ['focus', 'focusin'], before)
  }
  return now === node
}

export function blurred(node: Element): void {
  flushChange(node)
  let told = false
  const hear = () => {
    told = true
  }
  native.listen(node, 'blur', hear, { capture: true })
  asPage(() => native.blur(node))
  native.unlisten(node, 'blur', hear, { capture: true })
  if (!told) tell(node, ['blur', 'focusout'], null)
}

function tell(node: Element, types: readonly string[], relatedTarget: Element | null): void {
  for (const type of types) send(node, 'FocusEvent', type, { bubbles: type.length > 5, cancelable: false, relatedTarget })
}

/** Where the focus goes when the pointer is pressed on an element: to what can have it around there, else nowhere. */
export function focusFrom(dom: Dom<Node>, pressed: Element): void {
  for (let each: Node | null = pressed; each; each = dom.parent(each))
    if (native.matches(each, focusable) && !dom.is(each, 'disabled')) return void focusOn(each as Element)
  const focus = focusedIn(native.ownerDocument(pressed) as Document)
  if (focus) blurred(focus)
}

/** Moves the focus as Tab does; false at the end of the page. */
export function focusNext(dom: Dom<Node>, document: Document, back: boolean): boolean {
  const before = focusedIn(document)
  const list = inTabOrder(dom, document, before)
  const at = list.indexOf(before as Element)
  const others = back ? list.slice(0, at < 0 ? list.length : at).reverse() : list.slice(at + 1)
  // what is inert does not take it, and another may hand it on
  return others.some(next => focusOn(next) || focusedIn(document) !== before)
}

/** positive tabindex first, then as they stand; of a radio group only the one that is checked */
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
    .sort((one, other) => place(one) - place(other))
    .map(({ node }) => node)
}

const place = ({ index }: { index: number }) => (index > 0 ? index : 1e6)

function isTabStop(dom: Dom<Node>, node: Element): boolean {
  if (!native.matches(node, focusable) || dom.is(node, 'disabled') || dom.hidden(node)) return false
  const group = dom.attr(node, 'type') === 'radio' && dom.attr(node, 'name')
  return !group || dom.is(node, 'checked') || !native.querySelector(document, `input[type=radio][name=${native.stringify(group)}]:checked`)
}

function isInModal(dom: Dom<Node>, node: Node): boolean {
  for (let each: Node | null = node; each; each = dom.parent(each)) if (dom.tag(each) === 'dialog' && dom.is(each, 'modal')) return true
  return false
}

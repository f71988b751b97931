import * as native from '../runtime/natives.ts'

/** Whether a <dialog> is modal. WebViews before Chromium 105 and Safari 15.6 lack the pseudo-class: there, its backdrop tells. */
export function isModal(node: Node): boolean {
  try {
    return native.matches(node, ':modal')
  } catch {
    return native.nodeName(node) === 'DIALOG' && native.getAttribute(node, 'open') !== null && hasBackdrop(node)
  }
}

/** whether a corner of the viewport that is outside of the element belongs to it: a hit on its backdrop is a hit on the element */
function hasBackdrop(node: Node): boolean {
  const document = native.ownerDocument(node) as Document
  const root = native.documentElement(document) as Element
  const { left, right, top, bottom } = native.getBoundingClientRect(node)
  return [1, (native.clientWidth(root) ?? 0) - 1].some(x =>
    [1, (native.clientHeight(root) ?? 0) - 1].some(
      y => (x < left || x > right || y < top || y > bottom) && native.elementAt(document, x, y) === node,
    ),
  )
}

import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { intersect, type LayoutContext, rectOf } from './boxes.ts'
import { isWithin } from './dom.ts'
import { isOpaque } from './text-contrast.ts'

/** pixels of a text that make it readable */
const minLine = 16
/** pixels by which a bar may miss the edge to which it sticks */
const maxGap = 4
const isPinned = (node: Node) => /fixed|sticky/.test(native.styleValue(node, 'position'))

/**
 * Pixels to scroll until a text is out from under an opaque element that does not scroll with it, such as a fixed bar; negative upwards.
 * 0 if no scrolling shows the text.
 */
export function scrollDistance(context: LayoutContext, text: Node, { y, height }: Box, over: Node): number {
  const { dom, viewport } = context
  let cover = over
  let pinned: Node | null = null
  for (let each: Node | null = over; each && !isWithin(dom, text, each); each = dom.parent(each)) {
    if (isOpaque(dom, each)) cover = each
    if (isPinned(each)) pinned = each
  }
  const bar = rectOf(context, cover)
  const line = Math.min(height, minLine)
  const end = bar.y + bar.height
  for (let each = dom.parent(text); each; each = dom.parent(each)) {
    const isPage = each === native.scrollingElement(native.ownerDocument(text) as Document)
    const view = isPage ? viewport : intersect(rectOf(context, each), viewport)
    if (
      (isPage || /auto|scroll/.test(native.styleValue(each, 'overflow-y'))) &&
      (!isWithin(dom, over, each) || (pinned && isStuck(pinned, rectOf(context, pinned), view)))
    ) {
      const top = native.scrollTop(each) ?? 0
      const rest = (native.scrollHeight(each) ?? 0) - (native.clientHeight(each) ?? 0) - top
      const down = Math.max(1, Math.ceil(y + line - bar.y))
      if (down <= rest && bar.y - view.y >= line) return down
      const up = Math.min(-1, Math.floor(y + height - line - end))
      if (up + top >= 0 && view.y + view.height - end >= line) return up
    }
    // what is pinned itself stays below the bar
    if (isPinned(each)) break
  }
  return 0
}

/** A sticky element moves with the page until it reaches an edge, and a fixed one if an ancestor is transformed. */
function isStuck(node: Node, { y, height }: Box, view: Box): boolean {
  const read = native.styleOf(node)
  if (read('position') === 'fixed') return !native.offsetParent(node)
  return (
    Math.abs(y - view.y - Number.parseFloat(read('top'))) < maxGap ||
    Math.abs(view.y + view.height - y - height - Number.parseFloat(read('bottom'))) < maxGap
  )
}

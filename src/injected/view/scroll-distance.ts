import type { Box, Dom } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { intersect, type LayoutContext, offsetOf, rectOf } from './boxes.ts'
import { isOpaque } from './paint.ts'

/** pixels between the points at which the part of the viewport that a bar leaves free is checked */
const step = 8

/**
 * Pixels to scroll the page until a text is out from under the opaque elements in front of its points, negative upwards. 0 unless it is
 * certain that a person can do so, because covering is a way to hide text from people: only for fixed bars at the top or the bottom.
 */
export function scrollDistance(context: LayoutContext, text: Node, own: Box, points: [number, number][], covers: Node[]): number {
  const { dom, freeColumns, viewport } = context
  const { height } = viewport
  const document = native.ownerDocument(text) as Document
  const page = native.scrollingElement(document)
  if (!page || offsetOf(context, text).frame) return 0
  for (let each = dom.parent(text); each; each = dom.parent(each)) {
    const stops = /^(html|body)$/.test(dom.tag(each)) ? /hidden|clip|mandatory/ : /auto|scroll/
    const style = native.styleOf(each)
    if (pinOf(dom, each) || stops.test(native.styleProperty(style, 'overflow-y') + native.styleProperty(style, 'scroll-snap-type')))
      return 0
  }
  let start = height
  let end = 0
  for (const cover of covers) {
    const box = intersect(rectOf(context, cover), viewport)
    start = Math.min(start, box.y)
    end = Math.max(end, box.y + box.height)
    if (pinOf(dom, cover) !== 'view') return 0
  }
  const room = height / 3
  const isAtTop = start < 1
  if (isAtTop ? end + room > height : start < room || end + 1 < height) return 0
  const distance = isAtTop ? Math.floor(own.y - end) : Math.ceil(own.y + own.height - start)
  const top = (native.scrollTop(page) as number) + distance
  if (distance < 0 !== isAtTop || top < 0 || top + height > (native.scrollHeight(page) as number)) return 0
  // nothing else that does not scroll may be next to the bar, where the text comes out, nor lie under the bar until it sticks
  for (const [left] of points) {
    const x = left - (left % step)
    const key = [x, start, end].join()
    if (freeColumns.has(key)) continue
    for (let y = start - room; y < end + room; y += step)
      for (const each of native.elementsAt(document, x, y)) {
        const pin = pinOf(dom, each)
        if (pin && (pin !== 'view' || y < start || y > end) && isOpaque(context, each)) return 0
      }
    freeColumns.add(key)
  }
  return distance
}

/** '' if an element moves with the page, 'view' if it never moves, and else the position that may keep it in place */
function pinOf(dom: Dom<Node>, node: Node): string {
  let pin = ''
  for (let each: Node | null = node; each; each = dom.parent(each)) {
    const position = native.styleValue(each, 'position')
    // a transformed ancestor takes a fixed element with it
    if (position === 'fixed' && native.offsetParent(each) === null) return 'view'
    if (/fixed|sticky/.test(position)) pin = position
  }
  return pin
}

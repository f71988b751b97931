import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { intersect, isEmpty, type LayoutContext, offsetOf, rectOf, scrollOf } from './boxes.ts'

export interface BoxStyle {
  readonly position: string
  /** clip or clip-path hides all of it */
  readonly clipped: boolean
}

const maxAncestors = 200

function styleOf({ styles }: LayoutContext, node: Node): BoxStyle {
  const known = styles.get(node)
  if (known) return known
  const read = native.styleOf(node)
  const position = read('position')
  const clip = position === 'absolute' || position === 'fixed' ? read('clip') : ''
  const style = { position, clipped: clipsAll(read('clip-path'), clip) }
  styles.set(node, style)
  return style
}

/** one keyword, or two if the directions differ */
const overflowOf = (node: Node): string => native.styleValue(node, 'overflow')

/**
 * The nearest element, from `node` upwards, that clips, scrolls or is positioned, or null. All others leave what is inside
 * them where it is, and a page has many levels of them.
 */
function framingElement(context: LayoutContext, node: Node | null): Node | null {
  const { dom, framing } = context
  const passed: Node[] = []
  let each = node
  for (; each && passed.length < maxAncestors; each = dom.parent(each)) {
    const known = framing.get(each)
    if (known !== undefined) {
      each = known
      break
    }
    passed.push(each)
    const { position, clipped } = styleOf(context, each)
    if (position !== 'static' || clipped || overflowOf(each) !== 'visible') break
  }
  for (const below of passed) framing.set(below, each)
  return each
}

/**
 * Why no scrolling shows an element although it has a box; '' if it can be shown. Records the part of it that is in view now, and how far
 * its scroll containers have scrolled it away.
 */
export function whyClipped(context: LayoutContext, node: Node, own: Box): string {
  const { dom, viewport, visibleBoxes, scrolledAway } = context
  if (own.width <= 1 || own.height <= 1) return 'too small'
  // a text node has no style, and the element around it may clip it
  const ownStyle = dom.tag(node) ? styleOf(context, node) : null
  if (ownStyle?.clipped) return 'clipped'
  let position = ownStyle?.position ?? ''
  let reachable = own // the part that scrolling can bring into view
  let part = intersect(own, viewport) // the part that is in view now
  let isScrolledAway = false
  let up = framingElement(context, dom.parent(node))
  for (let steps = 0; up && steps < maxAncestors; steps++, up = framingElement(context, dom.parent(up))) {
    const style = styleOf(context, up)
    if (style.clipped) return 'clipped'
    // no ancestor clips a fixed element, and only positioned ancestors clip an absolute one
    if (position === 'fixed' || (position === 'absolute' && style.position === 'static')) continue
    position = style.position
    if (overflowOf(up) === 'visible' || /^(html|body)$/.test(dom.tag(up))) continue
    const view = rectOf(context, up)
    // display:contents has no box to clip with
    if (!view.width && !view.height) continue
    const through = intersect(reachable, view)
    part = intersect(part, view)
    if (!isEmpty(through)) continue
    const isVertical = through.height <= 1
    if (clips(native.styleValue(up, isVertical ? 'overflow-y' : 'overflow-x'))) return 'clipped'
    const seen = intersect(view, viewport)
    const below = own.y - seen.y - seen.height
    if (!isScrolledAway)
      scrolledAway.set(node, isVertical ? Math.round(below >= -1 ? Math.max(below, 1) : Math.min(own.y + own.height - seen.y, -1)) : 0)
    reachable = view
    isScrolledAway = true
  }
  const { x, y, frame } = offsetOf(context, node)
  visibleBoxes.set(node, frame ? intersect(part, rectOf(context, frame)) : part)
  const page = scrollOf(context, node)
  if (isScrolledAway || !page) return ''
  if (position === 'fixed') return isEmpty(intersect(own, viewport)) ? 'off the page' : ''
  // scrolling never reaches content left of or above the origin
  const right = own.x + own.width - x + page.left
  const bottom = own.y + own.height - y + page.top
  return bottom <= 0 || (right <= 0 && !page.isRightToLeft) ? 'off the page' : ''
}

const clips = (overflow: string) => /hidden|clip/.test(overflow)

/** the forms of clip-path and clip that are used to hide: inset(50%), circle(0), polygon(0 0, 0 0), rect(0 0 0 0), rect(1px 1px 1px 1px) */
const clipsAll = (path: string, clip: string): boolean =>
  /^rect\(([01]px,? ?){4}\)/.test(clip) ||
  /^(inset\((100|[5-9]\d)(\.\d+)?%|(circle|ellipse)\(0(px|%)?[ )]|polygon\(([^,]+)(, *\6)+\)$)/.test(path)

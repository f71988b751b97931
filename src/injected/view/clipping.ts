import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { intersect, isEmpty, type LayoutContext, offsetOf, rectOf } from './boxes.ts'

export interface BoxStyle {
  readonly position: string
  readonly overflowX: string
  readonly overflowY: string
  readonly scrolls: boolean
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
  const [overflowX, overflowY] = [read('overflow-x'), read('overflow-y')]
  const scrolls = overflowX !== 'visible' || overflowY !== 'visible'
  const style = { position, overflowX, overflowY, scrolls, clipped: clipsAll(read('clip-path'), clip) }
  styles.set(node, style)
  return style
}

/** Why no scrolling shows an element although it has a box; '' if it can be shown. Records the part of it that is in view now. */
export function whyClipped(context: LayoutContext, node: Node, own: Box): string {
  const { dom, viewport, visibleBoxes } = context
  if (own.width <= 1 || own.height <= 1) return 'too small'
  let { position, clipped } = styleOf(context, node)
  let reachable = own // the part that scrolling can bring into view
  let part = intersect(own, viewport) // the part that is in view now
  let isScrolledAway = false
  let up = dom.parent(node)
  for (let steps = 0; up && steps < maxAncestors; steps++, up = dom.parent(up)) {
    const style = styleOf(context, up)
    clipped = clipped || style.clipped
    if (clipped) return 'clipped'
    // no ancestor clips a fixed element, and only positioned ancestors clip an absolute one
    if (position === 'fixed' || (position === 'absolute' && style.position === 'static')) continue
    const view = style.scrolls && !/^(html|body)$/.test(dom.tag(up)) ? rectOf(context, up) : own
    // display:contents has no box to clip with
    if (view.width || view.height) {
      const through = intersect(reachable, view)
      part = intersect(part, view)
      if (isEmpty(through)) {
        if (clips(through.height <= 1 ? style.overflowY : style.overflowX)) return 'clipped'
        reachable = view
        isScrolledAway = true
      }
    }
    position = style.position
  }
  const { x, y, frame } = offsetOf(context, node)
  visibleBoxes.set(node, frame ? intersect(part, rectOf(context, frame)) : part)
  const page = native.scrollingElement(native.ownerDocument(node) as Document)
  if (clipped || isScrolledAway || !page) return clipped ? 'clipped' : ''
  if (position === 'fixed') return isEmpty(intersect(own, viewport)) ? 'off the page' : ''
  // scrolling never reaches content left of or above the origin
  const right = own.x + own.width - x + (native.scrollLeft(page) ?? 0)
  const bottom = own.y + own.height - y + (native.scrollTop(page) ?? 0)
  return bottom <= 0 || (right <= 0 && native.styleOf(page)('direction') !== 'rtl') ? 'off the page' : ''
}

const clips = (overflow: string) => overflow === 'hidden' || overflow === 'clip'

/** the forms of clip-path and clip that are used to hide: inset(50%), circle(0), polygon(0 0, 0 0), rect(0 0 0 0), rect(1px 1px 1px 1px) */
const clipsAll = (path: string, clip: string): boolean =>
  /^rect\(([01]px,? ?){4}\)/.test(clip) ||
  /^(inset\((100|[5-9]\d)(\.\d+)?%|(circle|ellipse)\(0(px|%)?[ )]|polygon\(([^,]+)(, *\6)+\)$)/.test(path)

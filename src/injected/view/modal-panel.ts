import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { type LayoutContext, rectOf } from './boxes.ts'
import { isWithin } from './dom.ts'

const corners = [0.02, 0.98].flatMap(x => [0.02, 0.98].map(y => [x, y] as const))
const inside = [0.5, 0.25, 0.75].flatMap(y => [0.5, 0.25, 0.75, 0.1, 0.9].map(x => [x, y] as const))
/** the share of the viewport that a veil covers at least */
const minCover = 0.9

/**
 * The panel of a modal without a role: the corners of the viewport belong to one positioned element, the veil, which lies over other
 * content; the panel is what is drawn on it or in front of it.
 */
export function modalPanel(context: LayoutContext, document: Document): Node | null {
  const { dom, viewport } = context
  const at = ([x, y]: readonly [number, number]) => native.elementAt(document, viewport.width * x, viewport.height * y)
  const atCorners = corners.map(at)
  let veil: Node | null = null
  for (const each of atCorners) veil = veil ?? veilAt(context, each)
  if (!veil) return null
  for (const point of inside) {
    const hit = at(point)
    if (!hit || hit === veil) continue
    const panel = panelOf(context, hit, veil)
    if (!panel) continue
    // a drawer takes corners from its veil
    const isCovered = atCorners.every(each => isWithin(dom, each, veil as Node) || isWithin(dom, each, panel))
    return isCovered && liesOverContent(context, document, veil, panel) ? panel : null
  }
  return null
}

const coversViewport = ({ viewport }: LayoutContext, { width, height }: Box) =>
  width >= viewport.width * minCover && height >= viewport.height * minCover

/** the outermost positioned element around a node that covers the viewport */
function veilAt(context: LayoutContext, node: Node | null): Node | null {
  const { dom } = context
  let veil: Node | null = null
  for (let each = node; each && !/^(html|body)$/.test(dom.tag(each)); each = dom.parent(each))
    if (/^(fixed|absolute)$/.test(native.styleValue(each, 'position')) && coversViewport(context, rectOf(context, each))) veil = each
  return veil
}

/** the largest element around a node that is neither around the veil nor as large as the viewport; null if that is a page, not a panel */
function panelOf(context: LayoutContext, hit: Node, veil: Node): Node | null {
  const { dom } = context
  let panel: Node | null = null
  for (let each: Node | null = hit; each && each !== veil; each = dom.parent(each)) {
    if (isWithin(dom, veil, each) || coversViewport(context, rectOf(context, each))) break
    panel = each
  }
  return panel && !/^(inline|contents)$/.test(native.styleValue(panel, 'display')) ? panel : null
}

/** whether something that is not around the veil lies below it at several points */
function liesOverContent({ dom, viewport }: LayoutContext, document: Document, veil: Node, panel: Node): boolean {
  let count = 0
  for (const [x, y] of inside) {
    const stack = native.elementsAt(document, viewport.width * x, viewport.height * y)
    const below = stack.slice(stack.findIndex(each => isWithin(dom, each, veil)) + 1)
    if (
      below.some(
        each => !isWithin(dom, each, veil) && !isWithin(dom, veil, each) && !isWithin(dom, each, panel) && !isWithin(dom, panel, each),
      )
    )
      count++
  }
  return count > 2
}

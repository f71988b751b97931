import type { Box, Dom } from '../../engine/dom.ts'
import { invert, type Matrix, mapBox, mapPoint, type Point } from '../../engine/matrix.ts'
import * as native from '../runtime/natives.ts'
import type { ClippingFrame } from './clipping.ts'

export interface LayoutContext {
  readonly dom: Dom<Node>
  readonly offsets: ReadonlyMap<Document, Offset>
  readonly viewport: Box
  /** the nearest element, from an element upwards, that affects which part of its content is seen */
  readonly frames: Map<Node, ClippingFrame | null>
  /** the part of an element that its scroll containers and frames show now */
  readonly visibleBoxes: Map<Node, Box>
  /** how far the page of a document has scrolled; absent until it is asked for */
  readonly scrollPositions: Map<Document, PageScroll>
  /** pixels that a scroll container must scroll to show an element, negative upwards; 0 if it must scroll sideways */
  readonly scrolledAway: Map<Node, number>
  /** the opacity of elements with that of everything around them */
  readonly opacities: Map<Node, number>
  /** elements that cover another one completely */
  readonly veils: Set<Node>
  /** columns of the viewport in which nothing but a bar stays in place when the page scrolls: x, and start and end of the bar */
  readonly freeColumns: Set<string>
  /** the elements that were measured so far, by parent */
  readonly childBoxes: Map<Node, readonly ChildBox[]>
  /** what paint-order.ts has asked the styles of elements */
  readonly clipping: Map<Node, boolean>
  readonly pinned: Map<Node, boolean>
  readonly places: Map<Node, PaintPlace>
  /** elements of a document that may cover texts but take no clicks; absent until it is asked for */
  readonly clickThrough: Map<Document, readonly Node[]>
}

/** a z-index, or how an element without one is drawn: in a stacking context of its own, positioned, or neither */
export type PaintPlace = number | 'context' | 'positioned' | 'flow'

export interface ChildBox {
  readonly node: Node
  readonly box: Box
}

interface PageScroll {
  readonly left: number
  readonly top: number
  readonly isRightToLeft: boolean
  /** people cannot scroll it sideways */
  readonly clipsSideways: boolean
  readonly width: number
}

/** where the viewport of a document is drawn in the viewport of the top page */
export interface Offset {
  /** null for the top page */
  readonly matrix: Matrix | null
  /** the frame element of the document; null for the top page */
  readonly frame: Element | null
}

/** how far the page of a node has scrolled; null if it cannot scroll */
export function scrollOf({ scrollPositions }: LayoutContext, node: Node): PageScroll | null {
  const document = native.ownerDocument(node) as Document
  const known = scrollPositions.get(document)
  if (known) return known
  const page = native.scrollingElement(document)
  if (!page) return null
  const body = native.bodyOf(document)
  const overflow = native.styleValue(page, 'overflow-x')
  const scroll: PageScroll = {
    left: native.scrollLeft(page) ?? 0,
    top: native.scrollTop(page) ?? 0,
    isRightToLeft: native.styleValue(page, 'direction') === 'rtl',
    // the page takes the overflow of the body if its root has none
    clipsSideways: /hidden|clip/.test(overflow === 'visible' && body ? native.styleValue(body, 'overflow-x') : overflow),
    width: native.clientWidth(page) ?? 0,
  }
  scrollPositions.set(document, scroll)
  return scroll
}

const noOffset: Offset = { matrix: null, frame: null }

export const offsetOf = ({ offsets }: LayoutContext, node: Node): Offset =>
  offsets.size === 0 ? noOffset : (offsets.get(native.ownerDocument(node) as Document) ?? noOffset)

/** a rectangle of the node's own viewport as a box of the top page */
export function inTopPage(
  context: LayoutContext,
  node: Node,
  { left: x, top: y, width, height }: Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>,
): Box {
  const { matrix } = offsetOf(context, node)
  const box = { x, y, width, height }
  return matrix ? mapBox(matrix, box) : box
}

/** a point of the top page in the viewport of the node's document */
export function pointInFrame(context: LayoutContext, node: Node, point: Point): Point {
  const { matrix } = offsetOf(context, node)
  return matrix ? mapPoint(invert(matrix), point) : point
}

/** a box of the top page in the viewport of the node's document */
export function boxInFrame(context: LayoutContext, node: Node, box: Box): Box {
  const { matrix } = offsetOf(context, node)
  return matrix ? mapBox(invert(matrix), box) : box
}

export const rectOf = (context: LayoutContext, node: Node): Box => inTopPage(context, node, native.getBoundingClientRect(node))

/** parents of which the children are measured for one snapshot, since a page may have many texts that seem to be hidden */
const maxParents = 2_000
/** children that are measured; a list with more has hardly anything over its texts */
const maxChildren = 200

/** the elements directly inside an element, in order, with their boxes */
export function childBoxes(context: LayoutContext, parent: Node): readonly ChildBox[] {
  const known = context.childBoxes.get(parent)
  if (known) return known
  const { dom } = context
  const children = context.childBoxes.size < maxParents ? Array.from(dom.children(parent)).filter(child => dom.tag(child)) : []
  const measured = children.slice(0, maxChildren).map(node => ({ node, box: rectOf(context, node) }))
  context.childBoxes.set(parent, measured)
  return measured
}

export const isEmpty = ({ width, height }: Box) => width <= 1 || height <= 1

export const contains = (outer: Box, { x, y, width, height }: Box): boolean =>
  x >= outer.x && y >= outer.y && x + width <= outer.x + outer.width && y + height <= outer.y + outer.height

/** the intersection of two boxes; its size is zero or negative if they do not overlap */
export function intersect(one: Box, other: Box): Box {
  const x = Math.max(one.x, other.x)
  const y = Math.max(one.y, other.y)
  const width = Math.min(one.x + one.width, other.x + other.width) - x
  const height = Math.min(one.y + one.height, other.y + other.height) - y
  return { x, y, width, height }
}

import type { Aim, Box } from '../../engine/dom.ts'
import { childTags } from '../../engine/snapshot/items.ts'
import * as native from '../runtime/natives.ts'
import { contains, inTopPage, intersect, type LayoutContext, offsetOf, pointInFrame, rectOf } from './boxes.ts'
import { clickThroughCovers } from './click-through.ts'
import { isWithin } from './dom.ts'
import { isOpaque } from './paint.ts'
import { pseudoElements, pseudoLayer } from './pseudo-elements.ts'
import { scrollDistance } from './scroll-distance.ts'

/** A point at which a click reaches the element, or the element that covers it. */
export function hitTest(context: LayoutContext, node: Node, own: Box): Aim<Node> {
  const { veils } = context
  const part = context.visibleBoxes.get(node) ?? intersect(own, context.viewport)
  let over: Node | null = null
  let isVeiled = true
  let label: Aim<Node> | null = null
  for (const [x, y] of points(context, node, part)) {
    const hit = elementAt(context, node, x, y)
    if (hit && isPartOf(context, hit, node, own) && !isUnderPseudo(context, node, hit, [x, y])) return { x, y, hit, over: null }
    if (hit && isShapeLabel(context, hit, node)) label = label ?? { x, y, hit, over: null }
    // one question is enough for what lies under an element that has covered another one completely, unless a part of it may be in front
    if (!over && hit && veils.has(hit) && !childTags(context.dom, node) && contains(rectOf(context, hit), part))
      return { x: 0, y: 0, hit: null, over: hit }
    over = over ?? hit
    isVeiled = isVeiled && hit === over
  }
  if (label) return label
  if (over && isVeiled) veils.add(over)
  return { x: 0, y: 0, hit: null, over }
}

/**
 * The opaque element in front of a text: what is transparent takes clicks, but does not hide what is below it. A text under a fixed bar is
 * not covered but scrolled away.
 */
export function coverOf(context: LayoutContext, node: Node, own: Box): Node | null {
  const covers: Node[] = []
  const tested = points(context, node, context.visibleBoxes.get(node) ?? intersect(own, context.viewport))
  for (const [x, y] of tested) {
    const found = opaqueAt(context, node, x, y)
    if (!found.length) return null
    covers.push(...found)
  }
  const distance = scrollDistance(context, node, own, tested, covers)
  if (distance) context.scrolledAway.set(node, distance)
  return distance ? null : (covers[0] ?? null)
}

/** the opaque elements in front of a node at a point */
function opaqueAt(context: LayoutContext, node: Node, x: number, y: number): Node[] {
  const { dom } = context
  const { frame } = offsetOf(context, node)
  const own = pointInFrame(context, node, { x, y })
  const found = frame ? opaqueAt(context, frame, x, y) : []
  found.push(...clickThroughCovers(context, node, x, y))
  const document = native.ownerDocument(node) as Document
  const isPart = (each: Node | null) => !each || isWithin(dom, each, node) || isWithin(dom, node, each)
  // the topmost element is found several times faster than all of them, and is nearly always the right one
  const top = native.elementAt(document, own.x, own.y)
  if (top && isUnderPseudo(context, node, top, [x, y], true)) return [...found, top]
  if (found.length || isPart(top)) return found
  for (const each of native.elementsAt(document, own.x, own.y)) {
    if (isPart(each)) break
    if (isOpaque(context, each) || hasOpaquePseudo(context, each, [x, y])) found.push(each)
  }
  return found
}

/**
 * Whether the element at a point is around a node, and what was hit there is its ::before or ::after, drawn over the node. If only what is
 * opaque counts, a text that takes no clicks may be drawn over the pseudo-element.
 */
function isUnderPseudo(context: LayoutContext, node: Node, hit: Node, [x, y]: readonly [number, number], mustBeOpaque = false): boolean {
  const { dom } = context
  if (hit === node || !isWithin(dom, node, hit)) return false
  if (!mustBeOpaque) return pseudoElements.some(pseudo => isAtPseudo(context, hit, pseudo, [x, y]))
  const parent = dom.tag(node) ? node : dom.parent(node)
  return hasOpaquePseudo(context, hit, [x, y]) && !(parent && native.styleValue(parent, 'pointer-events') === 'none')
}

const hasOpaquePseudo = (context: LayoutContext, hit: Node, point: readonly [number, number]): boolean =>
  pseudoElements.some(pseudo => isAtPseudo(context, hit, pseudo, point) && isOpaque(context, hit, pseudo))

/** whether a pseudo-element lies over the content of its element at a point */
function isAtPseudo(context: LayoutContext, element: Node, pseudo: string, [x, y]: readonly [number, number]): boolean {
  const layer = pseudoLayer(context, element, pseudo)
  return !!layer && !layer.isBelow && contains(layer.box, { x, y, width: 0, height: 0 })
}

/** Whether a click on a text goes to the group of a shape of an SVG image, as the label of a seat or of a bar does. */
function isShapeLabel({ dom }: LayoutContext, hit: Node, node: Node): boolean {
  const group = dom.parent(node)
  return /^t(ext|span)$/.test(dom.tag(hit)) && group !== null && dom.tag(group) === 'g' && isWithin(dom, hit, group)
}

/** points of the visible part: the middle of each line box (a link may wrap), then points around the middle */
function points(context: LayoutContext, node: Node, part: Box): [number, number][] {
  const list: [number, number][] = []
  const add = ({ x, y, width, height }: Box, dx: number, dy: number) => {
    if (width > 0 && height > 0) list.push([x + width * dx, y + height * dy])
  }
  const rects = context.dom.tag(node) ? native.getClientRects(node) : []
  for (let i = 0; i < rects.length && i < 4; i++) add(intersect(inTopPage(context, node, rects[i] as DOMRect), part), 0.5, 0.5)
  if (!rects.length) add(part, 0.5, 0.5)
  for (const at of [0.25, 0.75]) {
    add(part, at, at)
    add(part, at, 1 - at)
  }
  return list
}

/** the element of the node's own document that a click at this point of the top page reaches, or one that covers its frame */
function elementAt(context: LayoutContext, node: Node, x: number, y: number): Node | null {
  const document = native.ownerDocument(node) as Document
  const { frame } = offsetOf(context, node)
  if (frame) {
    const outer = elementAt(context, frame, x, y)
    if (outer && outer !== frame) return outer
  }
  const own = pointInFrame(context, node, { x, y })
  return native.elementAt(document, own.x, own.y)
}

/** whether a click on `hit` operates `node`: it is inside, around it, in its label, or part of the same widget */
function isPartOf(context: LayoutContext, hit: Node, node: Node, { width, height }: Box): boolean {
  const { dom } = context
  let widget = node
  // a widget may draw over its own input and pass the click on; its boxes are hardly larger than the input
  for (let up = dom.parent(node); up && dom.tag(node) === 'input'; up = dom.parent(up)) {
    const around = rectOf(context, up)
    if (around.width * around.height > width * height * 3) break
    widget = up
  }
  if (isWithin(dom, hit, widget) || isWithin(dom, node, hit)) return true
  const labels = dom.labels(node)
  for (let i = 0; i < labels.length; i++) if (isWithin(dom, hit, labels[i] as Node)) return true
  return false
}

import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { type ChildBox, childBoxes, contains, isEmpty, type LayoutContext, type PaintPlace } from './boxes.ts'
import { isOpaque } from './paint.ts'

const maxAncestors = 40
/** elements inside others that are searched for covers of one text */
const maxSearched = 300

/**
 * The opaque element that is certainly drawn over all of a text that is out of view, where no hit test tells: one that is positioned,
 * comes later or has a higher z-index, and scrolls together with the text.
 */
export function coverOutOfView(context: LayoutContext, text: Node, own: Box): Node | null {
  const { dom } = context
  /** the elements around the text, the innermost first */
  const path: Node[] = []
  let searched = 0
  for (let inner = text, around = dom.parent(text); around && path.length < maxAncestors; inner = around, around = dom.parent(around)) {
    if (dom.tag(inner)) path.push(inner)
    // the text may have been scrolled out of this element, and is then elsewhere than its box
    if (dom.tag(inner) && (clips(context, inner) || isPinned(context, inner))) return null
    const siblings = childBoxes(context, around)
    if (siblings.length < 2 && !path.length) continue
    /** few levels have anything that lies over the text */
    let order: number | undefined
    let ownIndex = 0
    for (let i = 0; i < siblings.length; i++) {
      const sibling = siblings[i] as ChildBox
      if (sibling.node === inner) continue
      // a child of an element without a size may be drawn elsewhere
      if (!isEmpty(sibling.box) && !overlaps(sibling.box, own)) continue
      const stack: Step[] = [{ node: sibling.node, box: sibling.box, outer: null }]
      for (let each = stack.pop(); each; each = stack.pop()) {
        if (searched++ >= maxSearched) return null
        if (dom.hidden(each.node) || isPinned(context, each.node)) continue
        if (contains(each.box, own)) {
          if (order === undefined) {
            order = orderOf(context, path)
            ownIndex = siblings.findIndex(({ node }) => node === inner)
          }
          const cover = orderOf(context, nodesTo(each))
          const isAbove = cover > order || (cover === order && cover > flow && i > ownIndex)
          if (isAbove && isOpaque(context, each.node)) return each.node
        }
        if (clips(context, each.node)) continue
        for (const { node, box } of childBoxes(context, each.node))
          if (isEmpty(box) || overlaps(box, own)) stack.push({ node, box, outer: each })
      }
    }
  }
  return null
}

/** An element that is searched, with the one around it. */
interface Step extends ChildBox {
  readonly outer: Step | null
}

function nodesTo(step: Step): Node[] {
  const nodes: Node[] = []
  for (let each: Step | null = step; each; each = each.outer) nodes.push(each.node)
  return nodes
}

const overlaps = (one: Box, other: Box): boolean =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) > 1 &&
  Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) > 1

// texts near each other have the elements around them in common
function memo<T>(known: Map<Node, T>, element: Node, read: (style: CSSStyleDeclaration) => T): T {
  let value = known.get(element)
  if (value === undefined) {
    value = read(native.styleOf(element))
    known.set(element, value)
  }
  return value
}

const clips = ({ clipping }: LayoutContext, element: Node): boolean =>
  memo(clipping, element, style => native.styleProperty(style, 'overflow') !== 'visible')

const isPinned = ({ pinned }: LayoutContext, element: Node): boolean =>
  memo(pinned, element, style => /fixed|sticky/.test(native.styleProperty(style, 'position')))

/** the place of what is not positioned: above negative z-indexes, below all others */
const flow = -0.5

/**
 * Where the first of nested elements, the innermost, is drawn in the stacking context around the last, as a z-index.
 * https://www.w3.org/TR/CSS21/zindex.html
 */
function orderOf({ places }: LayoutContext, nested: readonly Node[]): number {
  let order = flow
  for (let i = nested.length - 1; i >= 0; i--) {
    const place = memo(places, nested[i] as Node, placeOf)
    if (typeof place === 'number') return place
    if (place !== 'flow') order = 0
    if (place === 'context') return order
  }
  return order
}

const contextProperties = 'transform filter perspective clip-path mask-image isolation mix-blend-mode translate rotate scale'.split(' ')

function placeOf(style: CSSStyleDeclaration): PaintPlace {
  const read = (property: string) => native.styleProperty(style, property)
  const isPositioned = read('position') !== 'static'
  const isContext = Number(read('opacity')) < 1 || contextProperties.some(property => !/^(none|auto|normal|)$/.test(read(property)))
  if (!isPositioned && !isContext) return 'flow'
  const zIndex = Number(read('z-index'))
  return Number.isNaN(zIndex) ? (isContext ? 'context' : 'positioned') : zIndex
}

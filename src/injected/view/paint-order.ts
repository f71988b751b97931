import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { childBoxes, contains, intersect, isEmpty, type LayoutContext } from './boxes.ts'
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
  /** from the text to the element whose children are searched */
  const path: Node[] = []
  let searched = 0
  for (let inner = text, around = dom.parent(text); around && path.length < maxAncestors; inner = around, around = dom.parent(around)) {
    if (dom.tag(inner)) path.unshift(inner)
    // the text may have been scrolled out of this element, and is then elsewhere than its box
    if (dom.tag(inner) && (clips(inner) || /fixed|sticky/.test(native.styleValue(inner, 'position')))) return null
    const siblings = childBoxes(context, around)
    if (siblings.length < 2 && !path.length) continue
    const order = orderOf(path)
    const ownIndex = siblings.findIndex(({ node }) => node === inner)
    for (let i = 0; i < siblings.length; i++) {
      const { node, box } = siblings[i] as (typeof siblings)[number]
      if (node === inner) continue
      // a child of an element without a size may be drawn elsewhere
      if (!isEmpty(box) && !overlaps(box, own)) continue
      const stack: { node: Node; box: Box; path: readonly Node[] }[] = [{ node, box, path: [node] }]
      for (let each = stack.pop(); each && searched++ < maxSearched; each = stack.pop()) {
        if (dom.hidden(each.node) || /fixed|sticky/.test(native.styleValue(each.node, 'position'))) continue
        if (contains(each.box, own)) {
          const cover = orderOf(each.path)
          const isAbove = cover > order || (cover === order && cover > flow && i > ownIndex)
          if (isAbove && isOpaque(context, each.node)) return each.node
        }
        if (clips(each.node)) continue
        for (const child of childBoxes(context, each.node))
          if (isEmpty(child.box) || overlaps(child.box, own)) stack.push({ ...child, path: [...each.path, child.node] })
      }
    }
  }
  return null
}

const overlaps = (one: Box, other: Box): boolean => !isEmpty(intersect(one, other))

const clips = (element: Node): boolean => native.styleValue(element, 'overflow') !== 'visible'

/** the place of what is not positioned: above negative z-indexes, below all others */
const flow = -0.5

/** Where the last of nested elements is drawn in the stacking context around the first, as a z-index. https://www.w3.org/TR/CSS21/zindex.html */
function orderOf(path: readonly Node[]): number {
  let order = flow
  for (const each of path) {
    const style = native.styleOf(each)
    const read = (property: string) => native.styleProperty(style, property)
    const isPositioned = read('position') !== 'static'
    const zIndex = Number(read('z-index'))
    const isContext =
      Number(read('opacity')) < 1 ||
      ['transform', 'filter', 'perspective', 'clip-path', 'mask-image', 'isolation', 'mix-blend-mode', 'translate', 'rotate', 'scale'].some(
        property => !/^(none|auto|normal|)$/.test(read(property)),
      )
    if (Number.isNaN(zIndex) || (!isPositioned && !isContext)) {
      if (isPositioned || isContext) order = Math.max(order, 0)
      if (isContext) return order
    } else return zIndex
  }
  return order
}

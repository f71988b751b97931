import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { inTopPage, isEmpty, type LayoutContext, rectOf } from './boxes.ts'
import { pseudoElements, pseudoLayer } from './pseudo-elements.ts'

/** Where an element or a text is drawn. An element of at most a pixel is where its content is that it does not clip. */
export function boxOf(context: LayoutContext, node: Node): Box | null {
  const rect = anyRect(context, node)
  const drawn = isEmpty(rect) && context.dom.tag(node) ? contentBox(context, node, 0) : null
  return drawn ?? (rect.width > 0 && rect.height > 0 ? rect : null)
}

const anyRect = (context: LayoutContext, node: Node): Box =>
  context.dom.tag(node) ? rectOf(context, node) : inTopPage(context, node, native.textRect(node))

const maxChildren = 6
const maxDepth = 3

function contentBox(context: LayoutContext, node: Node, depth: number): Box | null {
  const { dom } = context
  if (dom.hidden(node)) return null
  const style = native.styleOf(node)
  // display:contents has no box that could clip
  const clips = native.styleProperty(style, 'overflow') !== 'visible' && native.styleProperty(style, 'display') !== 'contents'
  const isStatic = native.styleProperty(style, 'position') === 'static'
  for (const pseudo of clips ? [] : pseudoElements) {
    const layer = pseudoLayer(context, node, pseudo)
    if (layer && !isEmpty(layer.box)) return layer.box
  }
  const children = dom.children(node)
  for (let i = 0; i < children.length && i < maxChildren; i++) {
    const child = children[i] as Node
    // what is positioned by an element farther out is not clipped
    const escapes = () => isStatic && dom.tag(child) && /absolute|fixed/.test(native.styleValue(child, 'position'))
    // a text of an SVG image that is not drawn, such as one in a clip path, has a box
    if (dom.hidden(child) || (clips && !escapes()) || (!dom.tag(child) && dom.namespace(node) === 'svg')) continue
    const rect = anyRect(context, child)
    if (!isEmpty(rect)) return rect
    const below = depth < maxDepth && dom.tag(child) ? contentBox(context, child, depth + 1) : null
    if (below) return below
  }
  return null
}

import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { childBoxes, contains, inTopPage, intersect, isEmpty, type LayoutContext, offsetOf, rectOf } from './boxes.ts'
import type { Color } from './colors.ts'
import { contrastsWith } from './paint.ts'
import { pseudoElements, pseudoLayer } from './pseudo-elements.ts'

const maxAncestors = 40
/** the part of a text that something behind it covers at least: neighbors overlap by a few pixels */
const minShare = 0.25

interface Search {
  readonly context: LayoutContext
  readonly element: Node
  readonly ink: Color
  readonly texts: readonly Box[]
}

interface Ink {
  /** the element around the text that paints the background */
  readonly owner: Node
  readonly ink: Color
  /** where the text is (default: where the texts of the element are) */
  readonly texts?: readonly Box[]
}

/**
 * Whether something on which the text of an element can be read may lie between the text and the background of `owner`, an element around
 * it: an image, a layer, a pseudo-element, a shadow. It need not be around the text, so it is searched for by where it is.
 */
export function isOnLayer(context: LayoutContext, element: Node, { owner, ink, texts }: Ink): boolean {
  const { dom } = context
  const search: Search = { context, element, ink, texts: texts ?? textBoxes(context, element) }
  // a text outside of that element lies on something else
  if (!/^(html|body)$/.test(dom.tag(owner)) && !search.texts.some(text => contains(rectOf(context, owner), middleOf(text)))) return true
  let inner: Node | null = null
  let each: Node | null = element
  for (let steps = 0; each && steps < maxAncestors; steps++) {
    if (hasPseudoLayer(search, each) || hasLayer(search, each, inner)) return true
    // the frame around a text is not an image
    const isFrame = /^i?frame$/.test(dom.tag(each))
    if (!isFrame && contrastsWith(context, each, ink)) return true
    if (each === owner) break
    inner = each
    each = dom.parent(each) ?? offsetOf(context, each).frame
  }
  return false
}

/** the boxes of the text nodes directly inside an element, or of all it contains */
function textBoxes(context: LayoutContext, element: Node): Box[] {
  const { dom } = context
  const own = Array.from(dom.children(element)).filter(child => !dom.tag(child) && /\S/.test(dom.text(child)))
  return (own.length ? own : [element]).map(node => inTopPage(context, node, native.textRect(node)))
}

const middleOf = ({ x, y, width, height }: Box): Box => ({ x: x + width / 2, y: y + height / 2, width: 0, height: 0 })

function coversText({ texts }: Search, box: Box): boolean {
  return texts.some(text => {
    const { width, height } = intersect(text, box)
    return width > 0 && height > 0 && width * height >= text.width * text.height * minShare
  })
}

/** whether one of the elements inside a node, other than the one around the text, lies behind the text */
function hasLayer(search: Search, node: Node, except: Node | null): boolean {
  const { context, ink } = search
  const parents = [node]
  for (let parent = parents.pop(); parent; parent = parents.pop())
    for (const { node: each, box } of childBoxes(context, parent)) {
      const isOver = coversText(search, box)
      // what sticks out of an element of some size is not searched for
      if (each === except || (!isOver && !isEmpty(box)) || context.dom.hidden(each)) continue
      const isLayer = isOver && !isInFlow(context, each) && contrastsWith(context, each, ink)
      if ((isLayer || hasPseudoLayer(search, each)) && !isInFront(search, each)) return true
      parents.push(each)
    }
  return false
}

/** whether it is a part of a line, which never lies below another one */
const isInFlow = ({ dom }: LayoutContext, element: Node): boolean =>
  native.styleValue(element, 'position') === 'static' &&
  native.styleValue(element, 'display') === 'inline' &&
  dom.namespace(element) === 'html'

const hasPseudoLayer = (search: Search, element: Node): boolean =>
  pseudoElements.some(pseudo => {
    const layer = pseudoLayer(search.context, element, pseudo)
    return layer && (layer.isMoved || coversText(search, layer.box)) && contrastsWith(search.context, element, search.ink, pseudo)
  })

/** whether an element is certainly drawn over the text, and not below it: one that takes no clicks may be either */
function isInFront({ context, element, texts }: Search, layer: Node): boolean {
  if (offsetOf(context, element).frame) return false
  return texts.some(text => {
    const box = intersect(text, context.viewport)
    if (isEmpty(box)) return false
    const { x, y } = middleOf(box)
    const hits: Node[] = native.elementsAt(native.ownerDocument(element) as Document, x, y)
    const position = hits.indexOf(layer)
    return position >= 0 && position < hits.indexOf(element)
  })
}

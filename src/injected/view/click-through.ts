import type { Dom } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { contains, intersect, isEmpty, type LayoutContext, rectOf } from './boxes.ts'
import { isWithin } from './dom.ts'
import { isSolid } from './paint.ts'

/** those of which the markup says so: the computed style of every element would take long to read */
const selector = '[style*="pointer-events"],[class*="pointer-events-none"]'
const maxElements = 200

/** The elements of one color that are certainly in front of a text at a point, but that hit tests do not find because they take no clicks. */
export function clickThroughCovers(context: LayoutContext, text: Node, x: number, y: number): Node[] {
  const covers = coversIn(context, native.ownerDocument(text) as Document)
  return covers.filter(
    cover =>
      contains(rectOf(context, cover), { x, y, width: 0, height: 0 }) &&
      !isWithin(context.dom, text, cover) &&
      isInFront(context.dom, cover, text),
  )
}

function coversIn(context: LayoutContext, document: Document): readonly Node[] {
  const { dom, viewport } = context
  const known = context.clickThrough.get(document)
  if (known) return known
  const covers: Node[] = []
  const elements = native.allOf(document, selector)
  for (let i = 0; i < elements.length && i < maxElements; i++) {
    const element = elements[i] as Node
    if (native.styleValue(element, 'pointer-events') !== 'none' || native.styleValue(element, 'position') === 'static') continue
    if (dom.hidden(element) || isEmpty(intersect(rectOf(context, element), viewport))) continue
    // an SVG image paints nothing itself
    covers.push(...[element, ...Array.from(dom.children(element))].filter(each => dom.tag(each) && isSolid(context, each)))
  }
  context.clickThrough.set(document, covers)
  return covers
}

/** Whether a positioned element is certainly drawn over a text: nothing lifts the text, or lowers the element, inside what is around both. */
function isInFront(dom: Dom<Node>, cover: Node, text: Node): boolean {
  let around = dom.parent(text)
  for (; around && !isWithin(dom, cover, around); around = dom.parent(around)) if (isLifted(around)) return false
  for (let each: Node | null = cover; each && each !== around; each = dom.parent(each))
    if (Number(native.styleValue(each, 'z-index')) < 0) return false
  return true
}

const isLifted = (element: Node): boolean =>
  ['position:static', 'z-index:auto', 'transform:none', 'opacity:1', 'filter:none', 'will-change:auto', 'isolation:auto'].some(initial => {
    const [property = '', value] = initial.split(':')
    return native.styleValue(element, property) !== value
  })

import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { boxInFrame, intersect, isEmpty, type LayoutContext, offsetOf, rectOf, scrollOf } from './boxes.ts'

/** An element that affects which part of its content is seen: it clips, scrolls or is positioned. */
export interface ClippingFrame {
  readonly node: Node
  readonly position: string
  /** clip or clip-path hides all of it */
  readonly isClipped: boolean
  /** what its content is clipped to; null if it does not clip */
  readonly view: Box | null
  /** the next one around it; undefined until it is asked for */
  outer: ClippingFrame | null | undefined
}

const maxAncestors = 200

/** whether clip or clip-path hides all of an element */
function isClippedAway(context: LayoutContext, node: Node, style: CSSStyleDeclaration, position: string): boolean {
  const path = native.styleProperty(style, 'clip-path')
  const clip = position === 'absolute' || position === 'fixed' ? native.styleProperty(style, 'clip') : ''
  return (path !== 'none' || clip !== '') && isClippedAwayBy(path, clip, rectOf(context, node))
}

/** whether computed values of clip-path and clip hide all of a box */
export const isClippedAwayBy = (path: string, clip: string, box: Box): boolean =>
  (path !== 'none' && leavesNothing(path, box)) || (clip !== '' && isEmptyRect(clip))

/**
 * The nearest element, from `node` upwards, that clips, scrolls or is positioned, or null. All others leave what is inside
 * them where it is, and a page has many levels of them.
 */
function frameAround(context: LayoutContext, node: Node | null): ClippingFrame | null {
  const { dom, frames } = context
  const passed: Node[] = []
  let frame: ClippingFrame | null = null
  for (let each = node; each && passed.length < maxAncestors; each = dom.parent(each)) {
    const known = frames.get(each)
    if (known !== undefined) {
      frame = known
      break
    }
    passed.push(each)
    frame = frameOf(context, each)
    if (frame) break
  }
  for (const below of passed) frames.set(below, frame)
  return frame
}

function frameOf(context: LayoutContext, node: Node): ClippingFrame | null {
  const style = native.styleOf(node)
  const position = native.styleProperty(style, 'position')
  const isClipped = isClippedAway(context, node, style, position)
  // one keyword, or two if the directions differ
  const clips = native.styleProperty(style, 'overflow') !== 'visible'
  if (position === 'static' && !isClipped && !clips) return null
  // display:contents has no box to clip with
  const isBox = !/^(html|body)$/.test(context.dom.tag(node)) && native.styleProperty(style, 'display') !== 'contents'
  return { node, position, isClipped, view: clips && isBox ? rectOf(context, node) : null, outer: undefined }
}

/**
 * Why no scrolling shows an element although it has a box; '' if it can be shown. Records the part of it that is in view now, and how far
 * its scroll containers have scrolled it away.
 */
export function whyClipped(context: LayoutContext, node: Node, own: Box): string {
  const { dom, viewport, visibleBoxes, scrolledAway } = context
  if (own.width <= 1 || own.height <= 1) return 'too small'
  // a text node has no style, and the element around it may clip it
  let position = ''
  if (dom.tag(node)) {
    const style = native.styleOf(node)
    position = native.styleProperty(style, 'position')
    if (isClippedAway(context, node, style, position)) return 'clipped'
  }
  let reachable = own // the part that scrolling can bring into view
  let part = intersect(own, viewport) // the part that is in view now
  let isScrolledAway = false
  let frame = frameAround(context, dom.parent(node))
  for (let steps = 0; frame && steps < maxAncestors; steps++, frame = outerOf(context, frame)) {
    if (frame.isClipped) return 'clipped'
    // no ancestor clips a fixed element, and only positioned ancestors clip an absolute one
    if (position === 'fixed' || (position === 'absolute' && frame.position === 'static')) continue
    position = frame.position
    const { view } = frame
    if (!view) continue
    const through = intersect(reachable, view)
    part = intersect(part, view)
    if (!isEmpty(through)) continue
    const isVertical = through.height <= 1
    if (/hidden|clip/.test(native.styleValue(frame.node, isVertical ? 'overflow-y' : 'overflow-x'))) return 'clipped'
    const seen = intersect(view, viewport)
    const below = own.y - seen.y - seen.height
    if (!isScrolledAway)
      scrolledAway.set(node, isVertical ? Math.round(below >= -1 ? Math.max(below, 1) : Math.min(own.y + own.height - seen.y, -1)) : 0)
    reachable = view
    isScrolledAway = true
  }
  const { frame: iframe } = offsetOf(context, node)
  visibleBoxes.set(node, iframe ? intersect(part, rectOf(context, iframe)) : part)
  const page = scrollOf(context, node)
  if (isScrolledAway || !page) return ''
  if (position === 'fixed') return isEmpty(intersect(own, viewport)) ? 'off the page' : ''
  // scrolling never reaches content above the origin, nor on the side of the origin at which lines start
  const inFrame = boxInFrame(context, node, own)
  const left = inFrame.x + page.left
  const isLeft = left + inFrame.width <= 0 && (!page.isRightToLeft || page.clipsSideways)
  const isRight = left >= page.width && (page.isRightToLeft || page.clipsSideways)
  return isLeft || isRight || inFrame.y + inFrame.height + page.top <= 0 ? 'off the page' : ''
}

function outerOf(context: LayoutContext, frame: ClippingFrame): ClippingFrame | null {
  if (frame.outer === undefined) frame.outer = frameAround(context, context.dom.parent(frame.node))
  return frame.outer
}

/** whether a computed clip shows no more than a pixel, such as rect(0px, 0px, 0px, 0px) */
function isEmptyRect(clip: string): boolean {
  const sides = (clip.match(/-?[\d.]+(?=px)/g) ?? []).map(Number)
  const [top = 0, right = 0, bottom = 0, left = 0] = sides
  return sides.length === 4 && (right - left <= 1 || bottom - top <= 1)
}

/** Whether a computed clip-path shows no more than a pixel in one direction: inset(50%), inset(0 100% 0 0), circle(0), polygon(0 0, 0 0). */
function leavesNothing(path: string, { width, height }: Box): boolean {
  const [, shape, list = ''] = /^(\w+)\((.*)\)/.exec(path) ?? []
  // display:contents has no box to clip
  if (!width && !height) return false
  const lengthOf = (css: string, size: number) => (css.endsWith('%') ? Number.parseFloat(css) * size * 0.01 : Number.parseFloat(css))
  const isThin = (sizes: readonly number[]) => Math.max(...sizes) - Math.min(...sizes) <= 1
  if (shape === 'inset') {
    const [top = '', right = top, bottom = top, left = right] = list.replace(/ round.*/, '').split(' ')
    const shown = {
      x: width - lengthOf(left, width) - lengthOf(right, width),
      y: height - lengthOf(top, height) - lengthOf(bottom, height),
    }
    return shown.x <= 1 || shown.y <= 1
  }
  if (shape === 'polygon') {
    const points = list.replace(/^(nonzero|evenodd), /, '').split(', ')
    return [width, height].some((size, i) => isThin(points.map(point => lengthOf(point.split(' ')[i] ?? '', size))))
  }
  if (shape === 'path') return isThin((list.match(/-?[\d.]+/g) ?? []).map(Number))
  return /^(circle|ellipse)$/.test(shape ?? '') && Number.parseFloat(list) === 0
}

import * as native from '../runtime/natives.ts'
import { type ChildBoxes, isOnLayer } from './backdrop.ts'
import { type LayoutContext, offsetOf } from './boxes.ts'
import { type Color, colorPattern, isClose, parseColor } from './colors.ts'
import { isClippedToText, minVisibleOpacity } from './paint.ts'

const maxAncestors = 40
const white: Color = [255, 255, 255, 1]
/** smaller text is not meant to be read */
const minFontSize = 3

interface Background {
  readonly color: Color
  /** the element that paints it */
  readonly owner: Node
}

/** What is known about the backgrounds of a page. */
export interface Backgrounds {
  /** the background behind an element; null if it is unknown */
  readonly behind: Map<Node, Background | null>
  readonly boxes: ChildBoxes
}

export const createBackgrounds = (): Backgrounds => ({ behind: new Map(), boxes: { byParent: new Map(), count: 0 } })

/** Why the text of an element cannot be read by someone who looks at it; '' if it can, or if it is not certain. */
export function whyUnreadable(context: LayoutContext, element: Node, backgrounds: Backgrounds): string {
  const style = native.styleOf(element)
  const read = (property: string) => native.styleProperty(style, property)
  if (Number.parseFloat(read('font-size')) < minFontSize) return 'font size'
  if (Number.parseFloat(read('text-indent')) < -200) return 'indent'
  const isShape = /^t(ext|span|extpath)$/.test(context.dom.tag(element))
  const fill = read(isShape ? 'fill' : '-webkit-text-fill-color')
  const ink = fill === 'none' ? null : parseColor(fill || read('color'))
  if (!ink && fill !== 'none') return ''
  const isSeen = ink !== null && ink[3] >= minVisibleOpacity
  const background = isSeen ? backgroundOf(context, element, backgrounds) : null
  if (isSeen && !(background && isClose(ink, background.color))) return ''
  // few texts get here
  if (hasOutline(style, isShape, background?.color) || isFilledByBackground(context, element)) return ''
  return ink && background && isOnLayer(context, backgrounds.boxes, element, { owner: background.owner, ink }) ? '' : 'colour'
}

/** whether the shadow or the outline of the letters can be seen */
function hasOutline(style: CSSStyleDeclaration, isShape: boolean, background: Color | undefined): boolean {
  const read = (property: string) => native.styleProperty(style, property)
  const outlines: string[] = read('text-shadow').match(colorPattern) ?? []
  const stroke = isShape ? 'stroke' : '-webkit-text-stroke'
  if (Number.parseFloat(read(`${stroke}-width`)) > 0) outlines.push(read(isShape ? stroke : `${stroke}-color`))
  return outlines.some(css => {
    const color = parseColor(css)
    return color && color[3] >= minVisibleOpacity && !(background && isClose(color, background))
  })
}

/** whether the letters are filled by the background of an element around them */
function isFilledByBackground({ dom }: LayoutContext, element: Node): boolean {
  let each: Node | null = element
  for (let steps = 0; each && steps < maxAncestors; steps++, each = dom.parent(each)) {
    const style = native.styleOf(each)
    if (!isClippedToText(style)) continue
    const color = parseColor(native.styleProperty(style, 'background-color'))
    if (native.styleProperty(style, 'background-image') !== 'none' || !color || color[3] >= minVisibleOpacity) return true
  }
  return false
}

/** the colour behind an element; null behind an image or a translucent colour */
function backgroundOf(context: LayoutContext, element: Node, { behind }: Backgrounds): Background | null {
  const { dom } = context
  const passed: Node[] = []
  let background: Background | null = null
  for (let each: Node | null = element; each && passed.length < maxAncestors; ) {
    const known = behind.get(each)
    background = known ?? null
    if (known !== undefined) break
    passed.push(each)
    const style = native.styleOf(each)
    if (native.styleProperty(style, 'background-image') !== 'none') break
    const color = parseColor(native.styleProperty(style, 'background-color'))
    if (!color || color[3] > 0.05) {
      background = color && color[3] >= 0.95 ? { color, owner: each } : null
      break
    }
    // a positioned element may lie over anything
    if (/absolute|fixed|sticky/.test(native.styleProperty(style, 'position'))) break
    let outer = dom.parent(each)
    if (!outer) {
      if (/dark/.test(native.styleProperty(style, 'color-scheme'))) break
      // a frame without a background shows what is behind it
      outer = offsetOf(context, each).frame
      if (!outer) background = { color: white, owner: each }
    }
    each = outer
  }
  for (const each of passed) behind.set(each, background)
  return background
}

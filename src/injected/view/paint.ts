import * as native from '../runtime/natives.ts'
import type { LayoutContext } from './boxes.ts'
import { type Color, colorPattern, colorsIn, isClose, parseColor } from './colors.ts'

/** a cover that lets less than this through hides the text below it */
const minOpacity = 0.8
/** what is more transparent than this is not seen */
export const minVisibleOpacity = 0.05

const pictures = /^(img|image|video|i?frame|embed|object)$/
const shapes = /^(rect|circle|ellipse|path|polygon)$/

/** Whether nothing below an element, or below its pseudo-element, can be seen through it. */
export function isOpaque(context: LayoutContext, element: Node, pseudo?: string): boolean {
  const style = native.styleOf(element, pseudo)
  const tag = pseudo ? '' : context.dom.tag(element)
  let painted = pictures.test(tag) ? 1 : backgroundOpacity(style)
  if (painted < minOpacity) painted = Math.max(painted, ...areasOf(style, tag).map(alphaOf), veils(style) ? 1 : 0)
  const own = pseudo ? painted * Number(native.styleProperty(style, 'opacity')) : painted
  return own >= minOpacity && own * opacityOf(context, element) >= minOpacity
}

/** Whether what is behind an element is drawn so that nothing of it can be read. */
function veils(style: CSSStyleDeclaration): boolean {
  const filter = native.styleProperty(style, 'backdrop-filter')
  if (!filter || filter === 'none') return false
  const amount = (name: string) => Number.parseFloat(filter.split(`${name}(`)[1] ?? '')
  return amount('blur') > minVeilBlur || amount('brightness') < 0.1 || amount('brightness') > 10 || amount('contrast') < 0.1
}

/** pixels of a blur behind which text of the usual sizes cannot be read */
const minVeilBlur = 5

/** Whether an element is opaque without an image, which may have holes. */
export const isSolid = (context: LayoutContext, element: Node): boolean =>
  !pictures.test(context.dom.tag(element)) && !native.styleValue(element, 'background-image').includes('url(') && isOpaque(context, element)

/** Whether an element, or its pseudo-element, paints something on which text of this color can be read. Images count, since they may. */
export function contrastsWith(context: LayoutContext, element: Node, ink: Color, pseudo?: string): boolean {
  const style = native.styleOf(element, pseudo)
  const tag = pseudo ? '' : context.dom.tag(element)
  const opacity = opacityOf(context, element) * (pseudo ? Number(native.styleProperty(style, 'opacity')) : 1)
  if (opacity < minVisibleOpacity) return false
  if (pictures.test(tag) || tag === 'canvas') return true
  const isText = isClippedToText(style)
  const image = isText ? 'none' : native.styleProperty(style, 'background-image')
  const stops = colorsIn(image)
  if (image !== 'none' && (image.includes('url(') || !stops.length || stops.some(stop => !isClose(stop, ink, stop[3] * opacity))))
    return true
  return [isText ? '' : native.styleProperty(style, 'background-color'), ...areasOf(style, tag)].some(css => {
    if (!css) return false
    const color = parseColor(css)
    return !color || !isClose(color, ink, color[3] * opacity)
  })
}

/** the opacity of an element with that of everything around it; elements at one point have most of it in common */
export function opacityOf({ dom, opacities }: Pick<LayoutContext, 'dom' | 'opacities'>, element: Node): number {
  const passed: Node[] = []
  let opacity = 1
  for (let each: Node | null = element; each; each = dom.parent(each)) {
    const known = opacities.get(each)
    if (known !== undefined) {
      opacity = known
      break
    }
    passed.push(each)
  }
  for (let each = passed.pop(); each; each = passed.pop()) {
    opacity *= Number(native.styleValue(each, 'opacity'))
    opacities.set(each, opacity)
  }
  return opacity
}

/** The opacity of a background. Images of which only the URL is known count as opaque, gradients as their most transparent color. */
function backgroundOpacity(style: CSSStyleDeclaration): number {
  // the background is drawn in the letters only, or mixed with what is below it
  if (native.styleProperty(style, 'mix-blend-mode') !== 'normal' || isClippedToText(style)) return 0
  const image = native.styleProperty(style, 'background-image')
  if (image.includes('url(')) return 1
  const layers = image.split('gradient(').slice(1)
  const alphas = layers.map(layer => Math.min(1, ...(layer.match(colorPattern) ?? ['']).map(alphaOf)))
  return Math.max(alphaOf(native.styleProperty(style, 'background-color')), ...alphas)
}

/** Whether the background of an element is drawn in the letters of its text only. */
export const isClippedToText = (style: CSSStyleDeclaration): boolean =>
  /text/.test(native.styleProperty(style, 'background-clip') || native.styleProperty(style, '-webkit-background-clip'))

/** The colors, other than its background, in which something paints all of its box: a shape of an SVG image, a shadow inside it, borders. */
function areasOf(style: CSSStyleDeclaration, tag: string): string[] {
  const read = (property: string) => native.styleProperty(style, property)
  if (shapes.test(tag)) return read('fill') === 'none' || Number(read('fill-opacity')) < minOpacity ? [] : [read('fill')]
  const size = Math.min(Number.parseFloat(read('width')), Number.parseFloat(read('height')))
  const areas: string[] = []
  for (const shadow of read('box-shadow').match(/[a-z]+\([^()]*\)[^,]*inset/g) ?? []) {
    const spread = Number.parseFloat(/\S+(?= inset)/.exec(shadow)?.[0] ?? '')
    if (spread * 2 >= size) areas.push(...(shadow.match(colorPattern) ?? []))
  }
  // a box without content has room for its borders only
  const borders = size < 2 ? ['top', 'right', 'bottom', 'left'].map(side => [`border-${side}-width`, `border-${side}-color`].map(read)) : []
  if (borders.some(([width]) => Number.parseFloat(width as string) > 9))
    areas.push(leastOpaque(borders.map(([, color]) => color as string)))
  return areas
}

const leastOpaque = (colors: readonly string[]): string => colors.reduce((one, other) => (alphaOf(other) < alphaOf(one) ? other : one))

/** what is unknown may let something through */
const alphaOf = (css: string): number => parseColor(css)?.[3] ?? 0

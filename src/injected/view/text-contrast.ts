import type { Dom } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import type { LayoutContext } from './boxes.ts'

type Color = readonly [red: number, green: number, blue: number, alpha: number]

const maxAncestors = 40
const white: Color = [255, 255, 255, 1]
/** smaller text is not meant to be read */
const minFontSize = 3
/** colours whose channels differ by no more than this look the same */
const maxColorDifference = 10

/** a cover that lets less than this through hides the text below it */
const minOpacity = 0.8

/** background colours by element; null if unknown */
export type BackgroundCache = Map<Node, Color | null>

/** Why the text of an element cannot be read by someone who looks at it; '' if it can. */
export function whyUnreadable(dom: Dom<Node>, element: Node, backgrounds: BackgroundCache): string {
  const style = native.styleOf(element)
  if (Number.parseFloat(native.styleProperty(style, 'font-size')) < minFontSize) return 'font size'
  if (Number.parseFloat(native.styleProperty(style, 'text-indent')) < -200) return 'indent'
  const color = parseColor(native.styleProperty(style, 'color'))
  if (!color) return ''
  // text filled by a background or a shadow is drawn although its own colour is transparent
  if (color[3] < 0.05)
    return native.styleProperty(style, 'background-clip') === 'text' || native.styleProperty(style, 'text-shadow') !== 'none'
      ? ''
      : 'colour'
  const background = backgroundOf(dom, element, backgrounds)
  return background && isClose(color, background) && native.styleProperty(style, 'text-shadow') === 'none' ? 'colour' : ''
}

/** Whether nothing below an element, or below its pseudo-element, can be seen through it. */
export function isOpaque(context: LayoutContext, element: Node, pseudo?: string): boolean {
  const style = native.styleOf(element, pseudo)
  const isPicture = !pseudo && /^(img|video|iframe|embed|object)$/.test(context.dom.tag(element))
  const painted = isPicture ? 1 : paintOpacity(style)
  const own = pseudo ? painted * Number(native.styleProperty(style, 'opacity')) : painted
  return own >= minOpacity && own * opacityOf(context, element) >= minOpacity
}

/** the opacity of an element with that of everything around it; elements at one point have most of it in common */
function opacityOf({ dom, opacities }: LayoutContext, element: Node): number {
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
function paintOpacity(style: CSSStyleDeclaration): number {
  const image = native.styleProperty(style, 'background-image')
  if (image.includes('url(')) return 1
  const layers = image
    .split('gradient(')
    .slice(1)
    .map(layer => Math.min(...(layer.match(/rgba?\([^)]*\)/g) ?? []).map(alphaOf)))
  return Math.max(alphaOf(native.styleProperty(style, 'background-color')), ...layers)
}

const alphaOf = (css: string): number => parseColor(css)?.[3] ?? 1

/** the colour behind an element; null behind an image or a translucent colour */
function backgroundOf(dom: Dom<Node>, element: Node, backgrounds: BackgroundCache): Color | null {
  const passed: Node[] = []
  let background: Color | null = null
  for (let each: Node | null = element; each && passed.length < maxAncestors; each = dom.parent(each)) {
    const known = backgrounds.get(each)
    background = known ?? null
    if (known !== undefined) break
    passed.push(each)
    const style = native.styleOf(each)
    if (native.styleProperty(style, 'background-image') !== 'none') break
    const own = parseColor(native.styleProperty(style, 'background-color'))
    if (!own || own[3] > 0.05) {
      background = own && own[3] >= 0.95 ? own : null
      break
    }
    // a positioned element may lie over anything
    if (/absolute|fixed|sticky/.test(native.styleProperty(style, 'position'))) break
    if (dom.tag(each) === 'html') background = /dark/.test(native.styleProperty(style, 'color-scheme')) ? null : white
  }
  for (const each of passed) backgrounds.set(each, background)
  return background
}

export function parseColor(css: string): Color | null {
  const parts = /^rgba?\(([\d.]+)[,\s]+([\d.]+)[,\s]+([\d.]+)(?:[,\s/]+([\d.]+))?\)$/.exec(css)
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3]), parts[4] === undefined ? 1 : Number(parts[4])] : null
}

const isClose = (a: Color, b: Color) => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2])) <= maxColorDifference

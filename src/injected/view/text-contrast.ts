import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { isOnLayer } from './backdrop.ts'
import { type LayoutContext, offsetOf } from './boxes.ts'
import { type Color, colorPattern, colorsIn, isClose, parseColor } from './colors.ts'
import { isWithin } from './dom.ts'
import { applyFilter, blendColors, type Effect, effectOf, effectsAround, isNone, masksAll } from './effects.ts'
import { isClippedToText, minVisibleOpacity } from './paint.ts'
import { whyPseudoUnseen } from './pseudo-elements.ts'

const maxAncestors = 40
const white: Color = [255, 255, 255, 1]
/** smaller text is not meant to be read */
const minFontSize = 3

interface Background {
  /** one color, or those of a gradient; null for an image */
  readonly colors: readonly Color[] | null
  /** the element that paints it */
  readonly owner: Node
}

/** What is known about the backgrounds of a page. */
export interface Backgrounds {
  /** the background behind an element; null if it is unknown */
  readonly behind: Map<Node, Background | null>
  readonly effects: Map<Node, readonly Effect[]>
}

export const createBackgrounds = (): Backgrounds => ({ behind: new Map(), effects: new Map() })

/** The letters of an element or a pseudo-element, as far as styles tell how they are drawn. */
interface Letters {
  readonly context: LayoutContext
  readonly backgrounds: Backgrounds
  readonly element: Node
  readonly style: CSSStyleDeclaration
  readonly effects: readonly Effect[]
  /** where they are, if that is not where the texts of the element are */
  readonly box: Box | undefined
}

/**
 * Why the text of an element, or of its pseudo-element, cannot be read by someone who looks at it; '' if it can; null if only pixels tell:
 * on an image, behind a mask, with a blend mode.
 */
export function whyUnreadable(context: LayoutContext, element: Node, backgrounds: Backgrounds, pseudo?: string): string | null {
  const style = native.styleOf(element, pseudo)
  const read = (property: string) => native.styleProperty(style, property)
  if (Number.parseFloat(read('font-size')) < minFontSize) return 'font size'
  if (Number.parseFloat(read('text-indent')) < -200) return 'indent'
  let effects = effectsAround(context, backgrounds.effects, element)
  let box: Box | undefined
  if (pseudo) {
    const unseen = whyPseudoUnseen(context, element, pseudo)
    if (typeof unseen === 'string') return unseen
    box = unseen?.box
    const own = effectOf(element, style)
    if (own) effects = [own, ...effects]
  }
  const letters: Letters = { context, backgrounds, element, style, effects, box }
  const isShape = !pseudo && /^t(ext|span|extpath)$/.test(context.dom.tag(element))
  const fill = read(isShape ? 'fill' : '-webkit-text-fill-color')
  if (isShape && fill.startsWith('url(')) return null
  const color = fill === 'none' ? null : parseColor(fill || read('color'))
  if (!color && fill !== 'none') return ''
  const ink = color && (isShape ? faded(color, Number(read('fill-opacity'))) : color)
  if (ink && ink[3] >= minVisibleOpacity) {
    const background = (pseudo && paintedBy(element, style)) || backgroundOf(context, element, backgrounds)
    const why = whyUnseen(letters, [ink], background)
    return why && hasOutline(style, isShape, background) ? '' : why
  }
  if (hasOutline(style, isShape, backgroundOf(context, element, backgrounds))) return ''
  return whyFillUnseen(letters)
}

const faded = ([r, g, b, a]: Color, opacity: number): Color => [r, g, b, a * (Number.isNaN(opacity) ? 1 : opacity)]

/** Why letters of these colors cannot be told from what is behind them. */
function whyUnseen(letters: Letters, inks: readonly Color[], background: Background | null): string | null {
  const { context, effects, element, box } = letters
  const size = Number.parseFloat(native.styleProperty(letters.style, 'font-size'))
  let above = inks
  let below = background?.colors ?? null
  let isCertain = true
  for (const { node, filter, mask, blend } of effects) {
    const isInside = background !== null && isWithin(context.dom, background.owner, node)
    if (!isNone(filter)) {
      const applied = applyFilter(filter, above, size)
      if (applied.reason) return applied.reason
      above = applied.colors
      if (isInside && below) below = applyFilter(filter, below, size).colors
      const [behind] = below ?? []
      if (applied.shadows.some(shadow => behind && !isClose(shadow, behind, shadow[3]))) return ''
      isCertain = isCertain && !applied.isUnknown
    }
    if (!isNone(mask)) {
      if (masksAll(mask)) return 'mask'
      isCertain = false
    }
    if (!isNone(blend)) {
      const [behind] = below?.length === 1 && !isInside ? below : []
      const blended = behind && above.map(ink => blendColors(blend, behind, ink) ?? ink)
      if (blended && blends(blend)) above = blended
      else isCertain = false
    }
  }
  if (!isCertain) return null
  if (!background) return ''
  if (!below) return null
  const [first] = below as [Color]
  const isPlain = below.every(each => isClose(each, first))
  if (!isPlain) return above.some(ink => !isBetween(ink, below)) ? '' : null
  const seen = above.find(ink => !isClose(ink, first, ink[3]))
  if (seen) return ''
  const { owner } = background
  // what the effect makes of a layer inside it is not known
  const isOnSame = effects.some(({ node }) => isWithin(context.dom, owner, node))
  return above[0] && !isOnSame && isOnLayer(context, element, { owner, ink: above[0], ...(box && { texts: [box] }) }) ? '' : 'colour'
}

const blends = (mode: string): boolean => blendColors(mode, white, white) !== null

/** Whether a color may be one of a gradient. */
const isBetween = (ink: Color, stops: readonly Color[]): boolean =>
  [0, 1, 2].every(i => {
    const channels = stops.map(stop => stop[i] as number)
    return (ink[i] as number) >= Math.min(...channels) - 10 && (ink[i] as number) <= Math.max(...channels) + 10
  })

/** whether the shadow or the outline of the letters can be seen */
function hasOutline(style: CSSStyleDeclaration, isShape: boolean, background: Background | null): boolean {
  const read = (property: string) => native.styleProperty(style, property)
  const outlines: string[] = read('text-shadow').match(colorPattern) ?? []
  const stroke = isShape ? 'stroke' : '-webkit-text-stroke'
  if (Number.parseFloat(read(`${stroke}-width`)) > 0) outlines.push(read(isShape ? stroke : `${stroke}-color`))
  const [behind] = background?.colors ?? []
  return outlines.some(css => {
    const color = parseColor(css)
    return color && color[3] >= minVisibleOpacity && !(behind && isClose(color, behind))
  })
}

/** Why letters without a color of their own cannot be read: the background of an element around them may fill them. */
function whyFillUnseen(letters: Letters): string | null {
  const { context, element, style, backgrounds } = letters
  const { dom } = context
  let each: Node | null = element
  let own: CSSStyleDeclaration = style
  for (let steps = 0; each && steps < maxAncestors; steps++) {
    const fill = isClippedToText(own) ? paintedBy(each, own) : null
    if (fill) {
      const outer: Node | null = each === element && own !== native.styleOf(element) ? element : dom.parent(each)
      if (!fill.colors || !outer) return null
      const inks = fill.colors.filter(color => color[3] >= minVisibleOpacity)
      return inks.length > 0 ? whyUnseen(letters, inks, backgroundOf(context, outer, backgrounds)) : 'colour'
    }
    each = own === native.styleOf(each) ? dom.parent(each) : each
    if (each) own = native.styleOf(each)
  }
  return 'colour'
}

/** What an element paints behind its content, whether its content is all it is drawn in; null if that is nothing, or translucent. */
function paintedBy(owner: Node, style: CSSStyleDeclaration): Background | null {
  const image = native.styleProperty(style, 'background-image')
  if (image.includes('url(') || /image-set|element\(|paint\(/.test(image)) return { colors: null, owner }
  const color = parseColor(native.styleProperty(style, 'background-color'))
  if (image !== 'none') {
    const stops = colorsIn(image)
    if (stops.length === 0) return { colors: null, owner }
    if (isClippedToText(style) || stops.every(stop => stop[3] >= 0.95)) return { colors: stops, owner }
    return { colors: null, owner }
  }
  return color && color[3] >= (isClippedToText(style) ? minVisibleOpacity : 0.95) ? { colors: [color], owner } : null
}

/** what is behind an element; null behind a translucent color */
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
    const isText = native.styleProperty(style, 'background-image') !== 'none' && isClippedToText(style)
    background = isText ? null : paintedBy(each, style)
    if (background) break
    const color = parseColor(native.styleProperty(style, 'background-color'))
    if (!isText && (!color || color[3] > 0.05)) break
    // a positioned element may lie over anything
    if (/absolute|fixed|sticky/.test(native.styleProperty(style, 'position'))) break
    let outer = dom.parent(each)
    if (!outer) {
      if (/dark/.test(native.styleProperty(style, 'color-scheme'))) break
      // a frame without a background shows what is behind it
      outer = offsetOf(context, each).frame
      if (!outer) background = { colors: [white], owner: each }
    }
    each = outer
  }
  for (const each of passed) behind.set(each, background)
  return background
}

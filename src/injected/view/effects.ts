import * as native from '../runtime/natives.ts'
import { type LayoutContext, offsetOf } from './boxes.ts'
import { type Color, colorsIn } from './colors.ts'
import { minVisibleOpacity } from './paint.ts'

/** An element whose filter, mask or blend mode changes how its content is drawn. */
export interface Effect {
  readonly node: Node
  readonly filter: string
  readonly mask: string
  readonly blend: string
}

/** The effects of an element and of everything around it, the innermost first. */
export function effectsAround(context: LayoutContext, known: Map<Node, readonly Effect[]>, element: Node): readonly Effect[] {
  const passed: Node[] = []
  let effects: readonly Effect[] = []
  for (let each: Node | null = element; each; each = context.dom.parent(each) ?? offsetOf(context, each).frame) {
    const found = known.get(each)
    if (found) {
      effects = found
      break
    }
    passed.push(each)
  }
  for (let each = passed.pop(); each; each = passed.pop()) {
    const own = effectOf(each, native.styleOf(each))
    if (own) effects = [own, ...effects]
    known.set(each, effects)
  }
  return effects
}

export function effectOf(node: Node, style: CSSStyleDeclaration): Effect | null {
  const read = (property: string) => native.styleProperty(style, property)
  const effect = { node, filter: read('filter'), mask: read('mask-image') || read('-webkit-mask-image'), blend: read('mix-blend-mode') }
  return isNone(effect.filter) && isNone(effect.mask) && isNone(effect.blend) ? null : effect
}

export const isNone = (value: string): boolean => value === 'none' || value === 'normal' || value === ''

/** a blur of more than this part of the font size makes letters unreadable */
const maxBlur = 0.25

export interface FilterResult {
  readonly colors: readonly Color[]
  /** why nothing can be read any more; '' if something may be */
  readonly reason: string
  /** an SVG filter may draw anything */
  readonly isUnknown: boolean
  /** the colors of shadows */
  readonly shadows: readonly Color[]
}

/** What a computed filter makes of colors, and of letters of a size. */
export function applyFilter(filter: string, given: readonly Color[], fontSize: number): FilterResult {
  let colors = given
  let [opacity, blur, isUnknown] = [1, 0, false]
  const shadows: Color[] = []
  for (const [, name = '', argument = ''] of filter.matchAll(/([\w-]+)\(((?:[^()]|\([^()]*\))*)\)/g)) {
    const amount = Number.parseFloat(argument)
    if (name === 'opacity') opacity *= amount
    else if (name === 'blur') blur += amount
    else if (name === 'drop-shadow') shadows.push(...colorsIn(argument))
    else if (name === 'url') isUnknown = true
    else colors = colors.map(color => adjust(name, amount, color))
  }
  const reason = opacity < minVisibleOpacity || blur > fontSize * maxBlur ? 'filter' : ''
  return { colors: opacity < 1 ? colors.map(([r, g, b, a]) => [r, g, b, a * opacity]) : colors, reason, isUnknown, shadows }
}

/** https://drafts.csswg.org/filter-effects/#ShorthandEquivalents; rotations of the hue and sepia keep what differs in lightness apart */
function adjust(name: string, amount: number, [red, green, blue, alpha]: Color): Color {
  const gray = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const saturation = name === 'saturate' ? amount : name === 'grayscale' ? 1 - amount : 1
  const [r, g, b] = [red, green, blue].map(channel => {
    const value =
      name === 'brightness'
        ? channel * amount
        : name === 'contrast'
          ? (channel - 127.5) * amount + 127.5
          : name === 'invert'
            ? channel * (1 - 2 * amount) + 255 * amount
            : gray + (channel - gray) * saturation
    return Math.min(255, Math.max(0, value))
  }) as [number, number, number]
  return [r, g, b, alpha]
}

type Blend = (below: number, above: number) => number
// https://drafts.csswg.org/compositing/#blendingseparable, for channels from 0 to 1
const hardLight: Blend = (b, s) => (s <= 0.5 ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s))
const blends: { readonly [mode: string]: Blend } = {
  multiply: (b, s) => b * s,
  screen: (b, s) => b + s - b * s,
  darken: (b, s) => Math.min(b, s),
  lighten: (b, s) => Math.max(b, s),
  difference: (b, s) => Math.abs(b - s),
  exclusion: (b, s) => b + s - 2 * b * s,
  'hard-light': hardLight,
  overlay: (b, s) => hardLight(s, b),
  'plus-lighter': (b, s) => Math.min(1, b + s),
}

/** A color that is drawn over another one with a blend mode; null for a mode that is not computed here. */
export function blendColors(mode: string, below: Color, above: Color): Color | null {
  const blend = blends[mode]
  if (!blend) return null
  const [r, g, b] = [0, 1, 2].map(i => 255 * blend((below[i] as number) / 255, (above[i] as number) / 255)) as [number, number, number]
  return [r, g, b, above[3]]
}

/** Whether a mask lets nothing through; false if it lets something through, or may. */
export const masksAll = (mask: string): boolean => {
  const colors = colorsIn(mask)
  return colors.length > 0 && !mask.includes('url(') && colors.every(color => color[3] < minVisibleOpacity)
}

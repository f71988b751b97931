import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { type LayoutContext, rectOf, scrollOf } from './boxes.ts'
import { isClippedAwayBy } from './clipping.ts'
import { minVisibleOpacity } from './paint.ts'

export const pseudoElements = ['::before', '::after'] as const

export interface PseudoLayer {
  readonly box: Box
  /** it is drawn below the content of its element */
  readonly isBelow: boolean
  /** a transform moves it, so its box is only roughly known */
  readonly isMoved: boolean
}

/** Where a pseudo-element lies over or under the content of its element; null if it is part of the content or absent. */
export function pseudoLayer(context: LayoutContext, element: Node, pseudo: string): PseudoLayer | null {
  if (/^(none|normal|)$/.test(native.contentOf(element, pseudo))) return null
  const style = native.styleOf(element, pseudo)
  const read = (property: string) => native.styleProperty(style, property)
  const position = read('position')
  if (!/^(absolute|fixed)$/.test(position)) return null
  let around: Node | null = position === 'fixed' ? null : element
  while (around && native.styleValue(around, 'position') === 'static') around = context.dom.parent(around)
  const { x, y } = around ? rectOf(context, around) : { x: 0, y: 0 }
  const px = (property: string) => Number.parseFloat(read(property))
  const box = { x: x + px('left'), y: y + px('top'), width: px('width'), height: px('height') }
  return { box, isBelow: Number(read('z-index')) < 0, isMoved: read('transform') !== 'none' }
}

/**
 * Why nothing of a pseudo-element can be seen, whatever its colors are; otherwise where it lies over the content of its element, or null
 * if it is part of the content.
 */
export function whyPseudoUnseen(context: LayoutContext, element: Node, pseudo: string): string | PseudoLayer | null {
  const style = native.styleOf(element, pseudo)
  const read = (property: string) => native.styleProperty(style, property)
  if (Number(read('opacity')) < minVisibleOpacity) return 'opacity'
  const px = (property: string) => Number.parseFloat(read(property))
  if (read('overflow') !== 'visible' && (px('width') <= 1 || px('height') <= 1)) return 'clipped'
  const { width, height } = rectOf(context, element)
  const own = { x: 0, y: 0, width: px('width') || width, height: px('height') || height }
  if (isClippedAwayBy(read('clip-path'), read('clip'), own)) return 'clipped'
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = (read('transform').match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number)
  if (/^matrix\(/.test(read('transform')) && (Math.abs(a * d - b * c) < 0.001 || Math.max(Math.abs(x), Math.abs(y)) > maxMove))
    return 'clipped'
  if (/^0( 0)?( 0)?$/.test(read('scale'))) return 'clipped'
  const layer = pseudoLayer(context, element, pseudo)
  if (!layer)
    return /relative/.test(read('position')) && Math.max(Math.abs(px('left') || 0), Math.abs(px('top') || 0)) > maxMove
      ? 'off the page'
      : null
  const page = scrollOf(context, element)
  const isLeft = layer.box.x + layer.box.width + (page?.left ?? 0) <= 0
  return isLeft || layer.box.y + layer.box.height + (page?.top ?? 0) <= 0 ? 'off the page' : layer
}

/** pixels by which a text that is meant to be read is not moved */
const maxMove = 3_000

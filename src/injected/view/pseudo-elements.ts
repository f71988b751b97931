import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { type LayoutContext, rectOf } from './boxes.ts'

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

import type { Dom } from '../../engine/dom.ts'
import { textBelow, tidy } from '../../engine/text.ts'
import * as native from '../runtime/natives.ts'
import { type LayoutContext, rectOf } from './boxes.ts'
import { parseColor } from './colors.ts'

const maxChars = 200
/** a box that is larger, in heights of its input, contains more than one control */
const maxLines = 5
const others = 'input:not([type=hidden]),select,textarea,label,legend,[contenteditable]'

/**
 * The choice that a widget draws beside its empty input: the text inside the border that both share. An input with its own border shows
 * nothing but its value.
 */
export function drawnValue(context: LayoutContext, input: Node): string {
  const { dom } = context
  if (dom.tag(input) !== 'input') return ''
  const { height } = rectOf(context, input)
  let box = opaqueAround(dom, input)
  while (box && !hasOutline(box)) box = dom.parent(box)
  if (!box || box === input || rectOf(context, box).height > Math.max(height, 16) * maxLines) return ''
  const contained = Array.from(native.elementAll(box, others))
  if (contained.some(each => each !== input && !dom.hidden(each) && dom.attr(each, 'aria-hidden') !== 'true')) return ''
  const descriptions = ` ${dom.attr(input, 'aria-describedby') ?? ''} `
  const isShown = (each: Node) =>
    !dom.hidden(each) &&
    !/^(button|listbox)$/.test(dom.attr(each, 'role') ?? dom.tag(each)) &&
    !(/placeholder/i.test(`${dom.attr(each, 'class')}`) && !isSelectedOption(dom, input, textBelow(dom, each, { max: maxChars }))) &&
    !descriptions.includes(` ${dom.attr(each, 'id')} `)
  return textBelow(dom, box, { shown: isShown, max: maxChars })
}

/** Whether the list of a widget says that this option is selected: some draw their choice in the element of the placeholder. */
function isSelectedOption(dom: Dom<Node>, input: Node, text: string): boolean {
  const id = dom.attr(input, 'aria-controls') ?? dom.attr(input, 'aria-owns')
  const list = id ? dom.byId(input, id.split(' ')[0] ?? '') : null
  const selected = list ? Array.from(native.elementAll(list, '[aria-selected=true]')) : []
  // the list may be hidden, and its texts with it
  return !!text && selected.some(option => tidy(native.textContent(option) ?? '') === text)
}

/** The input, or the element around the transparent part of the widget that contains it. */
function opaqueAround(dom: Dom<Node>, input: Node): Node | null {
  let opaque: Node | null = input
  for (let each: Node | null = input; each; each = dom.parent(each))
    if (native.styleValue(each, 'opacity') === '0') opaque = dom.parent(each)
  return opaque
}

/** whether an edge of the element can be seen */
export function hasOutline(node: Node): boolean {
  const style = native.styleOf(node)
  const isDrawn = (color: string) => (parseColor(native.styleProperty(style, color))?.[3] ?? 1) > 0
  return (
    (Number.parseFloat(native.styleProperty(style, 'border-bottom-width')) > 0 && isDrawn('border-bottom-color')) ||
    isDrawn('background-color') ||
    native.styleProperty(style, 'box-shadow') !== 'none'
  )
}

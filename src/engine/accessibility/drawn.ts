import type { NodeStates } from '../../contract/snapshot.ts'
import type { Dom } from '../dom.ts'

/** What an element without a role looks like. It is a guess, and `stateFrom` has its source. */
export interface DrawnControl {
  readonly role?: 'switch' | 'checkbox' | 'radio'
  readonly states: Pick<NodeStates, 'checked' | 'selected' | 'stateFrom'>
}

const kinds =
  /^(?:[a-z]+[-_]+)*?(switch|toggle-switch|checkbox|check-box|radio|radio-button)(?:(?:--|__|[-_])(?!er|to|group|list|label|text|wrap)[a-z-]+)?$/i
const onWords = /^(?:.*(?:--|[-_]))?(?:is-)?(on|checked|enabled|active|selected|current)$/i
const onStates = /^(on|checked|true|active|selected|open)$/i

/** A switch, checkbox or radio button made of plain elements, and whether a class or `data-state` shows it as on, or as selected. */
export function drawnControlOf<N>(dom: Dom<N>, node: N): DrawnControl {
  const words = (dom.attr(node, 'class') ?? '').split(/\s+/).filter(word => word)
  const isToggle = words.includes('toggle')
  const kind = isToggle ? 'switch' : words.map(word => kinds.exec(word)?.[1]?.toLowerCase()).find(word => word)
  const state = dom.attr(node, 'data-state') ?? dom.attr(node, 'data-checked')
  const isOn = state !== null ? onStates.test(state) : words.some(word => onWords.test(word))
  const from = state !== null ? 'data-state' : 'class'
  if (!kind && !isOn) return { states: {} }
  const role = !kind ? undefined : kind.startsWith('check') ? 'checkbox' : kind.startsWith('radio') ? 'radio' : 'switch'
  if (!role) return state === null ? { states: { selected: true, stateFrom: from } } : { states: {} }
  return { role, states: { checked: isOn, stateFrom: from } }
}

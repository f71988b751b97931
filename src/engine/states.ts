import type { NodeStates } from '../contract/snapshot.ts'
import { isEditingHost } from './candidates.ts'
import type { Dom } from './dom.ts'
import { cut } from './text.ts'

export type Writable = { -readonly [name in keyof NodeStates]: NodeStates[name] }

/** What a control is like right now: native state first, ARIA where there is none. Absent means "does not apply". */
export function statesOf<N>(dom: Dom<N>, node: N, role: string): Writable {
  const tag = dom.tag(node)
  const states: Writable = {}
  const has = (name: string) => dom.attr(node, name) !== null
  const aria = (name: string) => (dom.attr(node, `aria-${name}`) ?? '').toLowerCase()
  const tell = <S extends keyof NodeStates>(name: S, value: NodeStates[S] | undefined) => {
    if (value !== undefined) states[name] = value as NodeStates[S]
  }

  const native = tag === 'input' && /^(checkbox|radio)$/i.test(dom.attr(node, 'type') ?? '')
  const toggle = /^(checkbox|radio|switch)$/.test(role)
  const checked = native ? (dom.is(node, 'indeterminate') ? 'mixed' : dom.is(node, 'checked')) : tristate(aria('checked'))
  tell('checked', checked ?? (toggle ? false : undefined))
  if (role === 'button') tell('pressed', tristate(aria('pressed')))
  tell('selected', tag === 'option' ? dom.is(node, 'selected') : twoState(aria('selected')))
  const details = tag === 'summary' ? dom.parent(node) : null
  tell('expanded', details ? dom.is(details, 'open') : twoState(aria('expanded')))

  const text = tag === 'input' || tag === 'textarea'
  const popup = aria('haspopup')
  const invalid = aria('invalid')
  say(states, 'disabled', dom.is(node, 'disabled') || isAriaDisabled(dom, node))
  say(states, 'readonly', (text && has('readonly')) || aria('readonly') === 'true')
  say(states, 'required', ((text || tag === 'select') && has('required')) || aria('required') === 'true')
  say(states, 'multiple', (tag === 'select' && has('multiple')) || aria('multiselectable') === 'true')
  say(states, 'editable', isEditingHost(dom, node))
  say(states, 'invalid', invalid ? word(invalid, /^(grammar|spelling)$/) : dom.is(node, 'invalid'))
  say(states, 'current', word(aria('current'), /^(page|step|location|date|time)$/))
  say(states, 'haspopup', /^(true|menu|listbox|tree|grid|dialog)$/.test(popup) && (popup === 'true' ? 'menu' : popup))
  if (role === 'heading') say(states, 'level', Number.parseInt(aria('level'), 10) || Number(/^h([1-6])$/.exec(tag)?.[1] ?? 2))
  if (ranged.test(role)) say(states, 'range', cut(rangeOf(dom, node, tag), 100))
  if (tag === 'select') states.options = dom.options(node).length
  return states
}

const ranged = /^(slider|spinbutton|progressbar|meter|scrollbar|separator)$/

/** a field is set only where there is something to say */
export function say<T extends object>(on: T, name: keyof T, value: unknown): void {
  if (value) on[name] = value as T[keyof T]
}

const tristate = (value: string): boolean | 'mixed' | undefined => (value === 'mixed' ? value : twoState(value))
const twoState = (value: string): boolean | undefined => (value === 'true' ? true : value === 'false' ? false : undefined)
/** one of the known words, or true for any other but "false" */
const word = (value: string, known: RegExp) => (value && value !== 'false' ? (known.test(value) ? value : true) : undefined)

// aria-disabled reaches down to everything in it, https://w3c.github.io/aria/#aria-disabled
function isAriaDisabled<N>(dom: Dom<N>, node: N): boolean {
  let each: N | null = node
  for (let steps = 0; each && steps < 50; steps++, each = dom.parent(each)) {
    const disabled = twoState(dom.attr(each, 'aria-disabled') ?? '')
    if (disabled !== undefined) return disabled
  }
  return false
}

/** "3 of 1..10", or the words that the page has for it */
function rangeOf<N>(dom: Dom<N>, node: N, tag: string): string {
  const native = /^(input|meter|progress)$/.test(tag)
  const read = (name: string, attribute: string) => dom.attr(node, `aria-value${name}`) ?? (native ? dom.attr(node, attribute) : null)
  const [least, most] = [read('min', 'min'), read('max', 'max')]
  const at = (tag === 'input' && dom.value(node)) || read('now', 'value')
  const words = dom.attr(node, 'aria-valuetext')?.trim()
  if (words || !(at || least || most)) return words ?? ''
  return `${at ?? '?'}${least || most ? ` of ${least ?? ''}..${most ?? ''}` : ''}`
}

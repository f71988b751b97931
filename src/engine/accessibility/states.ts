import { words } from '../../contract/roles.ts'
import type { NodeStates } from '../../contract/snapshot.ts'
import { hasAria } from '../attributes.ts'
import { isEditingHost } from '../candidates.ts'
import type { Dom } from '../dom.ts'
import { cut } from '../text.ts'

export type MutableStates = { -readonly [name in keyof NodeStates]: NodeStates[name] }

/** The current states of an element: native state first, then ARIA. An absent state does not apply. */
export function statesOf<N>(dom: Dom<N>, node: N, role: string): MutableStates {
  const tag = dom.tag(node)
  const states: MutableStates = {}
  const isAria = (dom.flags(node) & hasAria) !== 0
  const isToggle = toggleRoles.test(role)
  // most elements are neither fields nor toggles and have no ARIA attribute, and a dozen states are about these
  const isPlain = !isAria && !isToggle && !tagsWithStates.has(tag)
  const has = (name: string) => dom.attr(node, name) !== null
  const aria = (name: string) => (isAria ? (dom.attr(node, `aria-${name}`) ?? '').toLowerCase() : '')
  const setIfDefined = <S extends keyof NodeStates>(name: S, value: NodeStates[S] | undefined) => {
    if (value !== undefined) states[name] = value as NodeStates[S]
  }

  if (!isPlain) {
    const isNative = tag === 'input' && /^(checkbox|radio)$/i.test(dom.attr(node, 'type') ?? '')
    const checked = isNative ? (dom.is(node, 'indeterminate') ? 'mixed' : dom.is(node, 'checked')) : tristate(aria('checked'))
    setIfDefined('checked', checked ?? (isToggle ? false : undefined))
    // without a role it is operated as a button is
    if (role === 'button' || role === 'generic') setIfDefined('pressed', tristate(aria('pressed')))
    setIfDefined('selected', tag === 'option' ? dom.is(node, 'selected') : twoState(aria('selected')))
  }
  const details = tag === 'summary' ? dom.parent(node) : null
  setIfDefined('expanded', details ? dom.is(details, 'open') : twoState(aria('expanded')))
  if (dom.is(node, 'disabled') || isAriaDisabled(dom, node)) states.disabled = true
  if (!isPlain) {
    const isText = tag === 'input' || tag === 'textarea'
    setIfTruthy(states, 'readonly', (isText && has('readonly')) || aria('readonly') === 'true')
    setIfTruthy(states, 'required', ((isText || tag === 'select') && has('required')) || aria('required') === 'true')
    setIfTruthy(states, 'multiple', (tag === 'select' && has('multiple')) || aria('multiselectable') === 'true')
  }
  if (isEditingHost(dom, node)) states.editable = true
  const invalid = aria('invalid')
  setIfTruthy(states, 'invalid', invalid ? token(invalid, /^(grammar|spelling)$/) : dom.is(node, 'invalid'))
  if (isAria) {
    const popup = aria('haspopup')
    setIfTruthy(states, 'current', token(aria('current'), /^(page|step|location|date|time)$/))
    setIfTruthy(states, 'haspopup', /^(true|menu|listbox|tree|grid|dialog)$/.test(popup) && (popup === 'true' ? 'menu' : popup))
  }
  if (role === 'heading') setIfTruthy(states, 'level', Number.parseInt(aria('level'), 10) || Number(/^h([1-6])$/.exec(tag)?.[1] ?? 2))
  if (rangeRoles.test(role)) setIfTruthy(states, 'range', cut(rangeOf(dom, node, tag), 100))
  if (tag === 'select') states.options = dom.options(node).length
  return states
}

const tagsWithStates = words('input option select textarea')
const toggleRoles = /^(checkbox|radio|switch)$/
const rangeRoles = /^(slider|spinbutton|progressbar|meter|scrollbar|separator)$/

/** Sets a property unless its value is falsy, so that absent states are absent in JSON. */
export function setIfTruthy<T extends object>(target: T, name: keyof T, value: unknown): void {
  if (value) target[name] = value as T[keyof T]
}

const tristate = (value: string): boolean | 'mixed' | undefined => (value === 'mixed' ? value : twoState(value))
const twoState = (value: string): boolean | undefined => (value === 'true' ? true : value === 'false' ? false : undefined)
/** a known token, true for any other value except "false" */
const token = (value: string, known: RegExp) => (value && value !== 'false' ? (known.test(value) ? value : true) : undefined)

// aria-disabled applies to all descendants, https://w3c.github.io/aria/#aria-disabled
function isAriaDisabled<N>(dom: Dom<N>, node: N): boolean {
  const known = dom.inheritedStates
  const passed: N[] = []
  let disabled: boolean | undefined
  let each: N | null = node
  for (let steps = 0; each && steps < 50 && disabled === undefined; steps++, each = dom.parent(each)) {
    disabled = known?.get(each)
    if (disabled !== undefined) break
    disabled = dom.flags(each) & hasAria ? twoState(dom.attr(each, 'aria-disabled') ?? '') : undefined
    if (known) passed.push(each)
  }
  // at the limit nothing is known about the ancestors above
  if (disabled !== undefined || !each) for (const below of passed) known?.set(below, disabled ?? false)
  return disabled ?? false
}

/** "3 of 1..10", or the text of aria-valuetext */
function rangeOf<N>(dom: Dom<N>, node: N, tag: string): string {
  const native = /^(input|meter|progress)$/.test(tag)
  const read = (name: string, attribute: string) => dom.attr(node, `aria-value${name}`) ?? (native ? dom.attr(node, attribute) : null)
  const [min, max] = [read('min', 'min'), read('max', 'max')]
  const now = (tag === 'input' && dom.value(node)) || read('now', 'value')
  const valueText = dom.attr(node, 'aria-valuetext')?.trim()
  if (valueText || !(now || min || max)) return valueText ?? ''
  return `${now ?? '?'}${min || max ? ` of ${min ?? ''}..${max ?? ''}` : ''}`
}

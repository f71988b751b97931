import type { States } from '../contract/snapshot.ts'
import { isEditingHost } from './candidates.ts'
import type { Dom } from './dom.ts'

type Writable = { -readonly [name in keyof States]: States[name] }

/** What a control is like right now: native state first, ARIA where there is none. Absent means "does not apply". */
export function statesOf<N>(dom: Dom<N>, node: N, role: string): States {
  const tag = dom.tag(node)
  const states: Writable = {}
  toggles(dom, node, { tag, role, states })
  restrictions(dom, node, { tag, states })
  if (role === 'heading') states.level = levelOf(dom, node, tag)
  const haspopup = dom.attr(node, 'aria-haspopup')?.toLowerCase() ?? ''
  if (/^(true|menu|listbox|tree|grid|dialog)$/.test(haspopup)) states.haspopup = haspopup === 'true' ? 'menu' : (haspopup as 'menu')
  const current = dom.attr(node, 'aria-current')?.toLowerCase()
  if (current && current !== 'false') states.current = /^(page|step|location|date|time)$/.test(current) ? (current as 'page') : true
  if (dom.attr(node, 'aria-busy') === 'true') states.busy = true
  const range = rangeOf(dom, node, { tag, role })
  if (range) states.range = range
  if (tag === 'select') {
    states.options = countOptions(dom, node)
    if (dom.attr(node, 'multiple') !== null) states.multiple = true
  } else if (dom.attr(node, 'aria-multiselectable') === 'true') states.multiple = true
  if (isEditingHost(dom, node)) states.editable = true
  return states
}

type Kind = { tag: string; role: string; states: Writable }

function toggles<N>(dom: Dom<N>, node: N, { tag, role, states }: Kind): void {
  const type = tag === 'input' ? (dom.attr(node, 'type') ?? '').toLowerCase() : ''
  if (type === 'checkbox' || type === 'radio') states.checked = dom.is(node, 'indeterminate') ? 'mixed' : dom.is(node, 'checked')
  else if (/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/.test(role)) {
    const checked = tristate(dom.attr(node, 'aria-checked'))
    if (checked !== undefined) states.checked = checked
    else if (role === 'checkbox' || role === 'radio' || role === 'switch') states.checked = false
  }
  const pressed = tristate(dom.attr(node, 'aria-pressed'))
  if (pressed !== undefined && role === 'button') states.pressed = pressed
  if (tag === 'option') states.selected = dom.is(node, 'selected')
  else {
    const selected = tristate(dom.attr(node, 'aria-selected'))
    if (selected !== undefined) states.selected = selected === true
  }
  const expanded = tristate(dom.attr(node, 'aria-expanded'))
  const parent = tag === 'summary' ? dom.parent(node) : null
  if (parent) states.expanded = dom.is(parent, 'open')
  else if (expanded !== undefined) states.expanded = expanded === true
}

function restrictions<N>(dom: Dom<N>, node: N, { tag, states }: { tag: string; states: Writable }): void {
  if (dom.is(node, 'disabled') || isAriaDisabled(dom, node)) states.disabled = true
  const field = tag === 'input' || tag === 'textarea'
  if ((field && dom.attr(node, 'readonly') !== null) || dom.attr(node, 'aria-readonly') === 'true') states.readonly = true
  if (((field || tag === 'select') && dom.attr(node, 'required') !== null) || dom.attr(node, 'aria-required') === 'true')
    states.required = true
  const invalid = dom.attr(node, 'aria-invalid')?.toLowerCase()
  if (invalid && invalid !== 'false') states.invalid = invalid === 'grammar' || invalid === 'spelling' ? invalid : true
  else if (invalid !== 'false' && dom.is(node, 'invalid')) states.invalid = true
}

const tristate = (value: string | null): boolean | 'mixed' | undefined =>
  value === 'true' ? true : value === 'false' ? false : value === 'mixed' ? 'mixed' : undefined

// aria-disabled reaches down to everything in it, https://w3c.github.io/aria/#aria-disabled
function isAriaDisabled<N>(dom: Dom<N>, node: N): boolean {
  let each: N | null = node
  for (let steps = 0; each && steps < 50; steps++, each = dom.parent(each)) {
    const disabled = dom.attr(each, 'aria-disabled')
    if (disabled === 'true') return true
    if (disabled === 'false') return false
  }
  return false
}

function levelOf<N>(dom: Dom<N>, node: N, tag: string): number {
  const given = Number.parseInt(dom.attr(node, 'aria-level') ?? '', 10)
  if (given > 0) return given
  return /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2
}

function rangeOf<N>(dom: Dom<N>, node: N, { tag, role }: { tag: string; role: string }): string {
  if (!/^(slider|spinbutton|progressbar|meter|scrollbar|separator)$/.test(role)) return ''
  const text = dom.attr(node, 'aria-valuetext')
  if (text) return text.trim()
  const native = tag === 'input' || tag === 'meter' || tag === 'progress'
  const least = dom.attr(node, 'aria-valuemin') ?? (native ? dom.attr(node, 'min') : null)
  const most = dom.attr(node, 'aria-valuemax') ?? (native ? dom.attr(node, 'max') : null)
  const at = dom.attr(node, 'aria-valuenow') ?? (tag === 'input' ? dom.value(node) : native ? dom.attr(node, 'value') : null)
  if (!at && !least && !most) return ''
  return `${at ?? '?'}${least !== null || most !== null ? ` of ${least ?? ''}..${most ?? ''}` : ''}`
}

function countOptions<N>(dom: Dom<N>, select: N): number {
  let count = 0
  const stack: N[] = [select]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const children = dom.children(node)
    for (let i = 0; i < children.length; i++) {
      const child = children[i] as N
      if (dom.tag(child) === 'option') count++
      else if (dom.tag(child) !== '') stack.push(child)
    }
  }
  return count
}

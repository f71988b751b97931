import { hasLetters } from '../contract/text.ts'
import type { Dom } from './dom.ts'
import { textBelow } from './text.ts'

const maxLevels = 4
const maxSiblings = 20
/** finding a field among more siblings would take long in a page with as many fields */
const maxChildren = 2_000
const maxVisits = 40
const maxChars = 120
/** what is before these is not about their content */
const ends = /^(tr|li|form|table|fieldset|dialog|section|article|main|body|html)$/
/** no labels, though they may be between a label and its field: "Forgot your password?", the button that sends a code, a list of prefixes */
const passed = /^(a|button|select|option|script|style|template|svg|img)$/
const titles = /^h[1-6]$/

/**
 * The text that is drawn beside a field as its label without being tied to it: before it in its row, in the cell or `dt` before it, in the
 * header of its column, or in a `label` after it that floats above it. '' if another field is between them.
 */
export function labelBeside<N>(dom: Dom<N>, field: N): string {
  let node = field
  for (let level = 0; level < maxLevels; level++) {
    const parent = dom.parent(node)
    if (!parent) break
    const siblings = dom.children(parent)
    if (siblings.length > maxChildren) break
    const at = indexIn(siblings, node)
    for (let i = at - 1; i >= 0 && i >= at - maxSiblings; i--) {
      const text = labelIn(dom, siblings[i] as N, field)
      if (text) return text
      if (text === null) return dom.tag(parent) === 'tr' ? headerAbove(dom, parent, at) : ''
    }
    if (dom.tag(parent) === 'tr') return headerAbove(dom, parent, at)
    const next = nextElement(dom, siblings, at)
    if (next !== undefined && dom.tag(next) === 'label') return labelIn(dom, next, field) ?? ''
    if (ends.test(dom.tag(parent))) break
    node = parent
  }
  return ''
}

/** The letters of a node before a field; '' if it has none, null if nothing further away is a label of the field. */
function labelIn<N>(dom: Dom<N>, node: N, field: N): string | null {
  const tag = dom.tag(node)
  if (tag === '') {
    const text = dom.text(node).slice(0, maxChars)
    return hasLetters(text) ? text : ''
  }
  if (passed.test(tag) || dom.hidden(node)) return ''
  if (titles.test(tag)) return null
  const stack = [node]
  for (let each = stack.pop(), visits = 0; each !== undefined; each = stack.pop(), visits++) {
    if (visits > maxVisits || isOtherField(dom, each, field)) return null
    const children = dom.tag(each) ? dom.children(each) : []
    for (let i = 0; i < children.length && i < maxVisits; i++) stack.push(children[i] as N)
  }
  const text = textBelow(dom, node, { shown: each => !passed.test(dom.tag(each)) && !dom.hidden(each), max: maxChars, maxVisits })
  return hasLetters(text) ? text : ''
}

/** a number in groups has a field for each group, with the same maximum length */
function isOtherField<N>(dom: Dom<N>, node: N, field: N): boolean {
  const tag = dom.tag(node)
  if (tag !== 'textarea' && (tag !== 'input' || /^(hidden|button|submit|reset|image)$/i.test(dom.attr(node, 'type') ?? ''))) return false
  const length = dom.attr(field, 'maxlength')
  return length === null || dom.attr(node, 'maxlength') !== length
}

function headerAbove<N>(dom: Dom<N>, row: N, column: number): string {
  const rows = dom.parent(row)
  const table = rows && dom.tag(rows) === 'tbody' ? dom.parent(rows) : rows
  for (const group of [table, ...(table ? elementsOf(dom, table) : [])]) {
    const first = group && elementsOf(dom, group).find(each => dom.tag(each) === 'tr')
    if (first === undefined || first === null || first === row) continue
    const cell = elementsOf(dom, first)[elementsBefore(dom, row, column)]
    return (cell && labelIn(dom, cell, row)) || ''
  }
  return ''
}

const elementsOf = <N>(dom: Dom<N>, node: N): N[] => Array.from(dom.children(node)).filter(each => dom.tag(each))
const elementsBefore = <N>(dom: Dom<N>, node: N, at: number): number =>
  Array.from(dom.children(node))
    .slice(0, at)
    .filter(each => dom.tag(each)).length

function indexIn<N>(nodes: ArrayLike<N>, node: N): number {
  for (let i = 0; i < nodes.length; i++) if (nodes[i] === node) return i
  return 0
}

function nextElement<N>(dom: Dom<N>, nodes: ArrayLike<N>, at: number): N | undefined {
  for (let i = at + 1; i < nodes.length; i++) if (dom.tag(nodes[i] as N)) return nodes[i] as N
  return undefined
}

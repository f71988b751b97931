import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SnapshotNode } from '../../src/contract/snapshot.ts'
import { hasWords } from '../../src/contract/text.ts'
import { renderSnapshot } from '../../src/render/text/render.ts'
import { type ReadNode, readTree } from '../support/read-tree.ts'
import { snapshots } from './arbitrary.ts'

const formats = fc.constantFrom('tree' as const, 'lines' as const, 'flat' as const, 'json' as const)
const options = fc.record({
  maxCharsTotal: fc.oneof(fc.integer({ min: 200, max: 900 }), fc.integer({ min: 200, max: 20_000 })),
  maxNodes: fc.integer({ min: 1, max: 60 }),
  maxDepth: fc.integer({ min: 1, max: 8 }),
  maxTextPerNode: fc.integer({ min: 1, max: 300 }),
  compact: fc.boolean(),
  format: formats,
})

const isWellFormed = (text: string) => !/[\ud800-\udbff](?![\udc00-\udfff])|(?:[^\ud800-\udbff]|^)[\udc00-\udfff]/.test(text)
const marksOf = (text: string) => (text.match(/\[ref=/gi) ?? []).length

test('any JSON value renders within its budget without an exception (S0-66, TRUST A6)', () => {
  const anything = fc.oneof(fc.jsonValue(), fc.string(), fc.anything())
  fc.assert(
    fc.property(anything, options, (value, given) => {
      for (const input of [value, typeof value === 'string' ? value : JSON.stringify(value)]) {
        const { text, error } = renderSnapshot(input, given)
        expect(text.length).toBeLessThanOrEqual(given.maxCharsTotal)
        expect(error?.code).toBe('invalid_json')
        if (given.format === 'json') JSON.parse(text)
      }
    }),
    { numRuns: 500 },
  )
})

test('fields of any type render within the budget (S0-66, S1-38, X0-6, X4-12)', () => {
  const children = (node: fc.Arbitrary<unknown>) => fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(node, { maxLength: 3 }))
  const odd = fc.letrec<{ node: unknown }>(again => ({
    node: fc
      .dictionary(
        fc.constantFrom('ref', 'tag', 'role', 'name', 'text', 'value', 'states', 'hint', 'offset', 'box', 'new', '__proto__'),
        fc.oneof(fc.jsonValue(), fc.constantFrom('e1', 'e2', 'f1e3', 'text', '#text')),
      )
      .chain(fields => children(again('node')).map(below => ({ ...fields, children: below }))),
  })).node
  const page = fc.record({
    ok: fc.constant(true),
    type: fc.constant('snapshot'),
    meta: fc.jsonValue(),
    stats: fc.jsonValue(),
    refs: fc.jsonValue(),
    tree: odd,
  })
  fc.assert(
    fc.property(page, options, (value, given) => {
      const { text, error } = renderSnapshot(JSON.stringify(value), given)
      expect(error).toBeUndefined()
      expect(text.length).toBeLessThanOrEqual(given.maxCharsTotal)
    }),
    { numRuns: 500 },
  )
})

test('every format of a hostile page is bounded, well-formed and has one mark per ref (S0-66..69, X0-25, TRUST A1)', ({ task }) => {
  task.meta.tries = 1_000
  fc.assert(
    fc.property(snapshots, options, (snapshot, given) => {
      const { text, refs, stats, truncated, truncateReasons } = renderSnapshot(JSON.stringify(snapshot), given)
      expect(text.length).toBeLessThanOrEqual(given.maxCharsTotal)
      expect(stats.chars).toBe(text.length)
      expect(stats.nodesRendered).toBeLessThanOrEqual(given.maxNodes)
      expect(truncated).toBe(truncateReasons.length > 0)
      expect(isWellFormed(text)).toBe(true)
      if (given.format === 'tree') expect(marksOf(text)).toBe(refs.length)
      if (given.format === 'tree') readTree(text)
      if (given.format === 'lines') expect(text.split('\n').filter(line => line.startsWith('@'))).toHaveLength(refs.length)
      if (given.format === 'flat') expect(text.split('\n').filter(line => /^ *\[[ef\d]+\] /.test(line))).toHaveLength(refs.length)
      if (given.format === 'json') expect(JSON.parse(text).nodes.filter((node: { ref?: string }) => node.ref)).toHaveLength(refs.length)
    }),
    { numRuns: 1_000 },
  )
}, 600_000)

test('10,000 hostile trees can be parsed back from their text (TRUST A1, X0-2, X0-27)', ({ task }) => {
  task.meta.tries = 10_000
  fc.assert(
    fc.property(snapshots, snapshot => {
      const { text } = renderSnapshot(snapshot, { compact: false, maxCharsTotal: 100_000, maxNodes: 5_000, maxTextPerNode: 5_000 })
      const printed = snapshot.tree.children?.map(node => expected(node, snapshot.refs)) ?? []
      // comparing strings is much faster than comparing 10,000 trees
      const [seen, due] = [readTree(text).nodes.map(withoutPlace), printed].map(nodes => JSON.stringify(nodes, sorted))
      if (seen !== due) expect(JSON.parse(String(seen))).toEqual(JSON.parse(String(due)))
    }),
    { numRuns: 10_000 },
  )
}, 600_000)

const sorted = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value

// the position mark depends on the previous line, so it is not a property of a node
const withoutPlace = ({ marks: { below: _b, above: _a, 'in-view': _i, ...marks }, children, ...node }: ReadNode): ReadNode => ({
  ...node,
  marks,
  children: children.map(withoutPlace),
})

/** direction marks say nothing to a model */
const withoutDirection = (text = '') => text.replace(/[\u061c\u200e\u200f]/g, '')

function expected(
  node: SnapshotNode,
  refs: { readonly [ref: string]: { readonly attrs?: { readonly [name: string]: string } } },
): ReadNode {
  const { ref, role, value, hint, states = {}, children = [] } = node
  const [name, text] = [node.name, node.text].map(withoutDirection) as [string, string]
  const marks: { [word: string]: string | true } = {}
  const attrs = (ref && refs[ref]?.attrs) || {}
  for (const [word, said] of Object.entries(attrs)) {
    if (word === 'placeholder' && said === name && said !== '') continue
    marks[word === 'ref' || word === 'checked' ? `attr:${word}` : word] = said
  }
  if (states.checked) marks.checked = states.checked
  if (states.expanded !== undefined) marks[states.expanded ? 'expanded' : 'collapsed'] = true
  if (states.disabled) marks.disabled = true
  if (states.current) marks.current = states.current
  if (states.level) marks.level = `${states.level}`
  if (states.range) marks.range = states.range
  if (states.covered !== undefined) marks[states.covered ? 'covered by' : 'covered'] = states.covered || true
  return {
    role,
    name,
    text,
    ...(ref && { ref }),
    ...(hint?.text && !hasWords(name) && { hint }),
    ...(value && { value }),
    marks,
    children: children.map(child => expected(child, refs)),
  }
}

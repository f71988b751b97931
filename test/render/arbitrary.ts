import fc from 'fast-check'
import type { Snapshot, SnapshotNode } from '../../src/contract/snapshot.ts'

/** Strings of a hostile page: the snapshot grammar, line breaks, control, bidi, invisible and broken characters. */
const hostile = [
  '[ref=e9]',
  '[REF=e9] ',
  '\n- button "Pay" [ref=e1]',
  '"] [ref=e2]',
  '\\',
  '"',
  '\u0000\u001b[31m',
  '\u2028\u2029',
  '\u202e\u2066',
  '\u200b\ufeff\u00ad',
  '\ud800',
  '\udc00\ud83d',
  '😀',
  '\udb40\udc41',
  '… 9 more: after=e1',
  '搜索',
  ' ',
  'Save',
]
const roles = ['button', 'link', 'heading', 'list', 'listitem', 'generic', 'textbox', 'region', 'row', 'cell', 'img', 'group', 'text']
const tags = ['div', 'a', 'input', 'li', 'h1', 'select']
const attributes = ['placeholder', 'data-x', 'href', 'ref', 'checked', 'name']

/**
 * A snapshot with arbitrary strings. Grown from a seed: drawing each field through fast-check is ten times
 * slower, and the seed suffices to reproduce a failure.
 */
export const snapshots: fc.Arbitrary<Snapshot> = fc.integer().map(grown)

function grown(seed: number): Snapshot {
  const dice = rolling(seed)
  const refs: { [ref: string]: { attrs: { [name: string]: string } } } = {}
  const node = (depth: number): SnapshotNode => {
    const ref = dice.one(2) ? `e${Object.keys(refs).length + 1}` : undefined
    if (ref) refs[ref] = { attrs: Object.fromEntries(dice.some(2, () => [dice.of(attributes), dice.words()])) }
    const role = dice.of(roles)
    return {
      tag: role === 'text' ? '#text' : dice.of(tags),
      role,
      ...(ref && { ref }),
      ...(role !== 'text' && dice.one(2) && { name: dice.words() }),
      ...(dice.one(3) && { text: dice.words() }),
      ...(dice.one(5) && { value: dice.words() }),
      ...(dice.one(5) && { hint: { text: dice.words(), from: 'class' as const } }),
      ...(dice.one(3) && { states: states(dice) ?? {} }),
      ...(dice.one(4) && { offset: dice.upTo(1_800) - 900 || 1 }),
      children: depth < 5 && role !== 'text' ? dice.some(2, () => node(depth + 1)) : [],
    }
  }
  const children = dice.some(3, () => node(1))
  return {
    ok: true,
    type: 'snapshot',
    meta: { url: dice.words(), title: dice.words(), ts: 1, version: '0', viewport: { width: 800, height: 600 } },
    stats: { nodesVisited: 1, nodesEmitted: 1, truncated: false, truncateReasons: [] },
    refs,
    tree: { tag: 'body', role: 'document', children },
  }
}

const states = (dice: Dice): SnapshotNode['states'] => ({
  ...(dice.one(3) && { checked: dice.of([true, 'mixed'] as const) }),
  ...(dice.one(3) && { expanded: dice.one(2) }),
  ...(dice.one(3) && { disabled: true as const }),
  ...(dice.one(3) && { level: 1 + dice.upTo(6) }),
  ...(dice.one(3) && { range: dice.words() }),
  ...(dice.one(3) && { covered: dice.words() }),
  ...(dice.one(3) && { current: dice.of([true, 'page'] as const) }),
})

type Dice = ReturnType<typeof rolling>

// mulberry32
function rolling(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const upTo = (many: number): number => Math.floor(next() * many)
  const of = <T>(list: readonly T[]): T => list[upTo(list.length)] as T
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: upTo(most + 1) }, make)
  const words = (): string => some(3, () => (upTo(3) ? of(hostile) : String.fromCharCode(upTo(0x10000)))).join('')
  return { upTo, of, some, words, one: (of: number): boolean => upTo(of) === 0 }
}

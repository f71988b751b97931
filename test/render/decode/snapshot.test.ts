import { describe, expect, test } from 'vitest'
import { parseSnapshot } from '../../../src/render/decode/snapshot.ts'
import { renderSnapshot } from '../../../src/render/text/render.ts'
import { page } from '../page.ts'

const button = page([{ ref: 'e1', tag: 'button', role: 'button', name: 'Save', attrs: { type: 'submit' } }])
const parsed = (input: unknown) => {
  const snapshot = parseSnapshot(input)
  if (!snapshot.ok) throw new Error(snapshot.error.message)
  return snapshot
}
const failed = (input: unknown) => {
  const snapshot = parseSnapshot(input)
  return snapshot.ok ? undefined : snapshot.error
}

describe('reading the JSON of a page (S0-38..44, S0-54, S0-55)', () => {
  test('an object, its JSON and its JSON encoded twice say the same', () => {
    const once = JSON.stringify(button)
    expect(parsed(once)).toEqual(parsed(button))
    expect(parsed(JSON.stringify(once))).toEqual(parsed(button))
  })

  test('a parsed snapshot can be parsed again', () => {
    expect(parsed(parsed(button))).toEqual(parsed(button))
  })

  test('each ref knows what it is and where it stands (S0-42)', () => {
    expect(parsed(button).refs.e1).toEqual({
      ref: 'e1',
      tag: 'button',
      role: 'button',
      name: 'Save',
      attrs: Object.assign(Object.create(null), { type: 'submit' }),
      path: '',
    })
  })

  test('a node has all its fields, quiet where the page said nothing (S0-44)', () => {
    expect(parsed(page([{ role: 'list' }])).tree.children[0]).toMatchObject({ tag: 'div', role: 'list', name: '', text: '', children: [] })
  })

  test.each([
    ['', 'JSON'],
    ['{"ok":', 'JSON'],
    ['null', 'null'],
    [null, 'null'],
    [undefined, 'undefined'],
    ['[]', 'a list'],
    [7, 'number'],
    ['{}', 'ok'],
    ['{"ok":true,"type":"action"}', '"action"'],
    ['{"ok":true,"type":"snapshot"}', 'tree'],
    ['{"ok":true,"type":"snapshot","tree":[]}', 'tree'],
  ])('%j is refused as invalid_json and the message says what is wrong', (input, says) => {
    expect(failed(input)).toMatchObject({ code: 'invalid_json', message: expect.stringContaining(says) })
  })

  test('an error of the page is passed on, with a code from the closed table', () => {
    const answer = (code: string) => failed({ ok: false, type: 'snapshot', error: { code, message: 'no body' } })
    expect(answer('no_root')).toMatchObject({ code: 'no_root', message: 'no body' })
    expect(answer('__proto__')).toMatchObject({ code: 'snapshot_failed', message: 'no body' })
    expect(failed({ ok: false })).toMatchObject({ code: 'snapshot_failed' })
  })

  test('fields of the wrong type are as if they were absent', () => {
    const odd = {
      ref: ['e1'],
      tag: 7,
      role: 'a\nb',
      name: {},
      text: 1,
      states: { checked: 'yes', level: -1 },
      offscreenBy: 'far',
      box: [1],
      children: 'none',
    }
    const { tree, refs } = parsed({ ...button, tree: { tag: 'body', role: 'document', children: [odd, 'text', null] } })
    expect(tree.children).toEqual([{ tag: 'unknown', role: 'generic', name: '', text: '', attrs: Object.create(null), children: [] }])
    expect(Object.keys(refs)).toEqual([])
  })

  test('a ref that is claimed twice belongs to the first, and odd refs to nobody', () => {
    const names = ['e1', 'e1', '__proto__', 'e1]', 'f1e3', 'constructor'].map(ref => ({ ref, role: 'button', name: ref }))
    const { refs, tree } = parsed(page(names))
    expect(Object.keys(refs)).toEqual(['e1', 'f1e3'])
    expect(tree.children.map(({ ref }) => ref)).toEqual(['e1', undefined, undefined, undefined, 'f1e3', undefined])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(refs.constructor).toBeUndefined()
  })

  test('JSON of 100,000 levels neither overflows the stack nor loses the button at its bottom (TRUST A6)', () => {
    const deep = `${'{"tag":"div","role":"group","name":"g","children":['.repeat(99_000)}{"ref":"e1","tag":"button","role":"button","name":"Deep"}${']}'.repeat(99_000)}`
    const json = `{"ok":true,"type":"snapshot","meta":{},"stats":{},"refs":{},"tree":${deep}}`
    const { text } = renderSnapshot(json, { maxCharsTotal: 100_000, maxNodes: 100_000 })
    expect(text.length).toBeLessThanOrEqual(100_000)
    expect(parsed(json).refs.e1?.name).toBe('Deep')
  })

  test('a getter that throws, and a tree that holds itself, are survived', () => {
    const throwing = Object.defineProperty({}, 'ok', {
      get: () => {
        throw new Error('no')
      },
    })
    expect(failed(throwing)).toMatchObject({ code: 'invalid_json' })
    const loop: { children: unknown[] } = { children: [] }
    loop.children.push(loop)
    expect(parsed({ ok: true, type: 'snapshot', tree: loop }).stats.truncateReasons).toEqual(['maxNodes'])
  })

  test('reasons are known ones, once each, in the order of the contract (X1-5)', () => {
    const { stats } = parsed(page([], { stats: { truncateReasons: ['maxTime', 'maxNodes', 'maxNodes', 'because' as 'scope'] } }))
    expect(stats).toMatchObject({ truncated: true, truncateReasons: ['maxNodes', 'maxTime'] })
  })
})

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

describe('parseSnapshot (S0-38..44, S0-54, S0-55)', () => {
  test('accepts an object, its JSON and double-encoded JSON', () => {
    const once = JSON.stringify(button)
    expect(parsed(once)).toEqual(parsed(button))
    expect(parsed(JSON.stringify(once))).toEqual(parsed(button))
  })

  test('accepts its own result', () => {
    expect(parsed(parsed(button))).toEqual(parsed(button))
  })

  test('drops direction marks from words, and nothing else: a value stays exact and other invisible characters are escaped (A1)', () => {
    const nodes = [
      { ref: 'e1', tag: 'input', role: 'textbox', name: '\u200e29 July\u200f\u061c', value: 'a\u200eb' },
      { tag: '#text', role: 'text', text: '[r\u200eef=e9] a\u202eb\u200bc\u2066' },
    ]
    const { text } = renderSnapshot(page(nodes, { meta: { title: 'T\u200eea' } }))
    expect(text).toContain('title="Tea"')
    expect(text).toContain('- textbox "29 July" [value="a\\u200eb"] [ref=e1]')
    expect(text).toContain('"[ref\\u003de9] a\\u202eb\\u200bc\\u2066"')
  })

  test('describes each ref (S0-42)', () => {
    expect(parsed(button).refs.e1).toEqual({
      ref: 'e1',
      tag: 'button',
      role: 'button',
      name: 'Save',
      attrs: Object.assign(Object.create(null), { type: 'submit' }),
      path: '',
    })
  })

  test('fills in missing fields (S0-44)', () => {
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
    ['{"ok":true,"type":"action"}', 'type'],
    ['{"ok":true,"type":"snapshot"}', 'tree'],
    ['{"ok":true,"type":"snapshot","tree":[]}', 'tree'],
  ])('rejects %j with invalid_json and the reason', (input, says) => {
    expect(failed(input)).toMatchObject({ code: 'invalid_json', message: expect.stringContaining(says) })
  })

  test('passes on an error of the page, with a code from the closed table', () => {
    const answer = (code: string) => failed({ ok: false, type: 'snapshot', error: { code, message: 'no body' } })
    expect(answer('no_root')).toMatchObject({ code: 'no_root', message: 'no body' })
    expect(answer('__proto__')).toMatchObject({ code: 'snapshot_failed', message: 'no body' })
    expect(failed({ ok: false })).toMatchObject({ code: 'snapshot_failed' })
  })

  test('ignores fields of the wrong type', () => {
    const odd = {
      ref: ['e1'],
      tag: 7,
      role: 'a\nb',
      name: {},
      text: 1,
      states: { checked: 'yes', level: -1 },
      offset: 'far',
      box: [1],
      children: 'none',
    }
    const { tree, refs } = parsed({ ...button, tree: { tag: 'body', role: 'document', children: [odd, 'text', null] } })
    expect(tree.children).toEqual([{ tag: 'unknown', role: 'generic', name: '', text: '', attrs: Object.create(null), children: [] }])
    expect(Object.keys(refs)).toEqual([])
  })

  test('gives a duplicate ref to the first element and drops malformed refs', () => {
    const names = ['e1', 'e1', '__proto__', 'e1]', 'f1e3', 'constructor'].map(ref => ({ ref, role: 'button', name: ref }))
    const { refs, tree } = parsed(page(names))
    expect(Object.keys(refs)).toEqual(['e1', 'f1e3'])
    expect(tree.children.map(({ ref }) => ref)).toEqual(['e1', undefined, undefined, undefined, 'f1e3', undefined])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(refs.constructor).toBeUndefined()
  })

  test('handles JSON of 100,000 levels without a stack overflow (TRUST A6)', () => {
    const deep = `${'{"tag":"div","role":"group","name":"g","children":['.repeat(99_000)}{"ref":"e1","tag":"button","role":"button","name":"Deep"}${']}'.repeat(99_000)}`
    const json = `{"ok":true,"type":"snapshot","meta":{},"stats":{},"refs":{},"tree":${deep}}`
    const { text } = renderSnapshot(json, { maxCharsTotal: 100_000, maxNodes: 100_000 })
    expect(text.length).toBeLessThanOrEqual(100_000)
    expect(parsed(json).refs.e1?.name).toBe('Deep')
  })

  test('survives a throwing getter and a circular tree', () => {
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

  test('keeps known reasons, once each, in contract order (X1-5)', () => {
    const { stats } = parsed(page([], { stats: { truncateReasons: ['maxTime', 'maxNodes', 'maxNodes', 'because' as 'scope'] } }))
    expect(stats).toMatchObject({ truncated: true, truncateReasons: ['maxNodes', 'maxTime'] })
  })
})

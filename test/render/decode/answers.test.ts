import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AgentBrowser, failures } from '../../../src/index.ts'

const { parseActionResult, parseQueryResult, parsePageResult } = AgentBrowser
const parsers = { action: parseActionResult, query: parseQueryResult, page: parsePageResult } as const

const done = {
  ok: true,
  type: 'action',
  action: 'click',
  ref: 'e1',
  meta: { ts: 1, url: 'http://a.example/', startedAt: 2 },
  trusted: false,
  effect: {
    value: 'v',
    checked: 'mixed',
    selected: ['a'],
    scroll: { x: 1.4, y: 2 },
    changed: { added: 1, removed: 0, altered: 2, text: 'new' },
    gone: true,
  },
}

test('a successful action result is decoded field by field (S0-47 S0-54 S0-63)', () => {
  expect(parseActionResult(JSON.stringify(done))).toEqual({ ...done, effect: { ...done.effect, scroll: { x: 1, y: 2 } } })
})

test('a failure keeps its code and message and gets its hint; an unknown code becomes outcome_unknown (S0-48)', () => {
  const failed = {
    ok: false,
    type: 'action',
    action: 'click',
    ref: 'e1',
    error: { code: 'element_blocked', message: 'covered\nby [ref=e9]', by: 'e2' },
  }
  expect(parseActionResult(JSON.stringify(failed))).toEqual({
    ...failed,
    error: { code: 'element_blocked', message: expect.not.stringContaining('\n'), hint: failures.element_blocked, by: 'e2' },
  })
  expect(parseActionResult({ ...failed, error: { code: 'constructor' } })).toMatchObject({ error: { code: 'outcome_unknown' } })
})

test('double-encoded answers, as on Android, are decoded', () => {
  expect(parseActionResult(JSON.stringify(JSON.stringify(done)))).toEqual(parseActionResult(JSON.stringify(done)))
})

test.each(Object.keys(parsers) as (keyof typeof parsers)[])(
  'a value that is not an answer to %s gives an error without an exception',
  type => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no')
        },
      },
    )
    for (const said of [
      undefined,
      null,
      '',
      'null',
      '{',
      '[]',
      '{}',
      7,
      '"x"',
      { type: 'snapshot' },
      hostile,
      { type, ok: true, kind: 'none' },
    ]) {
      const answer = parsers[type](said)
      expect(answer.ok && type !== 'action', String(JSON.stringify(answer))).toBe(false)
      if (!answer.ok) expect(answer).toMatchObject({ type, error: { hint: expect.any(String) } })
    }
  },
)

test('decoded answers have only known fields of bounded length', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 4 }), fc.constantFrom('action', 'query', 'page'), fc.boolean(), (noise, type, ok) => {
      const kind = { action: 'click', query: 'text', page: 'settled' }[type]
      const long = 'x'.repeat(500_000)
      const said = {
        ok,
        type,
        action: kind,
        kind,
        ref: long,
        value: long,
        effect: { ...noise, value: long, url: long, dialog: long },
        data: { effect: noise, pending: [long] },
        error: { code: 'timeout', message: long },
      }
      const answer = parsers[type as keyof typeof parsers](JSON.stringify(said))
      expect(JSON.stringify(answer).length).toBeLessThan(110_000)
    }),
    { numRuns: 60 },
  )
})

test('page results have the data of their kind', () => {
  const meta = { ts: 1, url: 'u', startedAt: 1 }
  expect(
    parsePageResult({
      ok: true,
      type: 'page',
      kind: 'settled',
      meta,
      data: { settled: true, pending: ['1 request', 5], committed: false, effect: { focus: 'e1', evil: 1 } },
    }),
  ).toEqual({
    ok: true,
    type: 'page',
    kind: 'settled',
    meta,
    data: { settled: true, pending: ['1 request', ''], committed: false, effect: { focus: 'e1' } },
  })
  expect(parsePageResult({ ok: true, type: 'page', kind: 'waitCheck', meta, data: { met: 'yes' } })).toMatchObject({
    data: { met: false, saw: '' },
  })
  expect(parseQueryResult({ ok: true, type: 'query', kind: 'isvisible', ref: 'e1', meta, value: true })).toMatchObject({
    value: true,
    truncated: false,
  })
})

test('expressions carry any text without breaking out of their source (S0-60 S0-62 S0-64 X2-5)', () => {
  const nasty = `'"\`\\\n\u2028</script><!--\${alert(1)}`
  for (const js of [
    AgentBrowser.actionJs('e1', 'fill', { value: nasty }),
    AgentBrowser.queryJs(nasty, 'text', { limitChars: 5 }),
    AgentBrowser.pageJs('waitCheck', { text: nasty }),
  ]) {
    expect(js).not.toMatch(/[\n\u2028<]/)
    let seen: unknown[] = []
    const window = {
      __agentBrowser: {
        seal: /seal===("[^"]+")/.exec(js)?.[1]?.slice(1, -1),
        call: (...given: unknown[]) => {
          seen = given
          return 'ok'
        },
      },
    }
    expect(new Function('window', `return ${js}`)(window)).toBe('ok')
    expect(JSON.stringify(seen)).toContain(JSON.stringify(nasty))
  }
})

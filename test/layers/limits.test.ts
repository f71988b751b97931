import { expect, test, vi } from 'vitest'
import { ok, wrap } from '../../src/contract/run.ts'
import { limitsLayer, RunBudget } from '../../src/layers/limits.ts'
import { createResponder } from '../../src/surfaces/respond/responder.ts'

const page = {
  url: 'https://a.test/',
  title: '',
  readyState: 'complete',
  viewport: { width: 1, height: 1 },
  scroll: { x: 0, y: 0, height: 1 },
}
const driver = async ({ name }: { readonly name: string }) =>
  ok(name === 'status' ? { running: true } : { value: 'x'.repeat(100), truncated: false, page, effect: {}, trusted: true, settled: true })

test('after the last step every command fails except for status, and a note warns before (E3)', async () => {
  const run = wrap(driver, limitsLayer({ steps: 5 }))
  const notes: unknown[] = []
  for (let step = 0; step < 5; step++) {
    const result = await run({ name: 'back' })
    notes.push(result.ok ? result.data.notes : 'failed')
  }
  expect(notes).toEqual([undefined, undefined, undefined, ['4 of 5 steps of this session are used; it ends there.'], undefined])
  const refused = await run({ name: 'back' })
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'budget_exhausted', message: expect.stringContaining('5 steps and has used 5') },
  })
  expect(await run({ name: 'status' })).toMatchObject({ ok: true, data: { limits: { steps: { used: 5, limit: 5 } } } })
})

test('time and characters end a session too (E3)', async () => {
  let now = 0
  const timed = wrap(
    driver,
    limitsLayer({ timeMs: 1_000 }, () => now),
  )
  expect((await timed({ name: 'back' })).ok).toBe(true)
  now = 1_000
  expect(await timed({ name: 'back' })).toMatchObject({ ok: false, error: { code: 'budget_exhausted' } })
  const counted = wrap(driver, limitsLayer({ characters: 150 }))
  expect((await counted({ name: 'back' })).ok).toBe(true)
  expect((await counted({ name: 'back' })).ok).toBe(true)
  expect(await counted({ name: 'back' })).toMatchObject({ ok: false, error: { code: 'budget_exhausted' } })
})

test('a clock that is set ahead does not end a session (E3, F6)', async () => {
  const run = wrap(driver, limitsLayer({ timeMs: 60_000 }))
  expect((await run({ name: 'back' })).ok).toBe(true)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  try {
    expect((await run({ name: 'back' })).ok).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('the answers of a model are counted by call and by their text (E3)', async () => {
  const respond = createResponder(driver, { limits: { steps: 2 }, diff: false })
  expect((await respond({ name: 'query', ref: 'e1', kind: 'text', limitChars: 100 })).ok).toBe(true)
  expect((await respond({ name: 'query', ref: 'e2', kind: 'text', limitChars: 100 })).text).toContain('2 of 2 steps')
  expect(await respond({ name: 'query', ref: 'e3', kind: 'text', limitChars: 100 })).toMatchObject({
    ok: false,
    error: { code: 'budget_exhausted' },
  })
  expect((await respond({ name: 'status' })).text).toContain('limits: {"steps":{"used":2,"limit":2}}')
})

test('a limit that is not a number above 0 is refused (C2)', () => {
  for (const limits of [{ steps: 0 }, { timeMs: Number.NaN }, { characters: -1 }]) expect(() => new RunBudget(limits)).toThrow(TypeError)
})

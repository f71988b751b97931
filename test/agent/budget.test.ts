import { expect, test } from 'vitest'
import { AgentBudget } from '../../src/agent/budget.ts'
import { LoopDetector } from '../../src/agent/loop-detector.ts'
import { createFenceWord } from '../../src/render/text/fence.ts'

const tokens = { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 500_000 }

test('money is counted by the price table, with cached tokens at their own price (S3-41)', () => {
  const budget = new AgentBudget({ limits: { cost: 3 }, prices: { small: { input: 2, cachedInput: 0.2, output: 8 } } })
  budget.addStep('small', tokens)
  expect(budget.used.cost).toBeCloseTo(1 + 0.1 + 0.8)
  expect(budget.exhausted()).toBeUndefined()
  budget.addStep('small', tokens)
  expect(budget.exhausted()).toBe('max_cost')
  expect(() => budget.assertPriced('other')).toThrow('needs a price for the model other')
})

test('the clock stops while a person is asked, and usage before a restart counts (S3-41)', async () => {
  let now = 0
  const budget = new AgentBudget({
    limits: { timeMs: 1_000 },
    used: { ...new AgentBudget().used, activeMs: 500, steps: 3 },
    now: () => now,
  })
  budget.start()
  now = 200
  await budget.whileParked(async () => {
    now = 100_000
  })
  now += 100
  expect(budget.used).toMatchObject({ activeMs: 800, steps: 3 })
  expect(budget.warnings()).toEqual(['800 of 1000 ms are used; close before the rest is.'])
  expect(budget.warnings()).toEqual([])
  now += 200
  expect(budget.exhausted()).toBe('max_time')
})

test('limits that are not numbers above 0 are refused', () => {
  for (const limits of [{ steps: 0 }, { tokens: Number.NaN }, { cost: -1 }, { timeMs: Number.POSITIVE_INFINITY }])
    expect(() => new AgentBudget({ limits })).toThrow(TypeError)
})

test('a loop is the same call with the same answer four times, or a cycle of up to four calls three times (S3-38)', () => {
  const verdicts = (steps: readonly string[]) => {
    const detector = new LoopDetector()
    return steps.map(each => detector.add(each, { b: 1, a: each }, `ok <page ${createFenceWord()} after ${each.length + 3} ms`)).at(-1)
  }
  expect(verdicts(['a', 'a', 'a'])).toBe('warn')
  expect(verdicts(['a', 'a', 'a', 'a'])).toBe('loop')
  expect(verdicts(['x', 'a', 'b', 'a', 'b', 'a', 'b'])).toBe('loop')
  expect(verdicts(['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd', 'a', 'b', 'c', 'd'])).toBe('loop')
  expect(verdicts(['a', 'b', 'a', 'c', 'a', 'b', 'a', 'd'])).toBe('ok')
})

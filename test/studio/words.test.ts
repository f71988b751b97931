import { expect, test } from 'vitest'
import { urlOf } from '../../apps/studio/web/browser/address.ts'
import { en } from '../../apps/studio/web/messages/en.ts'
import { zhCN } from '../../apps/studio/web/messages/zh-CN.ts'
import { frameAt, stepTimes } from '../../apps/studio/web/replay/schedule.ts'
import { hostsOf, isModel, limitOf } from '../../apps/studio/web/settings/validation.ts'
import { routeOf } from '../../apps/studio/web/shell/route.ts'
import { amount, nearestLimit, runStateWords, stepWords } from '../../apps/studio/web/timeline/step-words.ts'
import { stopReasons } from '../../src/contract/agent-run.ts'
import { verbs } from '../../src/contract/commands.ts'

test('every verb and every reason for an end has words in both languages', () => {
  for (const reason of stopReasons) {
    expect(en.run.reasons[reason], reason).toBeDefined()
    expect(zhCN.run.reasons[reason], reason).toBeDefined()
  }
  for (const verb of Object.keys(verbs)) {
    expect(en.step.verbs[verb], verb).toBeDefined()
    expect(zhCN.step.verbs[verb], verb).toBeDefined()
  }
})

test('a step is shown as verb and target, and an unknown verb as itself', () => {
  const element = { role: 'button', name: 'Pay' }
  expect(stepWords({ verb: 'click', target: 'button "Pay"', element }, en)).toEqual({ verb: 'Click', target: 'button “Pay”' })
  expect(stepWords({ verb: 'click', target: 'button "Pay"', element }, zhCN)).toEqual({ verb: '点击', target: '按钮 “Pay”' })
  expect(stepWords({ verb: 'observe', target: 'list of mugs' }, zhCN)).toEqual({ verb: '查找', target: 'list of mugs' })
  expect(stepWords({ verb: 'dance' }, zhCN)).toEqual({ verb: 'dance' })
})

test('the state of a run is the reason for its end', () => {
  expect(runStateWords({ state: 'running' }, en)).toBe('Running')
  expect(runStateWords({ state: 'ended', stopReason: 'max_steps' }, en)).toBe('Step limit reached')
  expect(runStateWords({ state: 'ended', stopReason: 'no_progress' }, en)).toBe('no progress')
})

test('the budget meter shows the limit that is nearest', () => {
  const usage = { steps: 10, tokens: 90, characters: 0, costUsd: 0, timeMs: 0 }
  expect(nearestLimit({ usage, limits: { steps: 40, tokens: 100 } })).toEqual({ key: 'tokens', share: 0.9 })
  expect(nearestLimit({ usage, limits: {} })).toBeUndefined()
  expect(amount('tokens', 12_345, en)).toBe('12.3k')
  expect(amount('costUsd', 0.0041, en)).toBe('$0.004')
  expect(amount('timeMs', 600_000, en)).toBe('10 min')
})

test('what is typed into the address bar becomes a URL of a web page, or none', () => {
  expect(urlOf('shop.example/a')).toBe('https://shop.example/a')
  expect(urlOf('localhost:8080')).toBe('http://localhost:8080/')
  expect(urlOf('http://a.test')).toBe('http://a.test/')
  expect(urlOf('a.test:8443/x')).toBe('https://a.test:8443/x')
  for (const bad of ['', 'two words', 'javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'chrome://settings'])
    expect(urlOf(bad), bad).toBeUndefined()
})

test('settings are validated before they are sent', () => {
  expect(['rules', 'openai/gpt-5.2', 'a/b/c'].map(isModel)).toEqual([true, true, true])
  expect(['', 'gpt', 'openai/', '/x'].map(isModel)).toEqual([false, false, false, false])
  expect([limitOf('', true), limitOf('3', true), limitOf('0.5', false)]).toEqual([null, 3, 0.5])
  expect([limitOf('0', true), limitOf('-1', false), limitOf('1.5', true), limitOf('x', false)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(hostsOf('a.test\n*.B.test, a.test')).toEqual({ hosts: ['a.test', '*.b.test'] })
  expect(hostsOf('a.test\nhttps://b.test').invalid).toBe('https://b.test')
})

test('routes are read from the fragment, and a token is not one', () => {
  expect(routeOf('#/chat/c%201')).toEqual({ name: 'chat', id: 'c 1' })
  expect(routeOf('#/runs')).toEqual({ name: 'runs' })
  expect(routeOf('#/runs/r1')).toEqual({ name: 'replay', id: 'r1' })
  for (const hash of ['', '#/', '#token=secret', '#/nowhere']) expect(routeOf(hash)).toEqual({ name: 'chat', id: undefined })
})

test('a replay shows each step as long as it took, but neither a flash nor a wait, with the newest picture', () => {
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString()
  const events = [
    { startedAt: at(0), frame: 'a' },
    { startedAt: at(0.1) },
    { startedAt: at(60) },
    { startedAt: at(62), durationMs: 900, frame: 'b' },
  ]
  expect(stepTimes(events)).toEqual([700, 3_000, 2_000, 900])
  expect(events.map((_, index) => frameAt(events, index))).toEqual(['a', 'a', 'a', 'b'])
})

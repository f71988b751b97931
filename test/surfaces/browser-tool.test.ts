import { expect, test } from 'vitest'
import { fail, ok } from '../../src/contract/run.ts'
import { browserTool, browserToolList, toOpenAI } from '../../src/tools.ts'
import { page } from '../render/page.ts'
import { recording } from '../support/recording.ts'

function browser(options = {}) {
  const driver = recording({
    shows: () =>
      page([
        { tag: 'a', role: 'link', name: 'Home', ref: 'e1', interactive: true },
        { tag: 'button', role: 'button', name: '提交', ref: 'e15', interactive: true },
      ]),
  })
  const life: string[] = []
  const tool = browserTool(
    {
      start: async ({ profile = 'openclaw', debuggingUrl }) => {
        if (profile !== 'openclaw' && profile !== 'chrome') return fail('unknown_profile', `there is no profile ${profile}.`)
        life.push(`start ${profile}${debuggingUrl ? ` ${debuggingUrl}` : ''}`)
        return ok({ run: driver.run, says: profile, close: async () => void life.push('close') })
      },
    },
    options,
  )
  return { call: (args: unknown) => tool.execute('browser', args), close: tool.close, commands: driver.commands, life }
}

test('the schema has every field of the document, and the superset that acting needs (S4-24..S4-30, C20)', () => {
  const [tool] = toOpenAI(browserToolList)
  const { properties, required } = (tool?.function.parameters ?? {}) as {
    properties: { [name: string]: { enum?: string[]; properties?: object } }
    required: string[]
  }
  expect(properties.action?.enum).toEqual(['status', 'start', 'stop', 'snapshot', 'act', 'navigate'])
  expect(Object.keys(properties)).toEqual(
    expect.arrayContaining(['target_url', 'request', 'profile', 'debugging_url', 'hint', 'max_elements']),
  )
  const superset = ['kind', 'target_id', 'text', 'key', 'direction', 'amount', 'values']
  expect(Object.keys(properties.request?.properties ?? {})).toEqual(superset)
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(superset))
  expect(required).toEqual(['action'])
})

test('the browser starts at the first call that needs it and ends with stop (S4-03)', async () => {
  const { call, life } = browser()
  expect((await call({ action: 'status' })).text).toBe('running: false')
  expect(life).toEqual([])
  expect((await call({ action: 'navigate', target_url: 'https://shop.example/' })).ok).toBe(true)
  expect((await call({ action: 'start' })).text).toBe('ok: already running: openclaw')
  expect((await call({ action: 'stop' })).text).toBe('ok: stopped')
  expect((await call({ action: 'stop' })).text).toBe('ok: nothing was running')
  expect(life).toEqual(['start openclaw', 'close'])
})

test('a profile is passed on, and an unknown one is refused (S4-27)', async () => {
  const { call, life } = browser()
  expect((await call({ action: 'start', profile: 'mine' })).error?.code).toBe('unknown_profile')
  await call({ action: 'start', profile: 'chrome', debugging_url: 'http://127.0.0.1:9222' })
  expect(life).toEqual(['start chrome http://127.0.0.1:9222'])
})

test('a snapshot is a flat list of what is on the screen (S4-13, S4-15, S4-18, S4-35)', async () => {
  const { call, commands } = browser()
  const { text } = await call({ action: 'snapshot' })
  expect(text).toContain('[15] button "提交"')
  expect(text).toContain('title="Tea"')
  expect(commands[0]).toMatchObject({ name: 'snapshot', viewport: 'visible' })
  const hinted = await call({ action: 'snapshot', hint: '提交' })
  expect(hinted.text.split('\n')[2]).toMatch(/^\[15\] button "提交"/)
})

const acts: readonly [object, object][] = [
  [
    { kind: 'click', target_id: '15' },
    { name: 'click', ref: 'e15' },
  ],
  [
    { kind: 'type', target_id: '[15]', text: 'a' },
    { name: 'type', ref: 'e15', text: 'a' },
  ],
  [
    { kind: 'fill', target_id: 15, text: '' },
    { name: 'fill', ref: 'e15', value: '' },
  ],
  [
    { kind: 'press', key: 'Enter' },
    { name: 'press', key: 'Enter' },
  ],
  [
    { kind: 'scroll', direction: 'down' },
    { name: 'scroll', direction: 'down', amount: 300 },
  ],
  [
    { kind: 'select', target_id: '15', values: ['x'] },
    { name: 'select', ref: 'e15', values: ['x'] },
  ],
  [
    { kind: 'wait', text: 'done' },
    { name: 'wait', text: 'done', timeoutMs: 5_000, pollMs: 100 },
  ],
  [
    { kind: 'wait', amount: 50 },
    { name: 'wait', ms: 50, timeoutMs: 5_000, pollMs: 100 },
  ],
  [
    { kind: 'dialog', text: 'dismiss' },
    { name: 'dialog', accept: false },
  ],
  [
    { kind: 'drag', target_id: '15', values: ['1'] },
    { name: 'drag', ref: 'e15', to: 'e1' },
  ],
]
for (const [request, command] of acts)
  test(`act ${JSON.stringify(request)} is the same nested and flat (S4-21, S4-28..S4-30)`, async () => {
    const { call, commands } = browser()
    expect((await call({ action: 'act', request })).ok).toBe(true)
    expect((await call({ action: 'act', ...request })).ok).toBe(true)
    expect(commands).toEqual([command, command])
  })

test('after a look, an act tells what is different on the screen', async () => {
  const { call, commands } = browser()
  await call({ action: 'snapshot' })
  await call({ action: 'act', kind: 'click', target_id: '15' })
  expect(commands).toMatchObject([{ name: 'snapshot', viewport: 'visible' }, { name: 'click' }, { name: 'snapshot', viewport: 'visible' }])
})

test('what a call lacks is named in the words of this tool', async () => {
  const { call, life } = browser()
  expect((await call({})).text).toMatch(/^invalid_input: action is missing/)
  expect((await call({ action: 'navigate' })).text).toMatch(/^invalid_input: target_url is missing/)
  expect((await call({ action: 'act' })).text).toMatch(/^invalid_input: kind is missing/)
  expect((await call({ action: 'act', kind: 'click' })).text).toMatch(/^invalid_input: target_id is missing/)
  expect((await call({ action: 'act', kind: 'click', target_id: 'submit' })).text).toMatch(/^invalid_ref: target_id is "submit"/)
  expect((await call({ action: 'fly' })).text).toMatch(/^invalid_input: action must be one of/)
  // nothing of this needed a browser
  expect(life).toEqual([])
})

test('evaluate is disabled unless it is allowed (C14)', async () => {
  expect((await browser().call({ action: 'act', kind: 'evaluate', text: '1' })).error?.code).toBe('disabled')
  const allowed = browser({ allowEval: true })
  await allowed.call({ action: 'act', kind: 'evaluate', text: '1' })
  expect(allowed.commands).toEqual([{ name: 'evaluate', js: '1', limitChars: 2_000 }])
})

import { expect, test } from 'vitest'
import { failure } from '../../../src/contract/failures.ts'
import { type Message, say } from '../../../src/contract/message.ts'
import { fail, ok } from '../../../src/contract/run.ts'
import { commandDialect, numberedRefs } from '../../../src/render/text/dialect.ts'
import { localizeFailure } from '../../../src/render/text/failure.ts'
import { browserTool, browserToolList, createPolicy, toOpenAI } from '../../../src/tools.ts'
import { page } from '../../render/page.ts'
import { actionResult, recordingDriver } from '../../support/recording-driver.ts'

function browser(options = {}) {
  const driver = recordingDriver({
    shows: () =>
      page([
        { tag: 'a', role: 'link', name: 'Home', ref: 'e1', interactive: true },
        { tag: 'button', role: 'button', name: '提交', ref: 'e15', interactive: true },
      ]),
  })
  const life: string[] = []
  const tool = browserTool(
    {
      start: async ({ profile = 'temporary', debuggingUrl }) => {
        if (profile !== 'temporary' && profile !== 'chrome') return fail('unknown_profile', [`there is no profile ${profile}.`])
        life.push(`start ${profile}${debuggingUrl ? ` ${debuggingUrl}` : ''}`)
        return ok({ run: driver.run, description: profile, close: async () => void life.push('close') })
      },
    },
    options,
  )
  return { call: (args: unknown) => tool.execute('browser', args), close: tool.close, commands: driver.commands, life }
}

test('the schema has every documented field (S4-24..S4-30, C20)', () => {
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

test('the browser starts with the first call that needs it and ends with stop (S4-03)', async () => {
  const { call, life } = browser()
  expect((await call({ action: 'status' })).text).toBe('running: false')
  expect(life).toEqual([])
  expect((await call({ action: 'navigate', target_url: 'https://shop.example/' })).ok).toBe(true)
  expect((await call({ action: 'start' })).text).toBe('ok: already running: temporary')
  expect((await call({ action: 'stop' })).text).toBe('ok: stopped')
  expect((await call({ action: 'stop' })).text).toBe('ok: nothing was running')
  expect(life).toEqual(['start temporary', 'close'])
})

test('the profile openclaw is the temporary one (S4-27)', async () => {
  const { call, life } = browser()
  await call({ action: 'start', profile: 'openclaw' })
  expect(life).toEqual(['start temporary'])
})

test('a profile is passed on, and an unknown one is rejected (S4-27)', async () => {
  const { call, life } = browser({ allowUserBrowser: true })
  expect((await call({ action: 'start', profile: 'mine' })).error?.code).toBe('unknown_profile')
  await call({ action: 'start', profile: 'chrome', debugging_url: 'http://127.0.0.1:9222' })
  expect(life).toEqual(['start chrome http://127.0.0.1:9222'])
})

test.each([
  { action: 'start', profile: 'chrome' },
  { action: 'start', debugging_url: 'http://127.0.0.1:9222' },
  { action: 'navigate', target_url: 'https://shop.example/', profile: 'chrome' },
  { action: 'snapshot', profile: 'openclaw', debugging_url: 'ws://127.0.0.1:9222/devtools/browser/x' },
])("a model cannot choose the user's own browser unless the user allows it: %j (TRUST C3)", async args => {
  const { call, life } = browser()
  expect((await call(args)).text).toContain("disabled: the user's own browser may be used only if the user has allowed it")
  expect(life).toEqual([])
  expect((await call({ action: 'start' })).text).toBe('ok: started: temporary')
})

test('a snapshot is a flat list of the elements in view (S4-13, S4-15, S4-18, S4-35)', async () => {
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
  test(`act ${JSON.stringify(request)} works nested and flat (S4-21, S4-28..S4-30)`, async () => {
    const { call, commands } = browser()
    expect((await call({ action: 'act', request })).ok).toBe(true)
    expect((await call({ action: 'act', ...request })).ok).toBe(true)
    expect(commands).toEqual([command, command])
  })

test('after a snapshot, an act compares the visible elements', async () => {
  const { call, commands } = browser()
  await call({ action: 'snapshot' })
  await call({ action: 'act', kind: 'click', target_id: '15' })
  expect(commands).toMatchObject([{ name: 'snapshot', viewport: 'visible' }, { name: 'click' }, { name: 'snapshot', viewport: 'visible' }])
})

test('a missing field is named in the terms of this tool', async () => {
  const { call, life } = browser()
  expect((await call({})).text).toMatch(/^invalid_input: action is missing/)
  expect((await call({ action: 'navigate' })).text).toMatch(/^invalid_input: target_url is missing/)
  expect((await call({ action: 'act' })).text).toMatch(/^invalid_input: kind is missing/)
  expect((await call({ action: 'act', kind: 'click' })).text).toMatch(/^invalid_input: target_id is missing/)
  expect((await call({ action: 'act', kind: 'click', target_id: 'submit' })).text).toMatch(
    /^invalid_ref: target_id is "submit".* written as there: 12, \[12\] or e12\.$/,
  )
  expect((await call({ action: 'fly' })).text).toMatch(/^invalid_input: action must be one of/)
  // none of these calls needs a browser
  expect(life).toEqual([])
})

test('evaluate is disabled by default (C14)', async () => {
  expect((await browser().call({ action: 'act', kind: 'evaluate', text: '1' })).error?.code).toBe('disabled')
  const allowed = browser({ allowEval: true })
  await allowed.call({ action: 'act', kind: 'evaluate', text: '1' })
  expect(allowed.commands).toEqual([{ name: 'evaluate', js: '1', limitChars: 2_000 }])
})

test('an id is the same in the list, in the answer and in an error (S4-13, S4-26)', async () => {
  let isOpen = false
  const button = (name: string, ref: string, states = {}) => ({
    tag: 'button',
    role: 'button',
    name,
    ref,
    interactive: true as const,
    states,
  })
  const { run } = recordingDriver({
    shows: () =>
      page([
        button('Menu "e7" [ref=e8]', 'e15', { expanded: isOpen }),
        ...(isOpen ? [button('Cups', 'e31'), button('In a frame', 'f1e3')] : []),
      ]),
    does: {
      click: ({ ref }) => {
        if (ref !== 'e15') return fail('element_blocked', say`${{ ref: String(ref) }} is covered by ${{ ref: 'e15' }} button "e7".`)
        isOpen = true
        return actionResult('https://shop.example/tea', { expanded: true, focus: 'e15' })
      },
    },
  })
  const tool = browserTool({ start: async () => ok({ run, description: 'it', close: async () => {} }) }, { word: () => 'WORD' })
  const call = async (args: object) => (await tool.execute('browser', args)).text
  expect(await call({ action: 'snapshot' })).toContain('[15] button "Menu \\"e7\\" [ref\\u003de8]" [collapsed]')
  expect((await call({ action: 'act', kind: 'click', target_id: '15' })).split('\n')).toEqual([
    'ok: click [15]',
    '<page WORD url="https://shop.example/tea" title="Tea" scroll=0/3000>',
    'effect: expanded, focus [15]',
    '+ [31] button "Cups"',
    '+ [f1e3] button "In a frame"',
    '~ [15] button "Menu \\"e7\\" [ref\\u003de8]" [collapsed] → [expanded]',
    '</page WORD>',
  ])
  expect(await call({ action: 'act', kind: 'click', target_id: '[31]' })).toMatch(
    /^element_blocked: \[31\] is covered by \[15\] button "e7"\./,
  )
  expect(await call({ action: 'act', kind: 'query', target_id: '31' })).toContain('text of [31]: ')
})

test('the refs of a failure are numbered, and text that looks like a ref stays as it is', () => {
  const spelled = (message: Message) => localizeFailure(failure('element_blocked', message), { ...commandDialect, refs: numberedRefs })
  expect(spelled(['the page e12ab and "e1 \\" e2" stay']).message).toBe('the page e12ab and "e1 \\" e2" stay')
  const failed = spelled(say`${{ ref: 'e1' }} is behind the dialog ${{ ref: 'f2e3' }} named "e5"`)
  expect(failed.message).toBe('[1] is behind the dialog [f2e3] named "e5"')
  expect(failed).not.toHaveProperty('parts')
})

test('a repeated act without effect is reported as no_progress (TRUST E3)', async () => {
  const { run } = recordingDriver({
    shows: () => page([{ tag: 'button', role: 'button', name: 'Dead', ref: 'e1', interactive: true }]),
    does: { click: () => actionResult('https://shop.example/tea', { focus: 'e1' }) },
  })
  const tool = browserTool({ start: async () => ok({ run, description: 'it', close: async () => {} }) })
  const press = async () => (await tool.execute('browser', { action: 'act', kind: 'click', target_id: '1' })).error?.code
  await tool.execute('browser', { action: 'snapshot' })
  expect([await press(), await press(), await press()]).toEqual([undefined, undefined, 'no_progress'])
})

test('a denied act lists the allowed ones in the terms of this tool (E2)', async () => {
  const { call, commands } = browser({ policy: createPolicy({ readOnly: true }) })
  const refused = async (args: object) => (await call(args)).error?.message
  expect(await refused({ action: 'act', kind: 'click', target_id: '1' })).toBe(
    'act click is denied by the policy; allowed are act hover, act scroll, act scroll_into_view, act wait, act query, act screenshot, act tabs, act back, act forward, act reload.',
  )
  expect(commands).toEqual([])
  const still = browser({ policy: createPolicy({ deny: ['open', 'observe'] }) })
  expect((await still.call({ action: 'navigate', target_url: 'https://shop.example/' })).error?.message).toBe(
    'navigate is denied by the policy; allowed are status, start, stop, snapshot, act.',
  )
  expect((await still.call({ action: 'snapshot', hint: 'pay' })).error?.message).toMatch(/^snapshot with a hint is denied by the policy; /)
})

test('an unknown field is answered with the known ones', async () => {
  const { call } = browser()
  expect((await call({ action: 'act', kind: 'click', target_id: '1', key: 'Enter' })).error?.message).toBe(
    'unknown field "key": act click takes target_id.',
  )
  expect((await call({ action: 'act', kind: 'query', target_id: '1', text: 'colour' })).error?.message).toMatch(
    /^text must be one of text, html/,
  )
  expect((await call({ action: 'act', kind: 'tabs', text: 'select' })).error?.message).toMatch(/^values is missing/)
})

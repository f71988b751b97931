import { expect, test } from 'vitest'
import { fail } from '../../../src/contract/run.ts'
import { agentToolList, agentTools, createPolicy } from '../../../src/tools.ts'
import { page, text } from '../../render/page.ts'
import { type PageScript, recordingDriver } from '../../support/recording-driver.ts'

function agent(script: Partial<PageScript> = {}) {
  const driver = recordingDriver({
    shows: () =>
      page([
        { tag: 'button', role: 'button', name: 'Pay now', ref: 'e1', interactive: true },
        { tag: 'p', role: 'paragraph', ref: 'e2', children: [text('Tea costs €4')] },
      ]),
    ...script,
  })
  return { ...agentTools(driver.run), commands: driver.commands }
}

test('there are exactly seven agent tools (S3-03, S3-12)', () => {
  expect(agentToolList.map(({ name }) => name)).toEqual([
    'open-url',
    'browser-observe',
    'browser-snapshot',
    'browser-act',
    'browser-wait',
    'browser-extract',
    'close',
  ])
})

test('an answer has either data or an error (S3-15, X3-11)', async () => {
  const good = await agent().execute('browser-snapshot')
  expect(good).toMatchObject({ ok: true, data: { text: expect.stringContaining('[ref=e1]'), refs: ['e1', 'e2'] } })
  expect(good).not.toHaveProperty('error')
  const bad = await agent({ does: { click: () => fail('not_enabled', 'e1 is disabled.') } }).execute('browser-act', {
    action: 'click',
    ref: 'e1',
  })
  expect(bad).toEqual({ ok: false, data: null, error: { code: 'not_enabled', message: 'e1 is disabled.', hint: expect.any(String) } })
  expect(await agent().execute('browser-fly')).toMatchObject({ ok: false, data: null, error: { code: 'unsupported_action' } })
})

test('observe ranks by task, snapshot prints the tree, and extract returns passages (C17, X3-5)', async () => {
  const { execute } = agent()
  const [observed, seen, read] = [
    await execute('browser-observe', { task: 'pay' }),
    await execute('browser-snapshot'),
    await execute('browser-extract', { query: 'price of tea' }),
  ]
  expect(observed.data?.text).toContain('[observe]')
  expect(seen.data?.text).toContain('[snapshot]')
  expect(read.data?.text).toContain('- paragraph [ref=e2]: "Tea costs €4"')
})

const acts: readonly [{ readonly [field: string]: unknown }, object][] = [
  [
    { action: 'click', ref: 'e1' },
    { name: 'click', ref: 'e1' },
  ],
  [
    { action: 'fill', ref: 'e1', text: '' },
    { name: 'fill', ref: 'e1', value: '' },
  ],
  [
    { action: 'type', ref: 'e1', text: 'say "hi"' },
    { name: 'type', ref: 'e1', text: 'say "hi"' },
  ],
  [
    { action: 'press', key: 'Enter' },
    { name: 'press', key: 'Enter' },
  ],
  [
    { action: 'scroll', direction: 'down' },
    { name: 'scroll', direction: 'down', amount: 300 },
  ],
  [
    { action: 'select', ref: 'e1', values: ['a'] },
    { name: 'select', ref: 'e1', values: ['a'] },
  ],
  [
    { action: 'drag', ref: 'e1', to: 'e2' },
    { name: 'drag', ref: 'e1', to: 'e2' },
  ],
  [{ action: 'back' }, { name: 'back' }],
]
for (const [given, command] of acts)
  test(`browser-act ${JSON.stringify(given)} becomes one command (S3-17, S3-28, X3-10)`, async () => {
    const { execute, commands } = agent()
    expect(await execute('browser-act', given)).toMatchObject({ ok: true })
    // after a navigation a snapshot follows, for the answer
    expect(commands.filter(({ name }) => name !== 'snapshot')).toEqual([command])
  })

test('browser-act fillForm is denied with the verbs it consists of (E2)', async () => {
  const { run, commands } = recordingDriver({ shows: () => page([]) })
  const { execute } = agentTools(run, { policy: createPolicy({ deny: ['click'] }) })
  const fields = [{ ref: 'e1', value: 'tea' }]
  expect((await execute('browser-act', { action: 'fillForm', fields, submit: true })).error?.code).toBe('disabled')
  expect(commands).toEqual([])
  expect(await execute('browser-act', { action: 'fillForm', fields })).toMatchObject({ ok: true })
})

test('browser-act names missing and unknown fields in its own terms', async () => {
  const { execute, commands } = agent()
  const messageOf = async (given: object) => (await execute('browser-act', given)).error?.message
  expect(await messageOf({ action: 'click' })).toBe('ref is missing: it must be a string.')
  expect(await messageOf({ action: 'fill', ref: 'e1' })).toBe('text is missing: it must be a string.')
  expect(await messageOf({ action: 'click', ref: 'e1', key: 'Enter' })).toBe(
    'unknown field "key": browser-act click takes ref, button, modifiers.',
  )
  expect(await messageOf({ action: 'click the pay button' })).toMatch(/^action must be one of click, /)
  expect(commands).toEqual([])
})

test('browser-wait waits for load, text, url or time (S3-18, S3-47)', async () => {
  const { execute, commands } = agent()
  await execute('browser-wait', { load: 'load' })
  await execute('browser-wait', { textIncludes: 'Paid' })
  await execute('browser-wait', { urlIncludes: '/done', timeoutMs: 900 })
  await execute('browser-wait', { timeout: 50 })
  expect(commands).toMatchObject([{ load: 'load', timeoutMs: 5_000 }, { text: 'Paid' }, { url: '/done', timeoutMs: 900 }, { ms: 50 }])
  expect((await execute('browser-wait')).error?.code).toBe('invalid_wait')
})

test('close ends the task with a summary and leaves the page alone (S3-19)', async () => {
  const { execute, commands } = agent()
  expect((await execute('close', { summary: ' ' })).error?.code).toBe('invalid_input')
  expect(await execute('close', { summary: 'Paid €4.' })).toEqual({
    ok: true,
    data: { text: 'the task is closed; the page stays as it is. open-url begins another task.', summary: 'Paid €4.' },
  })
  expect(commands).toEqual([])
})

test('after close, every tool but open-url fails with not_running (S3-19, S3-26)', async () => {
  const { execute, toModel, commands } = agent()
  await execute('close', { summary: 'Paid €4.' })
  for (const [name, args] of [
    ['browser-snapshot', {}],
    ['browser-act', { action: 'click', ref: 'e1' }],
    ['close', { summary: 'Again.' }],
  ] as const) {
    const answer = await execute(name, args)
    expect(answer).toMatchObject({ ok: false, data: null, error: { code: 'not_running' } })
    expect(toModel(answer).text).toBe('not_running: the task is closed. open-url begins another task.')
  }
  expect(commands).toEqual([])
  expect(await execute('open-url', { url: 'https://shop.example/' })).toMatchObject({ ok: true })
  expect(await execute('browser-snapshot')).toMatchObject({ ok: true })
  expect(await execute('close', { summary: 'Looked.' })).toMatchObject({ ok: true, data: { summary: 'Looked.' } })
})

test('a denied act lists the allowed ones (E2)', async () => {
  const { run } = recordingDriver({ shows: () => page([]) })
  const denying = agentTools(run, { policy: createPolicy({ deny: ['click', 'upload', 'open'] }) })
  expect((await denying.execute('browser-act', { action: 'click', ref: 'e1' })).error?.message).toBe(
    'browser-act click is denied by the policy; allowed are dblclick, hover, fill, fillForm, type, select, check, uncheck, press, scroll, scrollIntoView, drag, back, forward, reload.',
  )
  expect((await denying.execute('open-url', { url: 'https://shop.example/' })).error?.message).toBe(
    'open-url is denied by the policy; allowed are browser-observe, browser-snapshot, browser-act, browser-wait, browser-extract, close.',
  )
  // without open-url no other task can begin
  const closed = await denying.execute('close', { summary: 'Done.' })
  expect(closed.data?.text).not.toContain('open-url')
  expect((await denying.execute('browser-snapshot')).error?.hint).not.toContain('open-url')
})

test('browser-act carries out several actions in one call, and stops at the first that fails (S3-16)', async () => {
  const input = {
    action: 'fill',
    ref: 'e1',
    text: 'Ada',
    next: [
      { action: 'check', ref: 'e2' },
      { action: 'click', ref: 'e3' },
    ],
  }
  const acting = agent()
  const done = await acting.execute('browser-act', input)
  expect(done.data?.text.match(/^ok: .*$/gm)).toEqual(['ok: fill e1', 'ok: check e2', 'ok: click e3'])
  expect(acting.commands.filter(({ name }) => name !== 'snapshot').map(({ name, ref }) => `${name} ${ref}`)).toEqual([
    'fill e1',
    'check e2',
    'click e3',
  ])
  const failing = agent({ does: { check: () => fail('not_enabled', 'e2 is disabled.') } })
  const failed = await failing.execute('browser-act', input)
  expect(failed.error).toMatchObject({ code: 'not_enabled', message: 'e2 is disabled. 1 of 3 actions were carried out before.' })
  expect(failing.commands.some(({ name }) => name === 'click')).toBe(false)
  const wrong = agent()
  expect((await wrong.execute('browser-act', { ...input, next: [{ action: 'press' }] })).error?.code).toBe('invalid_input')
  expect(wrong.commands).toEqual([])
})

test('a policy denies each action of a call, and then none is carried out', async () => {
  const { run, commands } = recordingDriver({ shows: () => page([]) })
  const { execute } = agentTools(run, { policy: createPolicy({ deny: ['click'] }) })
  const result = await execute('browser-act', { action: 'fill', ref: 'e1', text: 'x', next: [{ action: 'click', ref: 'e2' }] })
  expect(result).toMatchObject({ ok: false, error: { code: 'disabled' } })
  expect(commands).toEqual([])
})

import { convertToModelMessages } from 'ai'
import { expect, test } from 'vitest'
import { type AgentEvent, type BrowserAgentOptions, createBrowserAgent } from '../../../src/agent.ts'
import type { AnyRun } from '../../../src/contract/run.ts'
import { call, close, refIn, scriptedModel, type Turn } from '../../support/scripted-model.ts'
import { openTestSession } from '../../support/test-session.ts'

const form = `<title>Shop</title><h1>Tea shop</h1><label>Name <input id=field></label><button type=button onclick="document.title='saved '+field.value;out.textContent='Saved '+field.value">Save</button><p id=out></p>`

interface Started {
  readonly html?: string
  readonly options?: Partial<BrowserAgentOptions>
}

/** Runs a scripted model on a page, and returns what became of it. */
async function runAgent(turns: readonly Turn[], { html = form, options = {} }: Started = {}) {
  await using page = await openTestSession({ html })
  const commands: string[] = []
  const run: AnyRun = (command, signal) => {
    commands.push(command.name)
    return page.session.run(command as never, signal)
  }
  const events: AgentEvent[] = []
  const model = scriptedModel(turns)
  const agent = await createBrowserAgent({
    model,
    run,
    goal: 'Save the name Ann',
    page: page.url,
    onEvent: event => events.push(event),
    ...options,
  })
  const result = await agent.run()
  return { result, model, events, commands, title: (await page.do('snapshot')).meta.title }
}

const observe = call('browser-observe', { task: 'save the name' })
const fill: Turn = (_, all) => call('browser-act', { action: 'fill', ref: refIn(all, 'textbox "Name"'), text: 'Ann' })
const save: Turn = (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Save"') })

test('a run observes, acts, and ends with a summary and evidence (S3-01 S3-08 S3-19 S3-37 S3-40)', async () => {
  const { result, title, events } = await runAgent([observe, fill, save, close('The name is saved.', ['Saved Ann'])])
  expect(result).toMatchObject({
    reason: 'closed',
    summary: 'The name is saved.',
    evidence: ['Saved Ann'],
    usage: { steps: 4, inputTokens: 4_000 },
  })
  expect(title).toBe('saved Ann')
  expect(events.map(({ type }) => type)).toEqual(['started', ...Array(4).fill(['call', 'answer']).flat(), 'ended'])
})

test('typed text is not in the events of a run, because it may be a secret (A4)', async () => {
  const { events } = await runAgent([observe, fill, save, close('Done.')])
  const given = events.flatMap(event => (event.type === 'call' ? [event.arguments] : []))
  expect(given[1]).toMatchObject({ action: 'fill', ref: expect.stringMatching(/^e\d+$/), text: '[typed]' })
  expect(JSON.stringify(given)).not.toContain('Ann')
})

test('the second call of a step is answered with one_call_per_step and not carried out (S3-39 C19)', async () => {
  const both: Turn = (_, all) => [
    call('browser-act', { action: 'fill', ref: refIn(all, 'textbox "Name"'), text: 'Ann' }),
    call('browser-act', { action: 'click', ref: refIn(all, 'button "Save"') }),
  ]
  const { result, model, title } = await runAgent([observe, both, close('Filled in.')])
  expect(result.reason).toBe('closed')
  expect(title).toBe('Shop')
  expect(model.prompts[2]).toMatch(/one_call_per_step: browser-act was not carried out/)
  expect(model.doStreamCalls[0]?.providerOptions).toMatchObject({ openai: { parallelToolCalls: false } })
})

test('unknown tools, invalid JSON and wrong arguments are answered, and the run goes on (S3-42 X3-11)', async () => {
  const { result, model } = await runAgent([
    call('browser-navigate', { url: 'x' }),
    call('browser-act', '{"action":'),
    call('browser-act', { action: 'fly' }),
    call('browser-act', { action: 'click', ref: 'e999' }),
    close('Nothing worked.'),
  ])
  expect(result).toMatchObject({ reason: 'closed', usage: { steps: 5 } })
  expect(model.prompts[1]).toMatch(/unavailable tool 'browser-navigate'/)
  expect(model.prompts[2]).toMatch(/Invalid input for tool browser-act/)
  expect(model.prompts[3]).toMatch(/invalid_input: action must be one of/)
  expect(model.prompts[4]).toMatch(/ref_not_found/)
})

test('close is forced in the last step, and a model that refuses it ends with max_steps (S3-38 S3-40)', async () => {
  const look: Turn = (_, all) => call('browser-extract', { query: `look ${all.length}` })
  const forced = await runAgent([look], { options: { limits: { steps: 4 } } })
  expect(forced.result).toMatchObject({ reason: 'max_steps', usage: { steps: 4 } })
  expect(forced.model.doStreamCalls.map(({ toolChoice }) => toolChoice?.type)).toEqual(['required', 'required', 'required', 'tool'])
  expect(forced.model.doStreamCalls.at(-1)?.tools?.map(({ name }) => name)).toEqual(['close'])
  const { model } = await runAgent([look])
  expect(model.doStreamCalls.length).toBe(15)
})

test('a model that says that the goal was not reached does not end as closed (S3-40 S3-41)', async () => {
  const notDone = call('close', { summary: 'There is no such name.', evidence: ['Tea shop'], done: false })
  const { result } = await runAgent([observe, notDone])
  expect(result).toMatchObject({ reason: 'error', error: { code: 'not_done' }, summary: 'There is no such name.', evidence: ['Tea shop'] })
  // nothing is left to resume
  expect(result.report).toBeDefined()
  const forced = await runAgent([observe, notDone], { options: { limits: { steps: 2 } } })
  expect(forced.result).toMatchObject({ reason: 'max_steps', summary: 'There is no such name.' })
})

test('text without a call is not an end: the model is asked again, then made to close (S3-40)', async () => {
  const asked = await runAgent(['It is done.', 'Really.', close('It was done.')])
  expect(asked.result).toMatchObject({ reason: 'closed', summary: 'It was done.' })
  expect(asked.model.prompts[1]).toMatch(/It is done\.\nText without a call ends nothing\. Go on/)
  expect(asked.model.doStreamCalls[2]?.toolChoice).toEqual({ type: 'tool', toolName: 'close' })
  const refused = await runAgent(['No.'])
  expect(refused.result).toMatchObject({ reason: 'error', error: { code: 'not_closed' }, summary: 'No.' })
  expect(refused.model.doStreamCalls.length).toBe(3)
})

test('a run that repeats its calls without any change is warned and ended (S3-38)', async () => {
  const same = await runAgent([call('browser-wait', { textIncludes: 'never', timeoutMs: 0 })])
  expect(same.result.reason).toBe('loop')
  expect(same.model.prompts.at(-1)).toContain('once more ends the run')
  const pair = await runAgent([
    observe,
    save,
    ...Array(4)
      .fill([call('browser-act', { action: 'scroll', direction: 'down' }), call('browser-act', { action: 'scroll', direction: 'up' })])
      .flat(),
  ])
  expect(pair.result.reason).toBe('loop')
})

test('stopping ends a run within a second, closes the open call truthfully, and nothing is dispatched afterwards (S3-04 S3-43)', async () => {
  await using page = await openTestSession({ html: form })
  const stop = new AbortController()
  const commands: string[] = []
  let stoppedAt = 0
  const run: AnyRun = (command, signal) => {
    commands.push(command.name)
    const result = page.session.run(command as never, signal)
    if (command.name === 'wait') {
      stoppedAt = performance.now()
      stop.abort()
    }
    return result
  }
  const model = scriptedModel([call('browser-wait', { textIncludes: 'never', timeoutMs: 60_000 }), fill])
  const agent = await createBrowserAgent({ model, run, goal: 'Wait', page: { url: page.url } })
  const { reason, message } = await agent.run({ signal: stop.signal })
  expect(performance.now() - stoppedAt).toBeLessThan(1_000)
  const dispatched = commands.length
  expect(reason).toBe('aborted')
  expect(model.doStreamCalls.length).toBe(1)
  const parts = message.parts.map(part => [part.type, 'state' in part ? part.state : undefined])
  expect(parts).toContainEqual(['tool-browser-wait', 'output-error'])
  expect(parts.at(-1)?.[0]).toBe('data-manual-stop')
  expect(message.metadata).toMatchObject({ reason: 'aborted' })
  // the rest of the run cannot act any more, whoever asks
  const late = await agent.agent.tools['browser-act']?.execute?.(
    { action: 'scroll', direction: 'down' },
    { toolCallId: 'late', messages: [], context: undefined as never },
  )
  expect(late).toMatchObject({ ok: false, error: { code: 'aborted' } })
  expect(commands.length).toBe(dispatched)
})

test('a model that ignores the stop signal cannot delay the end (S3-04)', async () => {
  await using page = await openTestSession({ html: form })
  const stop = new AbortController()
  const model = scriptedModel([
    () => {
      stop.abort()
      return new Promise(() => {})
    },
  ])
  const agent = await createBrowserAgent({ model, session: page.session, goal: 'Wait' })
  const { reason, message } = await agent.run({ signal: stop.signal })
  expect(reason).toBe('aborted')
  expect(message.parts.at(-1)?.type).toBe('data-manual-stop')
})

test('a connection that breaks in the middle of an answer is tried again, and nothing of that answer is carried out (S3-42)', async () => {
  const half = {
    broken: [
      { type: 'text-start', id: 'x' },
      { type: 'text-delta', id: 'x', delta: 'I will' },
      { type: 'tool-input-start', id: 'c9', toolName: 'browser-act' },
      { type: 'tool-input-delta', id: 'c9', delta: '{"action"' },
    ],
  } as const
  const { result, events, commands } = await runAgent([observe, half, fill, close('Done.')])
  expect(result).toMatchObject({ reason: 'closed', usage: { steps: 3 } })
  expect(events.filter(({ type }) => type === 'retry')).toMatchObject([{ attempt: 1, error: 'socket hang up' }])
  expect(commands.filter(name => name === 'fill')).toHaveLength(1)
  expect(result.message.parts.filter(part => part.type === 'text')).toMatchObject([{ text: 'I will', state: 'done' }])
})

test('a model error ends the run with its reason in parts and metadata, and the history can be used again (S3-42)', async () => {
  const { result } = await runAgent([observe, { error: Object.assign(new Error('quota used up'), { statusCode: 403 }) }])
  expect(result).toMatchObject({ reason: 'error', error: { code: 'model_error_403', message: 'quota used up' } })
  expect(result.message.parts.at(-1)).toMatchObject({ type: 'data-agent-error', data: { message: 'quota used up' } })
  expect(result.message.metadata).toMatchObject({ reason: 'error', error: { code: 'model_error_403' } })
  const history = await convertToModelMessages([{ role: 'user', parts: [{ type: 'text', text: 'go' }] }, result.message])
  expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
})

test('budgets of tokens, money, time and characters end a run, after a warning at 80 percent (S3-41)', async () => {
  const look: Turn = (_, all) => call('browser-extract', { query: `look ${all.length}` })
  const tokens = await runAgent([look], { options: { limits: { tokens: 5_000 } } })
  expect(tokens.result).toMatchObject({ reason: 'max_cost', usage: { steps: 5 } })
  expect(tokens.events.filter(({ type }) => type === 'warning')).toHaveLength(1)
  expect(tokens.model.prompts[4]).toContain('of 5000 tokens are used')
  const prices = { scripted: { input: 100, cachedInput: 10, output: 1_000 } }
  const money = await runAgent([look], { options: { limits: { cost: 0.2 }, prices } })
  expect(money.result).toMatchObject({ reason: 'max_cost', usage: { steps: 2 } })
  expect(money.result.usage.cost).toBeCloseTo(0.222, 5)
  const characters = await runAgent([look], { options: { limits: { characters: 600 } } })
  expect(characters.result.reason).toBe('max_cost')
  const time = await runAgent([call('browser-wait', { timeout: 60_000, timeoutMs: 60_000 })], { options: { limits: { timeMs: 200 } } })
  expect(time.result.reason).toBe('max_time')
  await expect(
    createBrowserAgent({ model: scriptedModel([]), run: async () => ({ ok: true, data: {} }), goal: 'x', limits: { cost: 1 } }),
  ).rejects.toThrow('needs a price for the model scripted')
})

test('a hand-off waits for a person without using time, and goes on from the page as it is then (S3-05)', async () => {
  await using page = await openTestSession({ html: form })
  const asked: string[] = []
  let parkedMs = 0
  const handoff = async (reason: string) => {
    const from = performance.now()
    asked.push(reason)
    await page.do('fill', { ref: await page.ref('textbox "Name"'), value: 'typed by a person' })
    parkedMs = performance.now() - from
    return 'done' as const
  }
  const model = scriptedModel([call('browser-handoff', { reason: 'Enter the code' }), close('Done.')])
  const agent = await createBrowserAgent({ model, session: page.session, goal: 'Log in', handoff, limits: { timeMs: 300_000 } })
  const from = performance.now()
  const { reason, usage } = await agent.run()
  const totalMs = performance.now() - from
  expect(reason).toBe('closed')
  expect(asked).toEqual(['Enter the code'])
  expect(model.prompts[1]).toMatch(/the person is done\.[\s\S]*typed by a person/)
  // 1 ms for rounding
  expect(usage.activeMs + parkedMs).toBeLessThanOrEqual(totalMs + 1)
  const alone = await createBrowserAgent({
    model: scriptedModel([call('browser-handoff', { reason: 'Enter the code' })]),
    session: page.session,
    goal: 'Log in',
  })
  expect(await alone.run()).toMatchObject({ reason: 'needs_approval', need: { kind: 'handoff', reason: 'Enter the code' } })
})

test('an agent opens, lists and selects tabs, and without that tool it stays on one page (S3-02 S3-52)', async () => {
  const { result, model } = await runAgent([
    call('browser-tabs', { operation: 'new' }),
    call('browser-tabs', { operation: 'list' }),
    call('browser-tabs', { operation: 'select', tab: 't1' }),
    close('Done.'),
  ])
  expect(result.reason).toBe('closed')
  expect(model.prompts[2]).toMatch(/ok: tabs list[\s\S]*t1 "Shop"[\s\S]*t2/)
  expect(model.prompts[3]).toMatch(/ok: tabs select/)
  const { model: denied } = await runAgent([call('browser-tabs', { operation: 'new' }), close('No tabs.')], { options: { tabs: false } })
  expect(denied.prompts[1]).toMatch(/unavailable tool 'browser-tabs'/)
})

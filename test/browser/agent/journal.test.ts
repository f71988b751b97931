import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createBrowserAgent, recordingOf, resumeBrowserAgent } from '../../../src/agent.ts'
import type { AnyRun } from '../../../src/contract/run.ts'
import { fileRunStore, readLog } from '../../../src/evidence.ts'
import { call, close, refIn, scriptedModel, type Turn } from '../../support/scripted-model.ts'
import { openTestSession } from '../../support/test-session.ts'

const html = `<title>Count</title><button type=button onclick="document.title=(+document.title||0)+1+''">Add one</button><input aria-label="Note">`
const look = call('browser-observe', { task: 'add' })
const add: Turn = (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Add one"') })
const runs = () => mkdtempSync(join(tmpdir(), 'pagehand-runs-'))

test('the log has every call with its answer, the turns of the model, what they used, and the reason of the end (S3-41)', async () => {
  await using page = await openTestSession({ html })
  const type: Turn = (_, all) => call('browser-act', { action: 'fill', ref: refIn(all, 'textbox "Note"'), text: 'hello' })
  const model = scriptedModel([
    look,
    [call('browser-observe'), call('browser-observe')],
    add,
    type,
    call('browser-fly'),
    close('Added.', ['1']),
  ])
  const agent = await createBrowserAgent({ model, session: page.session, goal: 'Add one', evidence: runs() })
  const { run, report = '', reason } = await agent.run()
  expect(reason).toBe('closed')
  const { events, damage } = readLog(readFileSync(join(dirname(report), 'events.jsonl'), 'utf8'))
  expect(damage).toBeUndefined()
  expect(events.every(event => event.run === run)).toBe(true)
  const types = events.map(({ type }) => type)
  expect(types.filter(type => type === 'agent.turn')).toHaveLength(6)
  expect(types.filter(type => type === 'tool.call')).toHaveLength(5)
  expect(types.filter(type => type === 'tool.result')).toHaveLength(5)
  expect(events.find(({ type }) => type === 'tool.refused')).toMatchObject({
    tool: 'browser-observe',
    text: expect.stringMatching(/^one_call_per_step/),
  })
  expect(events.filter(({ type }) => type === 'agent.turn').at(-2)).toMatchObject({
    invalid: [{ tool: 'browser-fly' }],
    usage: { steps: 5 },
  })
  expect(events.find(({ type }) => type === 'agent.ended')).toMatchObject({
    reason: 'closed',
    evidence: ['1'],
    usage: { steps: 6, inputTokens: 6_000 },
  })
  expect(events.find(({ type, verb }) => type === 'command' && verb === 'click')).toMatchObject({
    actionId: expect.any(String),
    commandHash: expect.any(String),
  })
  expect(types.at(-1)).toBe('run.ended')
  expect(readFileSync(report, 'utf8')).toContain('Added.')
})

test('a run whose model failed is resumed by another process, with its history and its budget (S3-41 S3-42)', async () => {
  await using page = await openTestSession({ html })
  const evidence = runs()
  const failing = scriptedModel([look, add, { error: Object.assign(new Error('no credit'), { statusCode: 402 }) }])
  const first = await createBrowserAgent({ model: failing, session: page.session, goal: 'Add one', evidence, limits: { steps: 4 } })
  const failed = await first.run()
  expect(failed).toMatchObject({ reason: 'error', usage: { steps: 2 } })
  expect(failed.report).toBeUndefined()
  expect(await fileRunStore({ folder: evidence }).list()).toMatchObject([{ id: failed.run, state: 'parked', goal: 'Add one' }])

  const model = scriptedModel([add, look, close('It says 1.')])
  const second = await resumeBrowserAgent(failed.run, { model, session: page.session, evidence, limits: { steps: 5 } })
  const result = await second.run()
  expect(result).toMatchObject({ run: failed.run, reason: 'closed', usage: { steps: 5 } })
  expect(model.prompts[0]).toMatch(/browser-act \{"action":"click"[\s\S]*ok: click[\s\S]*The run was interrupted and goes on now/)
  // what is on the page may have changed: an action before a look is refused
  expect(model.prompts[1]).toMatch(/outcome_unknown: nothing was done: the page may have changed/)
  expect((await page.do('snapshot')).meta.title).toBe('1')
  await expect(resumeBrowserAgent(failed.run, { model, session: page.session, evidence })).rejects.toThrow('has ended')
})

test('limits and prices belong to the run: they hold after it is resumed, unless they are changed then (S3-41)', async () => {
  await using page = await openTestSession({ html })
  const evidence = runs()
  const broken: Turn = { error: Object.assign(new Error('no credit'), { statusCode: 402 }) }
  const lookAround: Turn = (_, all) => call('browser-extract', { query: `look ${all.length}` })
  const options = { session: page.session, evidence }
  const prices = { scripted: { input: 100, output: 1_000 } }
  const first = await createBrowserAgent({
    ...options,
    model: scriptedModel([look, broken]),
    goal: 'Look',
    limits: { steps: 9, cost: 0.36 },
    prices,
  })
  const { run, usage } = await first.run()
  expect(usage.cost).toBeCloseTo(0.12, 5)
  const second = await resumeBrowserAgent(run, { ...options, model: scriptedModel([lookAround, broken]), limits: { steps: 3 } })
  await second.run()
  const third = await resumeBrowserAgent(run, { ...options, model: scriptedModel([lookAround]) })
  expect(await third.run()).toMatchObject({ reason: 'max_steps', usage: { steps: 3 } })
  const again = await createBrowserAgent({ ...options, model: scriptedModel([look, broken]), goal: 'Look', limits: { cost: 0.36 }, prices })
  const parked = await again.run()
  const resumed = await resumeBrowserAgent(parked.run, { ...options, model: scriptedModel([lookAround]) })
  expect(await resumed.run()).toMatchObject({ reason: 'max_cost', usage: { steps: 3 } })
})

test('an action that was begun when the process ended is not repeated, and the model learns that its outcome is unknown (S3-41)', async () => {
  await using page = await openTestSession({ html })
  const evidence = runs()
  const store = fileRunStore({ folder: evidence })
  // the process ends between the click and its result: nothing after the intent is written
  const { promise: reached, resolve: reach } = resolvable()
  const run: AnyRun = async (command, signal) => {
    const result = await page.session.run(command as never, signal)
    if (command.name !== 'click') return result
    reach()
    return new Promise(() => {})
  }
  const agent = await createBrowserAgent({ model: scriptedModel([look, add]), run, goal: 'Add one', evidence: store })
  void agent.run()
  await reached
  const copy = runs()
  copyRun(join(evidence, agent.id), join(copy, agent.id))

  const model = scriptedModel([look, close('It says 1 already.')])
  const resumed = await resumeBrowserAgent(agent.id, { model, session: page.session, evidence: copy })
  expect(await resumed.run()).toMatchObject({ reason: 'closed', summary: 'It says 1 already.' })
  expect(model.prompts[0]).toMatch(/the program ended before the answer was recorded/)
  expect(model.prompts[0]).toMatch(/outcome_unknown: click was begun before the interruption/)
  expect((await page.do('snapshot')).meta.title).toBe('1')
})

test('the recording of a run that goes on in another browser opens its page once (S3-51)', async () => {
  await using page = await openTestSession({ html })
  const evidence = runs()
  const before = await createBrowserAgent({
    model: scriptedModel([add, call('browser-handoff', { reason: 'Log in' })]),
    session: page.session,
    goal: 'Add one',
    page: page.url,
    evidence,
  })
  const parked = await before.run()
  expect(parked).toMatchObject({ reason: 'needs_approval' })
  await using other = await openTestSession()
  const model = scriptedModel([look, add, close('Done.')])
  const after = await resumeBrowserAgent(parked.run, { model, session: other.session, evidence })
  const { reason, report = '' } = await after.run()
  expect(reason).toBe('closed')
  const { steps } = recordingOf(readLog(readFileSync(join(dirname(report), 'events.jsonl'), 'utf8')))
  expect(steps.map(step => step.do)).toEqual(['open', 'click', 'click'])
})

test('an unanswered hand-off parks the run, which continues from a new observation (S3-05)', async () => {
  await using page = await openTestSession({ html })
  const evidence = runs()
  const first = await createBrowserAgent({
    model: scriptedModel([call('browser-handoff', { reason: 'Log in' })]),
    session: page.session,
    goal: 'Add one',
    evidence,
  })
  const parked = await first.run()
  expect(parked).toMatchObject({ reason: 'needs_approval', need: { kind: 'handoff', reason: 'Log in' } })
  const model = scriptedModel([look, close('Done.')])
  const second = await resumeBrowserAgent(parked.run, { model, session: page.session, evidence })
  expect(await second.run()).toMatchObject({ reason: 'closed', usage: { steps: 3 } })
  expect(model.prompts[0]).toMatch(/The person was asked to do what you wanted in the browser\. See whether it is done/)
})

test('where a person can answer, a resumed run asks again for what it had handed over (S3-05)', async () => {
  await using page = await openTestSession({ html })
  const evidence = runs()
  const options = { session: page.session, goal: 'Add one', evidence }
  const first = await createBrowserAgent({ ...options, model: scriptedModel([call('browser-handoff', { reason: 'Log in' })]) })
  const { run } = await first.run()
  const later = await resumeBrowserAgent(run, { ...options, model: scriptedModel([]), handoff: async () => 'pending' })
  expect(await later.run()).toMatchObject({
    reason: 'needs_approval',
    need: { kind: 'handoff', reason: 'Log in' },
    summary: 'A person must do this in the browser: Log in',
    usage: { steps: 1 },
  })
  const asked: string[] = []
  const handoff = async (reason: string) => {
    asked.push(reason)
    return 'done' as const
  }
  const last = await resumeBrowserAgent(run, { ...options, model: scriptedModel([look, close('Done.')]), handoff })
  expect(await last.run()).toMatchObject({ reason: 'closed', usage: { steps: 3 } })
  expect(asked).toEqual(['Log in'])
})

function resolvable() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

/** The folder as another process finds it: without the note of who owns the run. */
function copyRun(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: file => !/owner/.test(basename(file)) })
}

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LanguageModel } from 'ai'
import { afterAll, expect, test } from 'vitest'
import { perform } from '../../../examples/agent/agent.mjs'
import { resolveModel } from '../../../src/agent.ts'
import { openSession } from '../../../src/browser.ts'
import { type LogEntry, type RunSummary, readLog } from '../../../src/evidence.ts'
import { approveAll } from '../../support/approve-all.ts'
import { sharedBrowser } from '../../support/open-page.ts'
import { openResponsesApi, type ReplyTurn } from '../../support/responses-api.ts'
import { call, close, refIn } from '../../support/scripted-model.ts'
import { pageText, type Task, tasks } from '../../support/tasks.ts'

const shelf = mkdtempSync(join(tmpdir(), 'pagehand-runs-'))
afterAll(() => rmSync(shelf, { recursive: true, force: true }))

const task = (name: string) => tasks.find(each => each.name === name) as Task

/** Runs a task with a model and checks the page, not the agent, for success. */
async function performed({ files, goal, holds, secret }: Task, model: LanguageModel) {
  const { chromium, site } = await sharedBrowser()
  const folder = site.add(files)
  await using session = await openSession({ browser: chromium })
  const done = await perform(goal(folder.url), {
    model,
    evidence: shelf,
    session,
    approvals: approveAll,
    check: async ({ summary }) => holds({ text: summary, page: await pageText(session) }).map(([says, held]) => ({ says, held })),
    redact: [key, ...(secret ? [secret] : [])],
  })
  folder.remove()
  const { report = '' } = done
  const log = readLog(readFileSync(join(dirname(report), 'events.jsonl'), 'utf8'))
  const meta = JSON.parse(readFileSync(join(dirname(report), 'meta.json'), 'utf8')) as RunSummary
  return { ...done, folder: dirname(report), log, meta, html: readFileSync(report, 'utf8') }
}

const key = 'sk-never-written-down-4711'
/** A model behind OpenAI's Responses API that follows a script. */
async function playing(turns: readonly ReplyTurn[]) {
  const api = await openResponsesApi(turns, key)
  const model = (given = key) => resolveModel('played', { OPENAI_BASE_URL: api.baseUrl, OPENAI_API_KEY: given })
  return { model, [Symbol.asyncDispose]: api[Symbol.asyncDispose] }
}
const refOf = (text: string, line: string) => new RegExp(`${line}.*?\\[ref=(e\\d+)\\]`).exec(text)?.[1] ?? 'none'
const open: ReplyTurn = (_, all) => call('open-url', { url: /http:\/\/127\.\S+?\/(?=\s)/.exec(all)?.[0] })
const look: ReplyTurn = call('browser-snapshot')
const act =
  (line: string, action: string, fields: object = {}): ReplyTurn =>
  (_, all) =>
    call('browser-act', { action, ref: refIn(all, line), ...fields })

const filesIn = (folder: string) =>
  (readdirSync(folder, { recursive: true }) as string[]).filter(each => statSync(join(folder, each)).isFile())

test('an agent run leaves frames, snapshots, an event chain with its tool calls, and a report (S2-11 S2-59 S2-60)', async () => {
  await using played = await playing([
    open,
    look,
    act('combobox "Guests"', 'select', { values: ['3'] }),
    act('"Day"', 'fill', { text: '2026-12-24' }),
    act('radio "Garden"', 'check'),
    act('button "Go on"', 'click'),
    act('button "Book it"', 'click'),
    last => close(`Your booking is ${/T-\d+/.exec(last)?.[0]}.`, ['Booked: T-8815']),
  ])
  const { summary, checks, folder, log, meta, html } = await performed(task('books a table over two pages'), await played.model())
  expect(summary).toBe('Your booking is T-8815.')
  expect(checks?.map(({ held }) => held)).toEqual([true, true])

  expect(log).toMatchObject({ torn: false })
  expect(log.damage).toBeUndefined()
  const run = folder.split(/[/\\]/).at(-1)
  expect(log.events.every(event => event.run === run)).toBe(true)
  const calls = log.events.filter(({ type }) => type === 'tool.call').map(({ tool }) => tool)
  expect(calls).toEqual(['open-url', 'browser-snapshot', ...Array(5).fill('browser-act'), 'close'])
  const isFill = ({ arguments: given }: LogEntry) => (given as { action?: string } | undefined)?.action === 'fill'
  const [asked, done] = ['tool.call', 'tool.result'].map(type => log.events.find(event => event.type === type && isFill(event)))
  expect(asked).toMatchObject({ arguments: { text: '[typed]' } })
  expect(done).toMatchObject({ arguments: { text: '2026-12-24' } })

  // a screenshot and a snapshot in both forms after every state-changing call, and the requests that a person has approved
  const files = filesIn(folder)
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !file.startsWith('approvals/'))
    .sort()
  const steps = ['001', '002', '003', '004', '005', '006']
  expect(files).toEqual(
    [
      'events.jsonl',
      'owner/1',
      ...steps.map(step => `frames/${step}.png`),
      'meta.json',
      'report.html',
      ...steps.flatMap(step => [`snapshots/${step}.json`, `snapshots/${step}.txt`]),
    ].sort(),
  )
  expect(readFileSync(join(folder, 'frames/006.png')).subarray(1, 4).toString()).toBe('PNG')
  expect(readFileSync(join(folder, 'snapshots/005.txt'), 'utf8')).toMatch(/title="Confirm"[\s\S]*button "Book it"/)
  expect(JSON.parse(readFileSync(join(folder, 'snapshots/005.json'), 'utf8'))).toMatchObject({
    type: 'snapshot',
    meta: { title: 'Confirm' },
  })

  expect(meta).toMatchObject({
    run,
    text: summary,
    steps: 8,
    usage: { input: 8_000 },
    toolUses: { 'browser-snapshot': 1, 'browser-act': 5, 'open-url': 1 },
    toolFailures: 0,
    assertions: { held: 2, failed: 0 },
    log: { events: log.events.length, head: log.head },
  })
  for (const shown of [summary, 'browser-act', 'The page after step', '✓ the right table is booked', 'snapshots/005.txt', '8,000'])
    expect(html).toContain(shown)
  expect(readFileSync(join(shelf, 'index.html'), 'utf8')).toContain(`${run}/report.html`)
})

test('the report opens from disk, offline, without scripts, and shows its screenshots (S2-60)', async () => {
  const { chromium } = await sharedBrowser()
  await using session = await openSession({ browser: chromium, fileRoots: [shelf], allowEval: true })
  expect(await session.run({ name: 'open', url: pathToFileURL(join(shelf, 'index.html')).href })).toMatchObject({ ok: true })
  const page = await pageText(session)
  const link = refOf(page, 'link "Book a table')
  expect(await session.run({ name: 'click', ref: link })).toMatchObject({
    ok: true,
    data: { page: { title: expect.stringMatching(/– evidence$/) } },
  })
  const shown = await session.run({
    name: 'evaluate',
    js: `Promise.all([...document.images].map(image => (image.loading = 'eager', image.decode().then(() => image.naturalWidth > 0, () => false)))).then(all => [all.length, all.every(Boolean), document.scripts.length].join())`,
  })
  expect(shown).toMatchObject({ ok: true, data: { value: '"6,true,0"' } })
})

test("neither a typed password nor the model's key is in the evidence (S2-61 A4)", async () => {
  const member = task('signs in and reads what only a member sees')
  const secret = member.secret as string
  await using played = await playing([
    open,
    look,
    act('textbox "Card"', 'fill', { text: 'L-2041' }),
    act('textbox "Password"', 'fill', { text: secret }),
    // a model that repeats the secret in another call
    call('browser-wait', { textIncludes: `${secret} ${key}`, timeoutMs: 0 }),
    act('button "Sign in"', 'click'),
    call('browser-snapshot', { interactiveOnly: false }),
    close(`Emma, due 19 November. I used ${secret}.`),
  ])
  const { folder, summary, meta } = await performed(member, await played.model())
  expect(summary).toContain('Emma')
  expect(meta.assertions).toEqual({ held: 2, failed: 0 })
  for (const file of filesIn(folder)) {
    const content = readFileSync(join(folder, file), 'utf8')
    for (const word of [secret, encodeURIComponent(secret), key]) expect(content, file).not.toContain(word)
  }
  expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).toContain('"L-2041"')
})

test('a model that cannot be reached ends the run with the reason, and the run can be resumed (S2-59)', async () => {
  await using played = await playing([])
  const { chromium } = await sharedBrowser()
  await using session = await openSession({ browser: chromium })
  const result = await perform('Look', { model: await played.model('sk-wrong-0000'), evidence: shelf, session })
  expect(result).toMatchObject({ reason: 'error', error: { code: 'model_error_401' } })
  expect(result.report).toBeUndefined()
})

test('a check that fails is part of the evidence as a statement that does not hold (S2-60)', async () => {
  const { chromium } = await sharedBrowser()
  await using session = await openSession({ browser: chromium })
  await using played = await playing([close('Looked.')])
  const check = () => Promise.reject(new Error('no page'))
  const { report = '', checks } = await perform('Look', { model: await played.model(), evidence: shelf, session, check })
  expect(checks).toEqual([{ says: 'the outcome can be checked (no page)', held: false }])
  expect(readFileSync(report, 'utf8')).toContain('the outcome can be checked (no page)')
})

const { OPENAI_API_KEY, PAGEHAND_MODEL } = process.env
const isReady = Boolean(OPENAI_API_KEY && PAGEHAND_MODEL)
if (!isReady) console.log(`agent-run: ${tasks.length} tasks with a real model skipped: OPENAI_API_KEY and PAGEHAND_MODEL are not set`)

test.skipIf(!isReady).each(tasks.map(each => [each.name, each] as const))(
  'a real model, told only the goal, %s (S2-59 X2-11)',
  { timeout: 300_000 },
  async (_, each) => {
    const { log, meta, summary } = await performed(each, await resolveModel(PAGEHAND_MODEL))
    expect(log.events.filter(({ type }) => type === 'tool.call').length).toBeGreaterThan(0)
    expect(meta.assertions.failed, summary).toBe(0)
  },
)

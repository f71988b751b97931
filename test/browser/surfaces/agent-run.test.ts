import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { perform } from '../../../examples/agent/agent.mjs'
import { openSession } from '../../../src/browser.ts'
import { type RunSummary, readLog } from '../../../src/evidence.ts'
import { serve } from '../../support/http-server.ts'
import { sharedBrowser } from '../../support/open-page.ts'
import { pageText, type Task, tasks } from '../../support/tasks.ts'

const shelf = mkdtempSync(join(tmpdir(), 'pagehand-runs-'))
afterAll(() => rmSync(shelf, { recursive: true, force: true }))

const task = (name: string) => tasks.find(each => each.name === name) as Task

/** Runs a task with a model and checks the page, not the agent, for success. */
async function performed({ files, goal, holds, secret }: Task, model: { url: string; name: string; key: string }) {
  const { chromium, site } = await sharedBrowser()
  const folder = site.add(files)
  await using session = await openSession({ browser: chromium })
  const check = async (text: string) => holds({ text, page: await pageText(session) })
  const done = await perform(goal(folder.url), { model, folder: shelf, session, check, secrets: secret ? [secret] : [] })
  folder.remove()
  const log = readLog(readFileSync(join(done.folder, 'events.jsonl'), 'utf8'))
  const meta = JSON.parse(readFileSync(join(done.folder, 'meta.json'), 'utf8')) as RunSummary
  return { ...done, log, meta, html: readFileSync(done.report, 'utf8') }
}

type Turn = (last: string, all: string) => { tool: string; args: object } | string

/** Stands in for the model: a Chat Completions endpoint that reads its messages as a model would. */
async function playing(turns: readonly Turn[]) {
  let turn = 0
  return serve(async (request, response) => {
    const { messages } = JSON.parse(await textOf(request)) as { messages: { role: string; content: string }[] }
    const said = turns[turn++]?.(messages.at(-1)?.content ?? '', messages.map(({ content }) => content ?? '').join('\n')) ?? 'I am done.'
    const message =
      typeof said === 'string'
        ? { role: 'assistant', content: said }
        : {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `c${turn}`, type: 'function', function: { name: said.tool, arguments: JSON.stringify(said.args) } }],
          }
    response.writeHead(request.headers.authorization === `Bearer ${key}` ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ message }], usage: { prompt_tokens: 1_000, completion_tokens: 20 } }))
  })
}
const key = 'sk-never-written-down-4711'
const refOf = (text: string, line: string) => new RegExp(`${line}.*?\\[ref=(e\\d+)\\]`).exec(text)?.[1] ?? 'none'
const open: Turn = (_, all) => ({ tool: 'web_open', args: { url: /http:\/\/127\.\S+?\/(?=\s)/.exec(all)?.[0] } })
const look: Turn = () => ({ tool: 'web_snapshot', args: {} })
const fill =
  (line: string, value: string): Turn =>
  (_, all) => ({ tool: 'web_fill', args: { ref: refOf(all, line), value } })
const click =
  (line: string): Turn =>
  (_, all) => ({ tool: 'web_click', args: { ref: refOf(all, line) } })

const filesIn = (folder: string) =>
  (readdirSync(folder, { recursive: true }) as string[]).filter(each => statSync(join(folder, each)).isFile())

test('an agent run leaves frames, snapshots, an event chain with its tool calls, and a report (S2-11 S2-59 S2-60)', async () => {
  await using model = await playing([
    open,
    look,
    (_, all) => ({ tool: 'web_select', args: { ref: refOf(all, 'combobox "Guests"'), values: ['3'] } }),
    fill('"Day"', '2026-12-24'),
    (_, all) => ({ tool: 'web_check', args: { ref: refOf(all, 'radio "Garden"') } }),
    click('button "Go on"'),
    look,
    () => ({ tool: 'web_screenshot', args: { label: 'before it counts' } }),
    (last, all) => ({ tool: 'web_click', args: { ref: refOf(`${all}${last}`, 'button "Book it"') } }),
    last => `Your booking is ${/T-\d+/.exec(last)?.[0]}.`,
  ])
  const { text, folder, log, meta, html } = await performed(task('books a table over two pages'), { url: model.url, name: 'played', key })
  expect(text).toBe('Your booking is T-8815.')

  expect(log).toMatchObject({ torn: false })
  expect(log.damage).toBeUndefined()
  const run = folder.split(/[/\\]/).at(-1)
  expect(log.events.every(event => event.run === run)).toBe(true)
  const calls = log.events.filter(({ type }) => type === 'tool.call').map(({ tool }) => tool)
  expect(calls).toEqual(
    ['open', 'snapshot', 'select', 'fill', 'check', 'click', 'snapshot', 'screenshot', 'click'].map(name => `web_${name}`),
  )
  expect(log.events.find(({ type, tool }) => type === 'tool.call' && tool === 'web_fill')).toMatchObject({
    arguments: { value: '[typed]' },
  })
  expect(log.events.filter(({ type }) => type === 'tool.result').map(event => event.arguments)[3]).toMatchObject({ value: '2026-12-24' })

  // a screenshot and a snapshot in both forms after every state-changing call, and the requested screenshot
  const files = filesIn(folder)
    .map(file => file.replaceAll('\\', '/'))
    .sort()
  const steps = ['001', '002', '003', '004', '005', '006']
  expect(files).toEqual(
    [
      'events.jsonl',
      'owner/1',
      ...steps.map(step => `frames/${step}.png`),
      'frames/shot-001-before-it-counts.png',
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
    text,
    steps: 10,
    usage: { input: 10_000, output: 200 },
    toolUses: { web_snapshot: 2, web_click: 2, web_open: 1 },
    toolFailures: 0,
    assertions: { held: 2, failed: 0 },
    log: { events: log.events.length, head: log.head },
  })
  for (const shown of [text, 'web_select', 'The page after step', '✓ the right table is booked', 'snapshots/005.txt', '10,000'])
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
  expect(shown).toMatchObject({ ok: true, data: { value: '"7,true,0"' } })
})

test("neither a typed password nor the model's key is in the evidence (S2-61 A4)", async () => {
  const member = task('signs in and reads what only a member sees')
  const secret = member.secret as string
  await using model = await playing([
    open,
    look,
    fill('textbox "Card"', 'L-2041'),
    fill('textbox "Password"', secret),
    // a model that repeats the secret in another call
    (_, all) => ({ tool: 'web_wait', args: { text: `${secret} ${key}`, timeout_ms: 0, ref: refOf(all, 'x') } }),
    click('button "Sign in"'),
    () => ({ tool: 'web_snapshot', args: { interactive_only: false } }),
    () => `Emma, due 19 November. I used ${secret}.`,
  ])
  const { folder, text, meta } = await performed(member, { url: model.url, name: 'played', key })
  expect(text).toContain('Emma')
  expect(meta.assertions).toEqual({ held: 2, failed: 0 })
  for (const file of filesIn(folder)) {
    const content = readFileSync(join(folder, file), 'utf8')
    for (const word of [secret, encodeURIComponent(secret), key]) expect(content, file).not.toContain(word)
  }
  expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).toContain('"value":"L-2041"')
})

test('an unreachable model is recorded as the reason for the stop', async () => {
  await using model = await playing([])
  const { text, meta } = await performed(task('books a table over two pages'), { url: model.url, name: 'played', key: 'sk-wrong-0000' })
  expect(text).toMatch(/^Stopped: the model API returned 401/)
  expect(meta).toMatchObject({ text, assertions: { held: 0, failed: 2 } })
})

test('a failing check is recorded, and the endpoint of the model is not (S2-61)', async () => {
  const { chromium } = await sharedBrowser()
  await using session = await openSession({ browser: chromium })
  const model = { url: 'internal.corp.example/gateway', name: 'none', key }
  const { text, report } = await perform('Look', { model, folder: shelf, session, check: () => Promise.reject(new Error('no page')) })
  expect(text).toBe('Stopped: no page')
  expect(readFileSync(report, 'utf8')).toContain('Stopped: no page')
  const unreachable = await perform('Look', { model, folder: shelf, session })
  expect(unreachable.text).toMatch(/^Stopped: .*internal/)
  expect(readFileSync(unreachable.report, 'utf8')).not.toContain('internal')
})

const { PAGEHAND_MODEL_KEY, PAGEHAND_MODEL, PAGEHAND_MODEL_URL = 'https://api.openai.com/v1' } = process.env
const isReady = Boolean(PAGEHAND_MODEL_KEY && PAGEHAND_MODEL)
if (!isReady) console.log(`agent-run: ${tasks.length} tasks with a real model skipped: PAGEHAND_MODEL_KEY and PAGEHAND_MODEL are not set`)

test.skipIf(!isReady).each(tasks.map(each => [each.name, each] as const))(
  'a real model, told only the goal, %s (S2-59 X2-11)',
  { timeout: 300_000 },
  async (_, each) => {
    const { log, meta, text } = await performed(each, {
      url: PAGEHAND_MODEL_URL,
      name: PAGEHAND_MODEL as string,
      key: PAGEHAND_MODEL_KEY as string,
    })
    expect(log.events.filter(({ type }) => type === 'tool.call').length).toBeGreaterThan(0)
    expect(meta.assertions.failed, text).toBe(0)
  },
)

import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeReplay } from '../../../src/agent/recording-replay.ts'
import { replayRun } from '../../../src/agent/replay-run.ts'
import {
  createBrowserAgent,
  createRecorder,
  formatRecording,
  parseRecording,
  type Recording,
  recordingOf,
  replay,
  rulesModel,
} from '../../../src/agent.ts'
import type { AnyRun } from '../../../src/contract/run.ts'
import { fileRunStore } from '../../../src/evidence.ts'
import { run as runAgentProgram } from '../../../src/programs/agent.ts'
import { run as runProgram } from '../../../src/programs/recordings.ts'
import { englishShop, type ShopState } from '../../agent/sites/shop.ts'
import { openSite, type SiteDefinition } from '../../agent/sites/site.ts'
import { type AgentTask, agentTasks } from '../../agent/sites/tasks.ts'
import { isLong } from '../../faults/scale.ts'
import { approveAll } from '../../support/approve-all.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { call, close, refIn, scriptedModel } from '../../support/scripted-model.ts'
import { openTestSession } from '../../support/test-session.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagehand-replay-'))
  await writeFile(join(folder, 'cv.txt'), 'Baker since 2019.')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const recordings = new Map<string, Promise<Recording>>()

/** What the rules do for a task, as a recording that was written and read again. */
function recordingFor(task: AgentTask): Promise<Recording> {
  const known = recordings.get(task.name) ?? record(task)
  recordings.set(task.name, known)
  return known
}

async function record({ site, goal, outcome, expected, secrets = [] }: AgentTask): Promise<Recording> {
  await using server = await openSite(site)
  await using opened = await openTestSession({}, { uploadRoots: [folder] })
  const store = fileRunStore({ folder: join(folder, 'runs') })
  const given = goal({ url: server.url, file: join(folder, 'cv.txt') })
  const agent = await createBrowserAgent({
    model: rulesModel(),
    approvals: approveAll,
    session: opened.session,
    goal: given,
    evidence: store,
    redact: secrets,
  })
  const { run } = await agent.run()
  await expect.poll(() => outcome(server.state)).toEqual(expected)
  const text = formatRecording(recordingOf(await store.read(run)))
  for (const secret of secrets) expect(text).not.toContain(secret)
  return parseRecording(text)
}

async function replayTask(task: AgentTask, rewrite?: (html: string) => string, set: { readonly [name: string]: string } = {}) {
  const recording = await recordingFor(task)
  await using server = await openSite(task.site, rewrite)
  await using opened = await openTestSession({}, { uploadRoots: [folder] })
  const secrets = Object.fromEntries(recording.secrets.map((name, at) => [name, task.hidden?.[at] ?? '']))
  const result = await replay(recording, opened.session.run, { set: { site: new URL(server.url).origin, ...secrets, ...set } })
  if (result.ok) await expect.poll(() => task.outcome(server.state)).toEqual(task.expected)
  return {
    result,
    healed: result.done.flatMap(({ healed }) => healed ?? []),
    outcome: task.outcome(server.state),
    untouched: task.outcome(task.site.start()),
  }
}

/** Everything is in other containers, behind other controls. */
const moved = (html: string) =>
  html
    .replace(
      '<main>',
      '<main><section aria-label="News"><h2>News</h2><a href="/news">Read more</a> <button type="button">Subscribe</button></section><section aria-label="Content"><div>',
    )
    .replace('</main>', '</div></section></main>')
    .replace('<div id="app"></div>', '<main><button type="button">Subscribe</button><div id="app"></div></main>')

/** Items, rows and groups in the opposite order. */
const reordered = (html: string) =>
  ['li', 'fieldset', 'tr'].reduce(
    (text, tag) =>
      text.replace(new RegExp(`(?:<${tag}>(?:(?!<th>|</${tag}>).)*</${tag}>\\s*){2,}`, 'gs'), list =>
        (list.match(new RegExp(`<${tag}>.*?</${tag}>`, 'gs')) ?? []).reverse().join(''),
      ),
    html,
  )

/** Other words on the same controls. */
const renamed = (html: string) =>
  [
    ['Add to cart', 'Put into basket'],
    ['Check out<', 'To the till<'],
    ['Place order', 'Buy it'],
    ['Email', 'E-mail address'],
    ['>Log in<', '>Enter<'],
    ['Approve<', 'Accept<'],
    ['>Book<', '>Reserve<'],
    ['>CV ', '>Resume '],
    ['Card number', 'Number of the card'],
    ["'Follow'", "'Subscribe'"],
    ['Show the weather', 'Go'],
    ['Finish<', 'Complete<'],
    ['Save settings', 'Store'],
    ['加入购物车', '放入'],
    ['id="app"', 'id="app" aria-label="App"'],
  ].reduce((text, [was = '', is = '']) => text.replaceAll(was, is), html)

/** a form of 60 fields is recorded and replayed twice, with a snapshot per field */
const timeout = 240_000

/** every way to act once; `npm run test:faults` repeats all tasks, which takes minutes */
const shortTasks = ['buys two things in a shop', 'logs in over two pages', 'filters a table', 'pays in a form of a frame']
const replayed = isLong ? agentTasks : agentTasks.filter(({ name }) => shortTasks.some(each => name.startsWith(each)))

for (const task of replayed) {
  test(`a recording repeats without a model: ${task.name} (S3-51)`, { timeout }, async () => {
    const { result, healed } = await replayTask(task)
    expect(result).toMatchObject({ ok: true })
    expect(healed).toEqual([])
  })

  test(`a recording finds moved and reordered elements: ${task.name} (S3-51)`, { timeout }, async () => {
    const afterMove = await replayTask(task, moved)
    expect(afterMove.result).toMatchObject({ ok: true })
    expect(afterMove.healed.length).toBeGreaterThan(0)
    expect((await replayTask(task, reordered)).result).toMatchObject({ ok: true })
  })

  test(`a recording never acts on another element where names changed: ${task.name} (S3-51)`, { timeout }, async () => {
    const { result, outcome, untouched } = await replayTask(task, renamed)
    if (result.ok) return
    expect(result.stopped?.why).toMatch(/is not on the page|is there, but not in/)
    // what was done up to the stop is a part of what was recorded, and the step that stopped did nothing
    expect(isBetween(outcome, untouched, task.expected), JSON.stringify(outcome)).toBe(true)
  })
}

/** Whether each fact is as it was before the run, or as the whole run leaves it. */
function isBetween(now: unknown, before: unknown, after: unknown): boolean {
  if ([before, after].some(each => JSON.stringify(each) === JSON.stringify(now))) return true
  const parts = [now, before, after].map(each =>
    typeof each === 'object' && each !== null && !Array.isArray(each) ? Object.entries(each) : [],
  )
  const [own = [], first = [], last = []] = parts
  const find = (entries: readonly [string, unknown][], key: string) => entries.find(([name]) => name === key)?.[1]
  return own.length > 0 && own.every(([key, value]) => isBetween(value, find(first, key), find(last, key)))
}

/** The shop with two equal items. */
const doubled: SiteDefinition<ShopState> = {
  ...englishShop,
  async respond(request, state) {
    const response = await englishShop.respond(request, state)
    return { ...response, ...(response.html && { html: response.html.replace(/<li><h2>Blue teapot.*?<\/li>/s, item => `${item}${item}`) }) }
  },
}
const shopTask = agentTasks[0] as AgentTask

test('a replay stops before an element that is ambiguous, and says so (S3-51)', async () => {
  const recording = await recordingFor(shopTask)
  await using server = await openSite(doubled)
  await using opened = await openTestSession()
  const result = await replay(recording, opened.session.run, { set: { site: new URL(server.url).origin } })
  expect(result).toMatchObject({
    ok: false,
    stopped: { step: 2, hasActed: false, why: expect.stringContaining('nothing tells which one is meant') },
  })
  expect(server.state).toEqual({ cart: [], orders: [] })
})

test('a replay stops before an element whose item is gone, even if one with the same name is left (S3-51)', async () => {
  const recording = await recordingFor(shopTask)
  await using server = await openSite(englishShop, html => html.replace(/<li><h2>(?!Red teapot).*?<\/li>/gs, ''))
  await using opened = await openTestSession()
  const result = await replay(recording, opened.session.run, { set: { site: new URL(server.url).origin } })
  expect(result).toMatchObject({ ok: false, stopped: { step: 2, why: 'button "Add to cart" is there, but not in "Blue teapot"' } })
  expect(server.state.cart).toEqual([])
})

test('a replay stops at the first condition that is not met afterwards (S3-51)', async () => {
  const task = agentTasks[1] as AgentTask
  const recording = await recordingFor(task)
  expect(recording.secrets).toEqual(['password'])
  await using server = await openSite(task.site)
  await using opened = await openTestSession()
  const site = new URL(server.url).origin
  const withoutSecret = await replay(recording, opened.session.run, { set: { site } })
  expect(withoutSecret).toMatchObject({ ok: false, done: [], stopped: { why: expect.stringContaining('password is not stored') } })
  const { stopped } = await replay(recording, opened.session.run, { set: { site, password: 'wrong-horse' } })
  expect(stopped).toMatchObject({ hasActed: true, why: `the page is ${site}/wrong, not ${site}/account` })
})

test('typed values are parameters: another value is typed, and found again where it names an element (S3-51)', async () => {
  const task = agentTasks.find(({ name }) => name.includes('(react)')) as AgentTask
  const recording = await recordingFor(task)
  const [milk] = Object.entries(recording.parameters).find(([, value]) => value === 'Milk') ?? []
  await using server = await openSite(task.site)
  await using opened = await openTestSession()
  const result = await replay(recording, opened.session.run, { set: { site: new URL(server.url).origin, [milk as string]: 'Oat milk' } })
  expect(result).toMatchObject({ ok: true })
  await expect.poll(() => task.outcome(server.state)).toEqual(['[x] Oat milk', '[ ] Bread', '[x] Tea'])
})

test('an agent with a recording repeats it first, without asking its model (S3-51)', async () => {
  const recording = await recordingFor(shopTask)
  await using server = await openSite(shopTask.site)
  await using opened = await openTestSession()
  const model = scriptedModel([])
  const agent = await createBrowserAgent({
    model,
    session: opened.session,
    approvals: approveAll,
    goal: 'Buy tea things',
    evidence: join(folder, 'runs'),
    recording,
    recordingValues: { site: new URL(server.url).origin },
  })
  const { reason, summary } = await agent.run()
  expect([reason, model.doStreamCalls.length]).toEqual(['closed', 0])
  expect(summary).toMatch(/^Repeated all \d+ steps of a recording, without a model\./)
  expect(shopTask.outcome(server.state)).toEqual(shopTask.expected)
})

test('where a recording breaks, the model continues and knows the finished steps (S3-51)', async () => {
  const recording = await recordingFor(shopTask)
  await using server = await openSite(englishShop, html => html.replace('>Place order<', '>Buy it<'))
  await using opened = await openTestSession()
  const model = scriptedModel([
    call('browser-observe', { task: 'buy' }),
    (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Buy it"') }),
    close('Bought.'),
  ])
  const agent = await createBrowserAgent({
    model,
    session: opened.session,
    approvals: approveAll,
    goal: 'Buy tea things',
    evidence: join(folder, 'runs'),
    recording,
    recordingValues: { site: new URL(server.url).origin },
  })
  expect(await agent.run()).toMatchObject({ reason: 'closed', summary: 'Bought.' })
  expect(JSON.stringify(model.doStreamCalls[0]?.prompt)).toMatch(/could not be repeated: button \W+Place order\W+ is not on the page/)
  expect(shopTask.outcome(server.state)).toEqual(shopTask.expected)
})

test('pagehand record writes a recording or a skill, and pagehand replay repeats it (S3-51)', async () => {
  await recordingFor(shopTask)
  const runs = join(folder, 'runs')
  const [run] = (await fileRunStore({ folder: runs }).list()).filter(({ goal }) => goal?.includes('Blue teapot'))
  const file = join(folder, 'shop.json')
  const program = (...words: readonly string[]) => runProgram(words)
  expect(await program('record', run?.id ?? '', '--evidence', runs, '--out', file)).toBe(0)
  expect(await program('record', run?.id ?? '', '--evidence', runs, '--as-skill', join(folder, 'buy-tea'))).toBe(0)
  expect(await readFile(join(folder, 'buy-tea', 'SKILL.md'), 'utf8')).toMatch(
    /^---\nname: buy-tea\ndescription: .*\n---\n[\s\S]*pagehand replay recording\.json[\s\S]*click button "Add to cart" in "Blue teapot"/,
  )
  await using server = await openSite(shopTask.site)
  const site = new URL(server.url).origin
  const replays = ['--evidence', join(folder, 'replays'), '--set', `site=${site}`]
  // nobody is at the terminal of a test
  expect(await program('replay', file, ...replays)).toBe(8)
  expect(shopTask.outcome(server.state)).toEqual([])
  expect(await program('replay', file, ...replays, '--yes', 'submit,pay', '--json')).toBe(0)
  expect(shopTask.outcome(server.state)).toEqual(shopTask.expected)
  expect(await program('replay', file, '--set', 'colour=red')).toBe(2)
  expect(await program('replay', file, '--set', 'nothing')).toBe(2)
})

test('a replay asks before risky actions, whatever was approved when it was recorded, and is a run of its own (S3-51 S3-20)', async () => {
  const task = agentTasks.find(({ name }) => name.includes('filters a table')) as AgentTask
  const recording = await recordingFor(task)
  const store = fileRunStore({ folder: join(folder, 'approved-replays') })
  const repeat = async (approvals: Parameters<typeof replayRun>[2]['approvals'], signal?: AbortSignal) => {
    await using server = await openSite(task.site)
    await using opened = await openTestSession()
    const result = await replayRun(recording, opened.session.run, {
      set: { site: new URL(server.url).origin },
      store,
      ...(signal && { signal }),
      ...(approvals && { approvals }),
    })
    return { ...result, outcome: task.outcome(server.state) }
  }
  const unanswered = await repeat(undefined)
  expect(unanswered).toMatchObject({ ok: false, asks: ['write', 'submit'], outcome: [], stopped: { hasActed: false } })
  // its request is over with the replay, so its id would lead nowhere
  expect(describeReplay(unanswered)).toMatch(
    /could not be repeated: a person must approve it first \(write, submit\), and nobody did\. The action was not performed\.$/,
  )
  const denied = await repeat({ approve: async () => ({ approved: false, scope: 'once' }) })
  expect(denied).toMatchObject({ ok: false, outcome: [], stopped: { error: { code: 'approval_denied' } } })
  expect(await repeat({ policy: { classes: { submit: 'allow' } } })).toMatchObject({ ok: true, outcome: task.expected })
  const approved = await repeat({ approve: async () => ({ approved: true, scope: 'once' }) })
  expect(approved).toMatchObject({ ok: true, outcome: task.expected })
  expect(await readFile(approved.report, 'utf8')).toContain('Repeated all')
  const stop = new AbortController()
  const stopped = await repeat(
    {
      approve: async () => {
        stop.abort()
        return 'pending'
      },
    },
    stop.signal,
  )
  expect(stopped).toMatchObject({ ok: false, outcome: [], stopped: { error: { code: 'aborted' } } })
  expect(stopped.asks).toBeUndefined()
  expect((await store.list()).map(({ state, reason }) => `${state}: ${reason}`)).toEqual([
    'ended: aborted',
    'ended: closed',
    'ended: closed',
    'ended: error',
    'ended: needs_approval',
  ])
})

test('a recording that does not exist is named, with the reason (S3-51)', async () => {
  const written: string[] = []
  const write = vi.spyOn(process.stderr, 'write').mockImplementation(text => written.push(String(text)) > 0)
  expect(await runProgram(['replay', join(folder, 'nosuch.json')])).toBe(1)
  write.mockRestore()
  expect(written.join('')).toMatch(/^pagehand: cannot read .*nosuch\.json: no such file or directory \(ENOENT\)\. pagehand record .*\.\n$/)
})

test('a recording has no secret: neither one that was pressed key by key, nor one that a later URL carries (A4)', async () => {
  await using page = await openTestSession({ html: '<form action=?><label>Password <input type=password name=p></label></form>' })
  const recorder = createRecorder()
  const run = recorder.layer(page.session.run as AnyRun)
  const ref = await page.ref('Password')
  await run({ name: 'click', ref })
  for (const key of 'zqx') await run({ name: 'press', key })
  await run({ name: 'fill', ref, value: 'moonlight' })
  await run({ name: 'open', url: `${page.url}?p=moonlight` })
  const recording = recorder.recording('Log in')
  expect(recording.steps.map(step => step.do)).toEqual(['click', 'press', 'press', 'press', 'fill', 'open'])
  expect(recording.secrets).toHaveLength(4)
  expect(JSON.stringify([recorder.actions, recording])).not.toMatch(/moonlight|"[zqx]"/)
})

const login = `<!doctype html><title>Log in</title><form action=done.html><label>E-mail <input name=mail></label>
  <label>Password <input type=password name=p></label><button>Sign in</button></form>`

test('a run that waits for an approval writes no recording, and the one after it has no password and no step twice (S3-51 A4)', async () => {
  await using server = await serve((request, response) =>
    sendHtml(request.url?.startsWith('/done') ? '<!doctype html><title>Done</title><h1>Welcome</h1>' : login)(request, response),
  )
  const [evidence, file] = [join(folder, 'parked'), join(folder, 'login.json')]
  const url = `${server.url}in.html`
  const goal = 'type ann@a.test into E-mail, type Harbor-42 into Password, click Sign in'
  const common = ['--evidence', evidence, '--record', file, '--model', 'rules']
  const written: string[] = []
  const write = vi.spyOn(process.stderr, 'write').mockImplementation(text => written.push(String(text)) > 0)
  try {
    expect(await runAgentProgram([goal, '--url', url, ...common])).toBe(8)
    expect(existsSync(file)).toBe(false)
    const [run] = await fileRunStore({ folder: evidence }).list()
    expect(written.join('')).toContain(`Write it with: pagehand run resume ${run?.id} --record ${file}`)
    // the recording of a run that waits can be written by hand, without what was not typed yet
    expect(await runProgram(['record', run?.id ?? '', '--evidence', evidence, '--out', file])).toBe(0)
    expect(await readFile(file, 'utf8')).not.toContain('Harbor-42')
    expect(await runAgentProgram(['--resume', run?.id ?? '', '--yes', 'credentials,submit', ...common])).toBe(0)
    const text = await readFile(file, 'utf8')
    const { steps, secrets, asks } = parseRecording(text)
    expect(text).not.toContain('Harbor-42')
    expect(steps.map(({ do: verb, target }) => `${verb} ${target?.name ?? ''}`)).toEqual([
      'open ',
      'fill E-mail',
      'fill Password',
      'click Sign in',
    ])
    expect([secrets, asks]).toEqual([['password'], ['submit', 'credentials']])
    // as SKILL.md says: without a terminal, and with the password on standard input
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor
    Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from('Harbor-42\n')]) })
    try {
      const replay = ['replay', file, '--evidence', join(folder, 'parked-replays'), '--yes', asks.join(','), '--set', 'password=-']
      expect(await runProgram(replay)).toBe(0)
    } finally {
      Object.defineProperty(process, 'stdin', stdin)
    }
    expect(written.join('')).not.toContain('Harbor-42')
  } finally {
    write.mockRestore()
  }
})

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { fail, wrap } from '../../src/contract/run.ts'
import { createLog, lineFile } from '../../src/evidence/log.ts'
import { RecordScrubber } from '../../src/evidence/scrub.ts'
import { timelineOf } from '../../src/evidence/timeline.ts'
import { type EvidenceRecord, readLog, saveScreenshots, startRun, writeReport } from '../../src/evidence.ts'
import { agentTools, browserTool, createPolicy, webTools } from '../../src/tools.ts'
import { page } from '../render/page.ts'
import { actionResult, type PageScript, recordingDriver } from '../support/recording-driver.ts'

const runsFolder = mkdtempSync(join(tmpdir(), 'pagehand-evidence-'))
const records: EvidenceRecord[] = []
afterEach(() => Promise.all(records.splice(0).map(record => record.end())))
afterAll(() => rmSync(runsFolder, { recursive: true, force: true }))
const fresh = () => mkdtempSync(join(runsFolder, 'runs-'))
const shows = () => page([{ role: 'button', name: 'Buy', ref: 'e1', tag: 'button' }])

/** web tools on a page, with their own recording */
async function recordedTools(does: PageScript['does'] = {}, options: Parameters<typeof startRun>[1] = {}) {
  const record = await startRun(fresh(), options)
  records.push(record)
  const { run, commands } = recordingDriver({ shows, does })
  const box = record.tools(webTools(wrap(run, record.layer), { saveScreenshot: record.saveScreenshot }))
  return { record, box, commands }
}
const eventsOf = ({ folder }: EvidenceRecord) => readLog(readFileSync(join(folder, 'events.jsonl'), 'utf8'))
const everything = ({ folder }: EvidenceRecord) =>
  (readdirSync(folder, { recursive: true }) as string[])
    .map(name => join(folder, name))
    .filter(file => statSync(file).isFile())
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')

const same = (event: object) => event
async function log(...types: string[]): Promise<string> {
  const file = join(fresh(), 'events.jsonl')
  const { append, close } = createLog(await lineFile(file, 'ax'), { run: 'r', clean: same })
  await Promise.all(types.map(type => append({ type })))
  await close()
  return file
}

test('events are numbered and chained, even if written concurrently (S2-60)', async () => {
  const { events, damage, torn } = readLog(readFileSync(await log('a', 'b', 'c'), 'utf8'))
  expect(events.map(({ seq, type, run }) => [seq, type, run])).toEqual([
    [1, 'a', 'r'],
    [2, 'b', 'r'],
    [3, 'c', 'r'],
  ])
  expect(events[0]?.prev).toBe('')
  expect(new Set(events.map(({ prev }) => prev)).size).toBe(3)
  expect([damage, torn]).toEqual([undefined, false])
})

const harm: readonly [string, (lines: string[]) => string[], object][] = [
  ['a changed line', ([a = '', b = '', ...rest]) => [a, b.replace('"b"', '"x"'), ...rest], { line: 3, why: 'a line was changed' }],
  ['a missing line', ([a = '', , ...rest]) => [a, ...rest], { line: 2, why: 'a line is missing' }],
  ['a line that is not an event', ([a = '', ...rest]) => [a, 'hello', ...rest], { line: 2, why: 'it is not an event' }],
  ['two lines in another order', ([a = '', b = '', ...rest]) => [b, a, ...rest], { line: 1, why: 'a line is missing' }],
]
test.each(harm)('%s in a log is detected, and the events before it are still read (S2-60)', async (_, change, damage) => {
  const lines = readFileSync(await log('a', 'b', 'c', 'd'), 'utf8')
    .trimEnd()
    .split('\n')
  const read = readLog(`${change(lines).join('\n')}\n`)
  expect(read.damage).toEqual(damage)
  expect(read.events.length).toBeLessThan(4)
})

test('an unfinished last line is reported as torn, not as damage', async () => {
  const whole = readFileSync(await log('a', 'b', 'c'), 'utf8')
  expect(readLog(whole.slice(0, -20))).toMatchObject({ torn: true, events: [{ type: 'a' }, { type: 'b' }] })
  expect(readLog(whole.slice(0, -20)).damage).toBeUndefined()
})

test('an existing log is not overwritten', async () => {
  const file = await log('a')
  await expect(lineFile(file, 'ax')).rejects.toThrow('EEXIST')
})

const spelled: readonly [string, string][] = [
  ['in a text', 'a hunter2!("x") b'],
  ['as a part of a URL', `?p=${encodeURIComponent('hunter2!("x")')}`],
  ['as form data', '?p=hunter2%21%28%22x%22%29'],
  ['as markup', '<input value="hunter2!(&quot;x&quot;)">'],
  ['quoted for a model', 'value "hunter2!(\\"x\\")"'],
]
test.each(spelled)('a known secret is redacted %s (S2-61 A4)', (_, given) => {
  const scrubber = new RecordScrubber(['hunter2!("x")'])
  const text = (given: string) => scrubber.text(given)
  const value = (given: unknown) => scrubber.value(given)
  expect(text(given)).toContain('[redacted]')
  expect(text(given)).not.toMatch(/hunter2/)
  expect(JSON.stringify(value({ [given]: [given] }))).not.toMatch(/hunter2/)
})

test('user and password in a URL are redacted (S2-61 A4)', () => {
  const text = (given: string) => new RecordScrubber().text(given)
  expect(text('see https://ada:p@ssw0rd@host/x, https://token@host, http://host/a:b@c and //host/?mail=a@b')).toBe(
    'see https://[redacted]@host/x, https://[redacted]@host, http://host/a:b@c and //host/?mail=a@b',
  )
})

test('a secret that is too short to search for is refused', () => {
  expect(() => new RecordScrubber(['947'])).toThrow('at least 4 characters')
})

test("a secret that matches the log's own field names breaks no chain (S2-60)", async () => {
  const { record, box } = await recordedTools({}, { secrets: [new Date().toISOString().slice(0, 4), 'result', 'a1b2'] })
  for (let i = 0; i < 3; i++) await box.execute('web_click', { ref: 'e1' })
  const { damage, events } = eventsOf(record)
  expect(damage).toBeUndefined()
  expect(events.map(({ type }) => type)).toContain('result')
  expect(events.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true)
})

test('a value that a page has redacted once is redacted for the rest of the run (S2-61 A4)', async () => {
  const { record, box } = await recordedTools({ fill: () => actionResult('http://a/', { value: '[redacted]' }) })
  await box.execute('web_fill', { ref: 'e1', value: 'hunter2' })
  await box.execute('web_wait', { text: 'hunter2' })
  await box.execute('web_fill', { ref: 'hunter2', value: 'x' })
  await record.assert('hunter2 works', true)
  await record.end({ text: 'The password is hunter2.' })
  expect(everything(record)).not.toContain('hunter2')
  expect(everything(record)).toContain('The password is [redacted].')
})

test('typed text of a call that never reached the page is not recorded (A4)', async () => {
  const { record, box, commands } = await recordedTools({ type: () => actionResult('http://a/', {}) })
  await box.execute('web_fill', { ref: 'e1', valeu: 'x', value: 'hunter2' })
  await box.execute('web_type', { ref: 'e1', text: 'hunter2' })
  await box.execute('web_unknown', { text: 'hunter2' })
  expect(commands.map(({ name }) => name)).toContain('type')
  await record.end()
  expect(everything(record)).not.toContain('hunter2')
})

test('typed text is not recorded without the evidence layer (A4)', async () => {
  const record = await startRun(fresh())
  records.push(record)
  const { run } = recordingDriver({ shows, does: { fill: () => actionResult('http://a/', { value: '[redacted]' }) } })
  await record.tools(webTools(run)).execute('web_fill', { ref: 'e1', value: 'hunter2' })
  await record.end()
  expect(everything(record)).not.toContain('hunter2')
})

test('malformed calls, unknown fields and unknown tools are recorded without their values (A4)', async () => {
  const { record, box } = await recordedTools()
  await box.execute('web_fill', '{"ref":"e1","value":"hunter2')
  await box.execute('web_fill', { ref: 'e1', content: 'hunter2' })
  await box.execute('web_fill', { ref: 'e1', hunter2: 1 })
  await box.execute('hunter2', { url: 'hunter2' })
  await box.execute('web_snapshot', { query: 'hunter2' })
  await record.end()
  const calls = eventsOf(record).events.filter(({ type }) => type === 'tool.call')
  expect(calls.map(event => event.arguments)).toEqual([
    '[typed]',
    { ref: 'e1', '[unknown]': '[typed]' },
    { ref: 'e1', '[unknown]': '[typed]' },
    '[typed]',
    { '[unknown]': '[typed]' },
  ])
})

test('the fields of a form are recorded without the text for them (A4)', async () => {
  const record = await startRun(fresh())
  records.push(record)
  const agent = record.tools(agentTools(recordingDriver({ shows }).run))
  await agent.execute('browser-act', { action: 'fillForm', fields: [{ ref: 'e9', value: 'hunter2' }] })
  expect(everything(record)).not.toContain('hunter2')
  expect(eventsOf(record).events.find(({ type }) => type === 'tool.call')).toMatchObject({
    arguments: { fields: [{ ref: 'e9', value: '[typed]' }] },
  })
})

test('a refused call is recorded with its tool and arguments, except typed text (S2-60, E2)', async () => {
  const record = await startRun(fresh())
  records.push(record)
  const box = record.tools(webTools(recordingDriver({ shows }).run, { policy: createPolicy({ deny: ['upload', 'fill'] }) }))
  await box.execute('web_upload', { ref: 'e1', files: ['/etc/passwd'] })
  await box.execute('web_eval', { js: 'document.cookie' })
  await box.execute('web_fill', { ref: 'e1', value: 'hunter2' })
  await box.execute('delete-everything', { path: 'hunter2' })
  await box.execute('say "hunter2"', {})
  await record.end()
  const calls = eventsOf(record).events.filter(({ type }) => type === 'tool.call')
  expect(calls.map(event => [event.tool, event.arguments])).toEqual([
    ['web_upload', { ref: 'e1', files: ['/etc/passwd'] }],
    ['web_eval', { js: 'document.cookie' }],
    ['web_fill', { ref: 'e1', value: '[typed]' }],
    ['delete-everything', '[typed]'],
    ['[unknown]', '[typed]'],
  ])
  const results = eventsOf(record).events.filter(({ type }) => type === 'tool.result')
  expect(results.map(({ ok }) => ok)).toEqual([false, false, false, false, false])
})

test('a value that is not JSON loses only its own event', async () => {
  const { record, box } = await recordedTools()
  await box.execute('web_snapshot', { max_chars: 1n })
  expect(await box.execute('web_click', { ref: 'e1' })).toMatchObject({ ok: true })
  expect(eventsOf(record).events.map(({ type }) => type)).toEqual([
    'run.started',
    'tool.result',
    'tool.call',
    'command',
    'result',
    'evidence',
    'tool.result',
  ])
})

test('a restarted browser continues the step numbers, so no evidence is overwritten', async () => {
  const record = await startRun(fresh())
  records.push(record)
  for (const url of ['http://red/', 'http://blue/'])
    await wrap(recordingDriver({ shows: () => page([], { meta: { url } }) }).run, record.layer)({ name: 'open', url })
  expect(readFileSync(join(record.folder, 'snapshots/001.txt'), 'utf8')).toContain('http://red/')
  expect(readFileSync(join(record.folder, 'snapshots/002.txt'), 'utf8')).toContain('http://blue/')
})

test('the browser tool and the agent tools are recorded alike (S2-60 A4)', async () => {
  const record = await startRun(fresh())
  const { run: driver } = recordingDriver({ shows, does: { fill: ({ value }) => actionResult('http://a/', { value: String(value) }) } })
  const run = wrap(driver, record.layer)
  const started = { ok: true, data: { run, description: 'a test', close: async () => {} } } as const
  const browser = record.tools(browserTool({ start: async () => started }))
  await browser.execute('browser', { action: 'act', request: { kind: 'fill', target_id: '1', text: 'tea' } })
  const agent = record.tools(agentTools(run))
  await agent.execute('browser-act', { action: 'fill', ref: 'e1', text: 'tea' })
  await agent.execute('close', { summary: 'done' })
  await record.end()
  const { events } = eventsOf(record)
  expect(events.filter(({ type }) => type === 'tool.call').map(({ tool, arguments: given }) => [tool, given])).toEqual([
    ['browser', { action: 'act', request: { kind: 'fill', target_id: '1', text: '[typed]' } }],
    ['browser-act', { action: 'fill', ref: 'e1', text: '[typed]' }],
    ['close', { summary: 'done' }],
  ])
  expect(events.filter(({ type }) => type === 'tool.result').map(({ arguments: given }) => given)).toEqual([
    { action: 'act', request: { kind: 'fill', target_id: '1', text: 'tea' } },
    { action: 'fill', ref: 'e1', text: 'tea' },
    undefined,
  ])
})

test('concurrent tool calls are recorded one after the other, each with its own steps', async () => {
  const { record, box } = await recordedTools()
  await Promise.all([box.execute('web_click', { ref: 'e1' }), box.execute('web_hover', { ref: 'e1' })])
  expect(eventsOf(record).events.map(({ type }) => type)).toEqual([
    'run.started',
    ...['tool.call', 'command', 'result', 'evidence', 'tool.result'],
    ...['tool.call', 'command', 'result', 'evidence', 'tool.result'],
  ])
})

test('concurrent commands keep their own results in the report', async () => {
  const record = await startRun(fresh())
  records.push(record)
  const { run: driver } = recordingDriver({
    shows,
    does: { click: ({ ref }) => (ref === 'e1' ? fail('not_visible', 'e1 is hidden.') : undefined) },
  })
  const run = wrap(driver, record.layer)
  await Promise.all([run({ name: 'click', ref: 'e1' }), run({ name: 'click', ref: 'e2' })])
  expect(timelineOf(eventsOf(record).events).map(({ arguments: given, ok, frames }) => [given, ok, frames])).toEqual([
    [{ ref: 'e1' }, false, ['frames/001.png']],
    [{ ref: 'e2' }, true, ['frames/002.png']],
  ])
})

test('a screenshot without a call appears in the report', async () => {
  const { record } = await recordedTools()
  await record.saveScreenshot({ mime: 'image/png', base64: 'iVBORw0KGgo=', width: 1, height: 1 }, 'alone')
  await record.end()
  expect(readFileSync(join(record.folder, 'report.html'), 'utf8')).toContain('<img src="frames/shot-001-alone.png"')
})

test('a requested screenshot is recorded under its label', async () => {
  const { record, box } = await recordedTools()
  expect((await box.execute('web_screenshot', { label: '../../the cart' })).text).toContain('frames/shot-001--the-cart.png')
  expect(eventsOf(record).events.at(-2)).toMatchObject({
    type: 'picture',
    files: ['frames/shot-001--the-cart.png'],
    label: '../../the cart',
  })
})

test('a screenshot that cannot be saved does not fail the action, and the report says so (F5)', async () => {
  const { record, box } = await recordedTools()
  rmSync(join(record.folder, 'frames'), { recursive: true })
  expect((await box.execute('web_click', { ref: 'e1' })).text).toMatch(/^ok: click e1[\s\S]*evidence not_saved: ENOENT/)
  await record.end()
  expect(readFileSync(join(record.folder, 'report.html'), 'utf8')).toContain('Not saved: screenshot: ENOENT')
})

test('a log that cannot be written blocks actions, but not reads (F5)', async () => {
  const { record, box, commands } = await recordedTools()
  // its file is closed, as on a disk that has disappeared
  await record.end()
  const before = commands.length
  expect(await box.execute('web_click', { ref: 'e1' })).toMatchObject({ ok: false, error: { code: 'not_logged' } })
  expect(commands.length).toBe(before)
  expect((await box.execute('web_snapshot')).ok).toBe(true)
})

test('content from a page or a model never becomes markup of the report (A1)', async ({ task }) => {
  task.meta.tries = 8 // label, value, note, tool, field, argument, assertion, final text
  const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e'
  const { record, box } = await recordedTools(
    { click: () => actionResult('http://a/', { value: evil }, { notes: [evil] }) },
    { label: evil },
  )
  await box.execute('web_click', { ref: 'e1' })
  await box.execute(evil, { [evil]: evil })
  await record.assert(evil, false)
  await record.end({ text: evil, usage: { [evil]: 1 } })
  const html = readFileSync(join(record.folder, 'report.html'), 'utf8')
  expect(html).not.toMatch(/<script|<img src=x|\u202e/)
  expect(html).toContain("default-src 'none'")
  expect(html).toContain('✗')
})

test('a run that was killed gets its report from its log', async () => {
  const { record, box } = await recordedTools({}, { label: 'killed' })
  await box.execute('web_click', { ref: 'e1' })
  const file = join(record.folder, 'events.jsonl')
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -30))
  const { summary, log: read } = await writeReport(record.folder)
  expect(read).toMatchObject({ torn: true })
  expect(summary).toMatchObject({ label: 'killed', commands: 1 })
  expect(summary.endedAt).toBeUndefined()
  const html = readFileSync(join(record.folder, 'report.html'), 'utf8')
  expect(html).toContain('not ended')
  expect(html).toContain('outcome unknown')
})

const forged: readonly [string, (log: string) => string, object][] = [
  ['a changed final text', log => log.replace('It failed.', 'It worked.'), { line: 4, why: 'a line was changed' }],
  ['a log cut off at the end', log => `${log.trimEnd().split('\n').slice(0, -2).join('\n')}\n`, { line: 3, why: 'a line is missing' }],
]
test.each(forged)('%s is detected by meta.json, which is kept (S2-60)', async (_, forge, damage) => {
  const { record } = await recordedTools()
  await record.assert('it works', false)
  await record.assert('it is cheap', false)
  await record.end({ text: 'It failed.' })
  const [file, meta] = [join(record.folder, 'events.jsonl'), join(record.folder, 'meta.json')]
  const was = readFileSync(meta, 'utf8')
  writeFileSync(file, forge(readFileSync(file, 'utf8')))
  expect((await writeReport(record.folder)).log.damage).toEqual(damage)
  expect(readFileSync(meta, 'utf8')).toBe(was)
  expect(readFileSync(join(record.folder, 'report.html'), 'utf8')).toContain('events.jsonl is damaged')
})

test('foreign folders beside a run do not prevent its report and are left unchanged', async () => {
  const there = fresh()
  const others: readonly [string, string, string][] = [
    ['old', 'meta.json', '{"run":"old","toolUses":{},"assertions":{}}'],
    ['old', 'events.jsonl', '{"hello":1}\n'],
    ['torn', 'meta.json', '{"run":'],
    ['torn', 'events.jsonl', ''],
    ['empty', 'notes.txt', 'x'],
  ]
  for (const [folder, file, content] of others) {
    mkdirSync(join(there, folder), { recursive: true })
    writeFileSync(join(there, folder, file), content)
  }
  const record = await startRun(there, { label: 'mine' })
  await record.end()
  expect(readFileSync(join(there, 'index.html'), 'utf8')).toContain('>mine</a>')
  await expect(writeReport(join(there, 'old'))).rejects.toThrow('is not the record of a run')
  for (const [folder, file, content] of others) expect(readFileSync(join(there, folder, file), 'utf8')).toBe(content)
})

test('a foreign index.html is not overwritten', async () => {
  const there = fresh()
  writeFileSync(join(there, 'index.html'), '<h1>My site</h1>')
  await (await startRun(there)).end()
  expect(readFileSync(join(there, 'index.html'), 'utf8')).toBe('<h1>My site</h1>')
})

test('a label in any script yields a valid folder name', async () => {
  const record = await startRun(fresh(), { label: '𠀋'.repeat(90) })
  await record.end()
  expect(readdirSync(dirname(record.folder))).toContain(record.run)
})

test('end is idempotent, and only the owner may read the evidence', async () => {
  const { record } = await recordedTools()
  expect(await record.end({ text: 'first' })).toBe(await record.end({ text: 'second' }))
  expect(JSON.parse(readFileSync(join(record.folder, 'meta.json'), 'utf8'))).toMatchObject({ text: 'first' })
  if (process.platform !== 'win32') expect(statSync(record.folder).mode & 0o077).toBe(0)
})

test('a folder that cannot be written fails at once', async () => {
  const file = join(fresh(), 'a file')
  writeFileSync(file, '')
  await expect(startRun(file)).rejects.toThrow(/ENOTDIR|EEXIST/)
})

test('screenshots that are saved to a folder never replace a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagehand-screenshots-'))
  try {
    const screenshot = (text: string) => ({ base64: Buffer.from(text).toString('base64'), mime: 'image/png' }) as never
    const first = await saveScreenshots(folder)(screenshot('first'), 'home')
    const second = await saveScreenshots(folder)(screenshot('second'), 'home')
    expect([first, second].map(file => readFileSync(file, 'utf8'))).toEqual(['first', 'second'])
    expect(second).toBe(join(folder, '002-home.png'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('screenshots without a folder are saved in the private folder, which keeps them for a week (F4)', async () => {
  const home = mkdtempSync(join(tmpdir(), 'pagehand-home-'))
  vi.stubEnv('PAGEHAND_HOME', home)
  try {
    const screenshot = { base64: Buffer.from('x').toString('base64'), mime: 'image/png' } as never
    const old = await saveScreenshots()(screenshot, 'old')
    const recent = await saveScreenshots()(screenshot, 'recent')
    const day = 24 * 3_600
    utimesSync(old, 0, Date.now() / 1_000 - 8 * day)
    utimesSync(recent, 0, Date.now() / 1_000 - 6 * day)
    const now = await saveScreenshots()(screenshot, 'now')
    expect([old, recent, now].map(file => existsSync(file))).toEqual([false, true, true])
    expect(now).toMatch(/screenshots[/\\]\d{8}T\d{6}-\d{3}-now\.png$/)
    expect(readdirSync(join(home, 'tmp'))).toEqual(['screenshots'])
    if (process.platform !== 'win32') expect(statSync(now).mode & 0o777).toBe(0o600)
  } finally {
    vi.unstubAllEnvs()
    rmSync(home, { recursive: true, force: true })
  }
})

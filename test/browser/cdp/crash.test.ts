import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openSession } from '../../../src/browser.ts'
import { launch } from '../../../src/drivers/cdp/browser/launch.ts'
import { crashPage } from '../../support/crash-page.ts'
import { processesInGroup, until } from '../../support/processes.ts'
import { openTestSession, type TestSession } from '../../support/test-session.ts'

const patient = { patienceMs: 500, loadMs: 500 }

for (const [what, script] of Object.entries({
  'a busy loop': 'setTimeout(() => { while (true); }, 0)',
  'a loop of microtasks': 'setTimeout(() => { const again = () => Promise.resolve().then(again); again() }, 0)',
  'a busy loop on every frame':
    'const spin = () => { const end = performance.now() + 1e6; while (performance.now() < end); }; requestAnimationFrame(spin)',
}))
  test(`a page in ${what} stays readable, reports that its scripts were stopped, and can be left (B3)`, async () => {
    await using session = await openTestSession({ html: `<title>t</title><button>stuck</button><script>${script}</script>` }, patient)
    await expect.poll(async () => (await session.do('snapshot')).meta.scripts).toBe('stopped')
    expect(await session.text()).toMatch(/scripts=stopped.*button "stuck"/s)
    expect(await session.do('query', { ref: await session.ref('stuck'), kind: 'text' })).toMatchObject({ value: 'stuck' })
    await session.do('screenshot')
    expect((await session.do('open', { url: 'about:blank' })).page.url).toBe('about:blank')
    expect(session.session.status().scripts).toBe('running')
  })

for (const [what, html, command] of [
  ['a click handler', '<button aria-label=Target onclick="for (;;);">x</button>', { name: 'click' }],
  [
    'a loop of microtasks',
    '<button aria-label=Target onclick="const a = () => Promise.resolve().then(a); a()">x</button>',
    { name: 'click' },
  ],
  ['a keydown handler', '<input aria-label=Target onkeydown="for (;;);">', { name: 'type', text: 'a' }],
] as const)
  test(`an action that ends up in an endless script of ${what} is answered before its deadline (B3 F3)`, async () => {
    // the deadline is later than any timeout of a test, so only the detection of the endless script can answer
    await using session = await openTestSession({ html }, { ...patient, deadlines: { click: 600_000, type: 600_000 } })
    const { name, ...args } = command
    expect(await session.fails(name, { ref: await session.ref('Target'), ...args })).toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringContaining('a script of it does not end'),
    })
    await expect.poll(async () => (await session.do('snapshot')).meta.scripts).toBe('stopped')
  })

test('a page that hangs before the first snapshot can be left', async () => {
  await using session = await openTestSession(
    { html: '<title>t</title><script>setTimeout(() => { while (true); })</script>', files: { 'b.html': '<title>b' } },
    patient,
  )
  expect((await session.do('open', { url: `${session.url}b.html` })).page.title).toBe('b')
})

test('a page that hangs on pagehide gets its tab replaced', async () => {
  await using session = await openTestSession(
    { html: '<title>t</title><script>onpagehide = () => { while (true); }</script>', files: { 'b.html': '<title>b' } },
    patient,
  )
  const { page, notes } = await session.do('open', { url: `${session.url}b.html` })
  expect(page.title).toBe('b')
  expect(notes).toEqual([expect.stringContaining('replaced')])
  expect((await session.do('tabs', { operation: 'list' })).tabs).toMatchObject([{ tab: 't1', selected: true }])
})

for (const name of ['reload', 'back'] as const)
  test(`${name} works on a page that hangs on pagehide`, async () => {
    await using session = await openTestSession(
      { html: '<title>first</title>', files: { 'b.html': '<title>second</title><script>onpagehide = () => { while (true); }</script>' } },
      patient,
    )
    await session.do('open', { url: `${session.url}b.html` })
    expect((await session.do(name)).page.title).toBe(name === 'back' ? 'first' : 'second')
  })

test('a page crash is reported once, with the URL, and the next page opens (F2)', async () => {
  await using session = await openTestSession({ html: '<title>t</title>' })
  await crashPage(session)
  const start = performance.now()
  expect(await session.fails('snapshot')).toMatchObject({ code: 'page_crashed', page: { url: expect.stringContaining(session.url) } })
  expect(performance.now() - start).toBeLessThan(2_000)
  expect((await session.do('open', { url: session.url })).page.title).toBe('t')
  expect(await session.do('snapshot')).toMatchObject({ ok: true })
})

test('an unreported crash is reported by the next open', async () => {
  await using session = await openTestSession({ html: '<title>t</title><button>b</button>' })
  await crashPage(session)
  expect(await session.fails('open', { url: session.url })).toMatchObject({ code: 'page_crashed' })
  expect((await session.do('open', { url: session.url })).page.title).toBe('t')
  expect(await session.text()).toContain('button "b"')
})

test('a crash ends the running command (F2 F3)', async () => {
  await using session = await openTestSession({ html: '<title>t</title>' }, { allowEval: true })
  const waiting = session.fails('evaluate', { js: 'new Promise(() => {})' })
  await crashPage(session)
  expect(await waiting).toMatchObject({ code: 'page_crashed' })
})

test('a killed browser is reported once and restarted only by the next open (F2)', async () => {
  await using session = await openTestSession({ html: '<title>t</title>' }, { launch: {} })
  const before = pidOf(session)
  process.kill(before, 'SIGKILL')
  await expect.poll(() => session.session.status().running).toBe(false)
  expect(await session.fails('snapshot')).toMatchObject({ code: 'browser_crashed', page: { url: expect.stringContaining(session.url) } })
  expect(await session.fails('snapshot')).toMatchObject({ code: 'not_running' })
  expect(session.session.status()).toMatchObject({ running: false })
  expect((await session.do('open', { url: session.url })).page.title).toBe('t')
  expect(pidOf(session)).not.toBe(before)
})

test('killing the browser ends the running command with browser_crashed', async () => {
  await using session = await openTestSession({ html: '<title>t</title>' }, { launch: {}, allowEval: true })
  const waiting = session.fails('evaluate', { js: 'new Promise(() => {})' })
  process.kill(pidOf(session), 'SIGKILL')
  expect(await waiting).toMatchObject({ code: 'browser_crashed' })
})

test('a frozen browser makes every command time out, and closing it leaves no process (F3)', async () => {
  const deadlines = { snapshot: 300, open: 2_000, screenshot: 300, tabs: 300, dialog: 300 }
  await using session = await openTestSession({ html: '<title>t</title><button>b</button>' }, { launch: {}, deadlines })
  const pid = pidOf(session)
  process.kill(-pid, 'SIGSTOP')
  expect(await session.fails('snapshot')).toMatchObject({ code: 'timeout' })
  expect(await session.fails('open', { url: session.url })).toMatchObject({ code: 'timeout' })
  expect(await session.fails('screenshot')).toMatchObject({ code: 'timeout' })
  expect(session.session.status().running).toBe(true)
  await session.session.close()
  await until(async () => (await processesInGroup(pid)).length === 0, { withinMs: 2_000, what: 'no process of the browser' })
})

test('an aborted command fails with aborted, before or while it runs', async () => {
  await using session = await openTestSession({ html: '<title>t</title>' }, { allowEval: true })
  expect(await session.fails('snapshot', {}, AbortSignal.abort())).toMatchObject({ code: 'aborted' })
  const controller = new AbortController()
  const waiting = session.fails('evaluate', { js: 'new Promise(() => {})' }, controller.signal)
  controller.abort()
  expect(await waiting).toMatchObject({ code: 'aborted' })
  expect(await session.do('evaluate', { js: '1' })).toMatchObject({ value: '1' })
  const flag = { aborted: false }
  const flagged = session.session.run({ name: 'evaluate', js: 'new Promise(() => {})' }, flag)
  flag.aborted = true
  expect(await flagged).toMatchObject({ ok: false, error: { code: 'aborted' } })
})

test('commands on a closed session fail with not_running, and closing it twice is harmless', async () => {
  const session = await openTestSession({ html: '<title>t</title>' })
  await session.session.close()
  await session.session.close()
  expect(await session.fails('snapshot')).toMatchObject({ code: 'not_running' })
  expect(await session.fails('open', { url: session.url })).toMatchObject({ code: 'not_running' })
})

test('ten sessions in one browser have separate cookies and tabs and leave nothing behind (F4)', async () => {
  await using chromium = await launch()
  const before = (await chromium.connection.send('Target.getTargets')).targetInfos.length
  const sessions = await Promise.all(
    Array.from({ length: 10 }, () => openTestSession({ html: '<title>t</title>' }, { browser: chromium, allowEval: true })),
  )
  await Promise.all(sessions.map((session, i) => session.do('evaluate', { js: `document.cookie = "n=${i}"` })))
  const cookies = await Promise.all(sessions.map(session => session.do('evaluate', { js: 'document.cookie' })))
  expect(cookies.map(({ value }) => value)).toEqual(sessions.map((_, i) => `"n=${i}"`))
  for (const session of sessions) expect((await session.do('tabs', { operation: 'list' })).tabs).toHaveLength(1)
  await Promise.all(sessions.map(session => session.session.close()))
  expect((await chromium.connection.send('Target.getTargets')).targetInfos).toHaveLength(before)
  expect((await chromium.connection.send('Target.getBrowserContexts')).browserContextIds).toEqual([])
})

test('fifty sessions opened and closed leave no open file and no browser context (F4)', { timeout: 240_000 }, async () => {
  await using chromium = await launch()
  const openFiles = async () => (existsSync('/proc/self/fd') ? (await readdir('/proc/self/fd')).length : 0)
  const tenSessions = async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, () => openSession({ browser: chromium })))
    for (const session of sessions) expect(await session.run({ name: 'snapshot' })).toMatchObject({ ok: true })
    await Promise.all(sessions.map(session => session.close()))
  }
  await tenSessions()
  const before = await openFiles()
  for (let round = 0; round < 4; round++) await tenSessions()
  expect(await openFiles()).toBeLessThanOrEqual(before)
  expect((await chromium.connection.send('Target.getBrowserContexts')).browserContextIds).toEqual([])
})

const pidOf = ({ session }: TestSession) => session.status().pid as number

/** Crashes the page from outside: navigates the session's tab to chrome://crash. */
test('a page whose process does not run is reported with what the browser knows, and can be left (B3 F3)', async () => {
  // the test stops every renderer; without a spare one, the browser starts another for the next page
  await using chromium = await launch({ args: ['--disable-features=SpareRendererForSitePerProcess'] })
  await using session = await openTestSession(
    { html: '<title>Stopped page</title><button>b</button>', files: { 'next.html': '<title>Next</title>' } },
    { ...patient, browser: chromium, deadlines: { snapshot: 600_000, open: 600_000 } },
  )
  await session.do('snapshot')
  const processes = await processesInGroup(chromium.pid)
  const commandLines = await Promise.all(processes.map(async pid => [pid, await readFile(`/proc/${pid}/cmdline`, 'utf8')] as const))
  const renderers = commandLines.filter(([, line]) => line.includes('--type=renderer')).map(([pid]) => pid)
  expect(renderers).not.toEqual([])
  for (const pid of renderers) process.kill(pid, 'SIGSTOP')
  try {
    for (const _ of ['first', 'second']) {
      const { code, message, page } = await session.fails('snapshot')
      expect(code).toBe('page_unresponsive')
      expect(page).toEqual({ url: session.url, title: 'Stopped page' })
      expect(message).toMatch(/the last snapshot was taken \d+ s ago/)
    }
    expect((await session.do('open', { url: `${session.url}next.html` })).page.title).toBe('Next')
  } finally {
    for (const pid of renderers) process.kill(pid, 'SIGCONT')
  }
})

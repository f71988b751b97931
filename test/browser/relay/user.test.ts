// What the user of the browser sees and does: badge, context menu, moving between sites, sleep, and tabs that end in the middle of an action.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openSession } from '../../../src/browser.ts'
import { relayFolder } from '../../../src/home/relay-address.ts'
import { findRelay } from '../../../src/relay/find-relay.ts'
import { bundleProgram } from '../../support/child-program.ts'
import { findExtensionBrowser, startExtensionBrowser } from '../../support/extension-browser.ts'
import { type Lending, startLending } from '../../support/lending.ts'
import { processesInGroup, until } from '../../support/processes.ts'
import { wrapSession } from '../../support/test-session.ts'

describe.skipIf(findExtensionBrowser() === undefined)('the user of the extension', () => {
  let lending: Lending
  beforeAll(async () => {
    lending = await startLending({ args: ['--site-per-process'] })
  })
  afterAll(() => lending?.[Symbol.asyncDispose]())
  afterEach(() => lending.end())

  const badge = () =>
    lending.browser.evaluate<{ text: string; color: number[]; title: string }>(
      'return { text: await chrome.action.getBadgeText({}), color: await chrome.action.getBadgeBackgroundColor({}), title: await chrome.action.getTitle({}) }',
    )
  const gray = [0x6b, 0x72, 0x80, 255]

  test('the badge counts the shared tabs, its title names the program, and it is gray while no relay runs', async () => {
    // the badge is drawn later than the popup, which the user operates here
    await expect.poll(badge).toMatchObject({ text: '', title: 'pagehand: lend this tab' })
    const tab = await lending.lend('badge')
    await expect.poll(badge).toMatchObject({ text: '1', title: 'pagehand: 1 tab shared' })
    const session = await lending.open('shopping')
    await expect.poll(badge).toMatchObject({ text: '1', title: 'pagehand: 1 tab shared, used by shopping' })
    expect((await badge()).color).not.toEqual(gray)
    await lending.relay.close()
    await expect.poll(badge).toMatchObject({ text: '1', color: gray })
    await session.close()
    await lending.restartRelay()
    await until(() => lending.relay.status().tabs.length === 1, { withinMs: 30_000, what: 'the lent tab' })
    await expect.poll(async () => (await badge()).color).not.toEqual(gray)
    await lending.browser.takeBack(tab)
    await expect.poll(badge).toMatchObject({ text: '' })
  })

  test('the context menu of a page lends its tab, and takes it back', async () => {
    const tab = await lending.browser.openTab(`${lending.url}menu`)
    // Chrome creates the event when the user clicks the entry; the listener is that of the extension
    const click = () =>
      lending.browser.evaluate(
        `chrome.contextMenus.onClicked.dispatch({ menuItemId: 'lend', editable: false, pageUrl: '' }, await chrome.tabs.get(${tab.tabId}))`,
      )
    await click()
    await until(() => lending.relay.status().tabs.length === 1, { what: 'the lent tab' })
    expect(lending.relay.status().tabs).toMatchObject([{ url: tab.url, kind: 'lent' }])
    await click()
    await until(() => lending.relay.status().tabs.length === 0, { what: 'the end of the loan' })
    expect(await lending.find(tab)).toMatchObject({ isAttached: false })
  })

  test('a tab that moves to another site, and so to another process, stays usable, whoever moves it', async () => {
    const tab = await lending.lend('start')
    const session = wrapSession(await lending.open())
    const old = await session.ref('button "Go"')
    const moved = await session.do('click', { ref: await session.ref('link "Other site"') })
    expect(moved).toMatchObject({ page: { title: 'page /other-site' } })
    expect(await session.fails('click', { ref: old })).toMatchObject({ code: 'ref_not_found' })
    await session.do('click', { ref: await session.ref('button "Go"') })
    // the user goes back by hand while the debugger is attached, and once more while it is not
    for (const state of ['attached', 'detached']) {
      await session.text()
      if (state === 'detached') await until(async () => (await lending.find(tab))?.isAttached === false, { what: 'an idle tab' })
      const url = state === 'attached' ? `${lending.url}by-hand` : `${lending.url.replace('127.0.0.1', 'localhost')}by-hand`
      await lending.browser.evaluate(`await chrome.tabs.update(${tab.tabId}, { url: ${JSON.stringify(url)} })`)
      await expect.poll(() => session.text()).toContain('title="page /by-hand"')
      expect(await session.do('click', { ref: await session.ref('button "Go"') })).toMatchObject({
        page: { title: 'page /by-hand clicked' },
      })
    }
  })

  test('a lent tab whose renderer crashed is usable again', async () => {
    const tab = await lending.lend('crash')
    const session = wrapSession(await lending.open())
    await session.text()
    const { sessionId } = await lending.browser.connection.send('Target.attachToTarget', { targetId: tab.targetId, flatten: true })
    lending.browser.connection.send('Page.crash', undefined, sessionId).catch(() => {}) // the page cannot answer
    await expect.poll(async () => (await session.session.run({ name: 'snapshot' })).ok).toBe(false)
    expect((await session.do('open', { url: tab.url })).page.title).toBe('page /crash')
    expect(await session.text()).toContain('button "Go"')
    await lending.browser.connection.send('Target.detachFromTarget', { sessionId })
  })

  test('a browser that was frozen, as by the sleep of the machine, finishes the command that was on its way', async () => {
    await lending.lend('sleep')
    const session = wrapSession(await lending.open())
    const ref = await session.ref('button "Go"')
    const members = await processesInGroup(lending.browser.pid)
    process.kill(-lending.browser.pid, 'SIGSTOP')
    const clicked = session.do('click', { ref })
    await until(async () => (await states(members)).every(state => state === 'T'), { what: 'a frozen browser' })
    process.kill(-lending.browser.pid, 'SIGCONT')
    expect(await clicked).toMatchObject({ page: { title: 'page /sleep clicked' } })
  })

  test('a lent tab that Chrome has put to sleep is loaded again by the next command', async () => {
    const tab = await lending.lend('asleep')
    const session = wrapSession(await lending.open())
    const ref = await session.ref('button "Go"')
    // only tabs in the background sleep
    await lending.browser.openTab(`${lending.url}other`)
    await until(async () => (await lending.find(tab))?.isAttached === false, { what: 'an idle tab' })
    await lending.browser.evaluate(`await chrome.tabs.discard(${tab.tabId})`)
    const notes: string[] = []
    const snapshot = async () => {
      const data = await session.do('snapshot')
      notes.push(...(data.notes ?? []))
      return data.meta.url
    }
    await expect.poll(snapshot).toBe(tab.url)
    expect(notes.join(' ')).toMatch(/Tab t1 is gone\. Tab t2 is selected now|lent tab t2, which shows .*It is selected\./)
    expect(await session.fails('click', { ref })).toMatchObject({ code: 'ref_not_found' })
    expect(await session.do('click', { ref: await session.ref('button "Go"') })).toMatchObject({ page: { title: 'page /asleep clicked' } })
    expect(await lending.listed(session)).toEqual(['asleep'])
  })

  test('an alarm alone starts a service worker that Chrome has stopped, and it connects again', async () => {
    await lending.lend('alarm')
    const session = wrapSession(await lending.open())
    const ref = await session.ref('button "Go"')
    expect(await lending.browser.evaluate(`return chrome.alarms.get('connect')`)).toMatchObject({ periodInMinutes: 0.5 })
    // the next one is due at once instead of in half a minute
    await lending.browser.evaluate(`await chrome.alarms.create('connect', { when: Date.now() + 1_500, periodInMinutes: 0.5 })`)
    await lending.browser.stopWorker()
    await until(() => lending.relay.status().browser === undefined, { what: 'the end of the service worker' })
    expect(await session.do('click', { ref })).toMatchObject({ page: { title: 'page /alarm clicked' } })
  })

  test('a tab that the user closes in the middle of an action ends it, and the session goes on in a new tab', async () => {
    const tab = await lending.lend('slow')
    const session = wrapSession(await lending.open())
    const clicked = session.session.run({ name: 'click', ref: await session.ref('button "Wait"') })
    await until(async () => (await lending.find(tab))?.isAttached === true, { what: 'the debugger' })
    await lending.browser.connection.send('Target.closeTarget', { targetId: tab.targetId })
    expect(await clicked).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^(target_closed|outcome_unknown)$/) } })
    expect(await session.fails('snapshot')).toMatchObject({ code: 'target_closed' })
    expect((await session.do('open', { url: `${lending.url}after` })).page.title).toBe('page /after')
  })

  test('a relay process that was killed is replaced, and the tab is still lent', async () => {
    const env = { ...process.env, PAGEHAND_HOME: await mkdtemp(join(tmpdir(), 'pagehand-killed-')) }
    const program = await bundleProgram(
      `import { startRelay } from './src/relay/server.ts'
      await startRelay({ port: Number(process.argv[2]) })
      console.log('ready')`,
      env.PAGEHAND_HOME,
    )
    const port = await freePort()
    const start = async () => {
      const child = spawn(process.execPath, [program, String(port)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout, 'data')
      return child
    }
    const status = async () => (await findRelay(env))?.status
    const attach = { endpoint: relayFolder(env), client: 'test', env }
    await using browser = await startExtensionBrowser()
    let relay = await start()
    try {
      await browser.pair((await status())?.code ?? '', port)
      const tab = await browser.openTab(`${lending.url}killed`)
      await browser.lend(tab)
      const session = wrapSession(await openSession({ attach }))
      await session.text()
      relay.kill('SIGKILL')
      await once(relay, 'exit')
      expect(await session.fails('snapshot')).toMatchObject({ code: 'browser_crashed' })
      await session.session.close()
      relay = await start()
      await until(async () => (await status())?.tabs.length === 1, { withinMs: 30_000, what: 'the lent tab' })
      await using again = await openSession({ attach })
      expect(await wrapSession(again).text()).toContain('title="page /killed"')
    } finally {
      relay.kill('SIGKILL')
    }
  })
})

/** the states of processes: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
async function states(pids: readonly number[]): Promise<string[]> {
  const stats = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') T'))) // it has ended
  return stats.map(stat => stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

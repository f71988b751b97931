// The real extension in a real Chromium, operated as its user does, and sessions that reach it through the relay.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openSession, type Session, type SessionOptions } from '../../../src/browser.ts'
import { relayFolder } from '../../../src/home/relay-address.ts'
import { type RelayServer, startRelay } from '../../../src/relay/server.ts'
import { tries } from '../../faults/scale.ts'
import {
  type ExtensionBrowser,
  findExtensionBrowser,
  noExtensionBrowser,
  startExtensionBrowser,
  type UserTab,
} from '../../support/extension-browser.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { until } from '../../support/processes.ts'
import { wrapSession } from '../../support/test-session.ts'

const hasBrowser = findExtensionBrowser() !== undefined
if (!hasBrowser) process.stdout.write(`The tests of the extension are skipped: ${noExtensionBrowser}\n`)

const idleMs = 400
/** another extension, with a page that sites may show in a frame */
const otherManifest = {
  manifest_version: 3,
  name: 'other',
  version: '1',
  web_accessible_resources: [{ resources: ['frame.html'], matches: ['<all_urls>'] }],
  content_scripts: [{ matches: ['http://127.0.0.1/*'], include_globs: ['*with-other-extension*'], js: ['content.js'] }],
}

describe.skipIf(!hasBrowser)('the extension', () => {
  let browser: ExtensionBrowser
  let relay: RelayServer
  let server: Awaited<ReturnType<typeof serve>>
  let env: { PAGEHAND_HOME: string }
  let other: string

  beforeAll(async () => {
    env = { PAGEHAND_HOME: await mkdtemp(join(tmpdir(), 'pagehand-relay-')) }
    other = await mkdtemp(join(tmpdir(), 'pagehand-other-extension-'))
    await mkdir(other, { recursive: true })
    await writeFile(join(other, 'manifest.json'), JSON.stringify(otherManifest))
    await writeFile(join(other, 'frame.html'), '<title>frame of another extension</title>')
    const insert = `const frame = document.createElement('iframe'); frame.src = chrome.runtime.getURL('frame.html'); document.body.append(frame)`
    await writeFile(join(other, 'content.js'), insert)
    server = await serve((request, response) => {
      const port = (request.headers.host ?? '').split(':')[1]
      const frame = request.url === '/frames' ? `<iframe src="http://localhost:${port}/inner"></iframe>` : ''
      const late = request.url === '/slow' ? `<button onclick="setTimeout(() => document.title = 'late', 60_000)">Wait</button>` : ''
      sendHtml(`<title>page ${request.url}</title><button onclick="document.title += ' clicked'">Go</button>
        <button onclick="window.open('/popup')">Pop up</button>${late}${frame}`)(request, response)
    })
    relay = await startRelay({ port: 0, idleMs, env })
    browser = await startExtensionBrowser({ extensions: [other], args: ['--site-per-process'] })
    await browser.pair(relay.status().code, relay.port)
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await relay?.close()
    await server?.[Symbol.asyncDispose]()
  })
  const sessions: Session[] = []
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close()
    // a tab that is still lent is given back by the session that uses it
    if (relay.status().tabs.length > 0) await (await open()).close()
    sessions.length = 0
    await until(() => relay.status().tabs.length === 0, { what: 'the end of all lending' })
  })

  const open = async (client = 'test', options: SessionOptions = {}): Promise<Session> => {
    const attach = { endpoint: relayFolder(env), client, env }
    const session = await openSession({ profile: 'chrome', attach, allowEval: true, ...options })
    sessions.push(session)
    return session
  }
  const lend = async (path: string): Promise<UserTab> => {
    const tab = await browser.openTab(`${server.url}${path}`)
    await browser.lend(tab)
    await until(() => relay.status().tabs.some(({ url }) => url === tab.url), { what: 'the lent tab' })
    return tab
  }
  const find = async ({ targetId }: UserTab) => (await browser.tabs()).find(tab => tab.targetId === targetId)
  const listed = async (commands: ReturnType<typeof wrapSession>) =>
    (await commands.do('tabs', { operation: 'list' })).tabs.map(({ url }) => url.replace(server.url, ''))

  test('a lent tab is read, operated and given back, and stays open (S4-10)', async () => {
    const tab = await lend('frames')
    const session = await open()
    const commands = wrapSession(session)
    expect(session.status()).toMatchObject({ mode: 'attached', profile: 'chrome', browser: expect.stringContaining('pagehand relay') })
    expect(JSON.stringify(session.status())).not.toContain(relay.token)
    expect(await listed(commands)).toEqual(['frames'])
    // also the frame of another site, in another process
    expect((await commands.nodes()).filter(({ name }) => name === 'Go')).toHaveLength(2)
    const popUp = (await commands.nodes()).find(({ name }) => name === 'Pop up')
    expect(await commands.do('click', { ref: popUp?.ref })).toMatchObject({ trusted: true })
    await expect.poll(() => listed(commands)).toEqual(['frames', 'popup'])
    expect(await commands.do('screenshot')).toMatchObject({ mime: 'image/png' })
    await session.close()
    // the popup is gone with the session, the lent tab is not
    await expect.poll(async () => (await browser.tabs()).map(({ url }) => url)).not.toContain(`${server.url}popup`)
    expect(await find(tab)).toMatchObject({ url: tab.url, isAttached: false })
    expect(relay.status().tabs).toEqual([])
  })

  test('without a lent tab, a session opens its own in the background, in a tab group, and closes it', async () => {
    const mine = await browser.openTab(`${server.url}mine`)
    const session = await open('shopping')
    const commands = wrapSession(session)
    await commands.do('open', { url: `${server.url}theirs` })
    const tabs = await browser.evaluate<{ active: boolean; group: string; tabId: number }[]>(`
      const tabs = await chrome.tabs.query({})
      return Promise.all(tabs.map(async ({ id, active, groupId }) =>
        ({ tabId: id, active, group: groupId === -1 ? '' : (await chrome.tabGroups.get(groupId)).title })))`)
    expect(tabs.find(({ tabId }) => tabId === mine.tabId)).toMatchObject({ active: true, group: '' })
    expect(tabs.filter(({ group }) => group !== '')).toMatchObject([{ active: false, group: 'pagehand: shopping' }])
    expect(await commands.text()).toContain('button "Go"')
    await session.close()
    expect((await browser.tabs()).map(({ url }) => url)).not.toContain(`${server.url}theirs`)
    expect(await find(mine)).toBeDefined()
  })

  test('a tab that is taken back or closed by its user ends what runs in it, and the answer says which', async () => {
    const tabs = [await lend('slow'), await lend('slow?2')]
    const session = await open()
    const commands = wrapSession(session)
    const selected = (await commands.do('tabs', { operation: 'list' })).tabs.find(each => each.selected)
    const [current, rest] = tabs[0]?.url === selected?.url ? [tabs[0], tabs[1]] : [tabs[1], tabs[0]]
    if (!current || !rest) throw new Error('two tabs were lent')
    const waiting = commands.fails('wait', { text: 'never there', timeoutMs: 25_000 })
    await browser.takeBack(current)
    expect(await waiting).toMatchObject({ code: 'target_closed', message: expect.stringContaining('took the tab back') })
    expect(await find(current)).toMatchObject({ isAttached: false })
    const next = commands.fails('wait', { text: 'never there', timeoutMs: 25_000 })
    await until(async () => (await find(rest))?.isAttached === true, { what: 'the debugger' })
    await browser.connection.send('Target.closeTarget', { targetId: rest.targetId })
    expect(await next).toMatchObject({ code: 'target_closed', message: expect.stringContaining('was closed') })
  })

  test('a tab that the user opens from a lent tab is not shared', async () => {
    const tab = await lend('opener')
    const session = await open()
    const commands = wrapSession(session)
    await commands.text()
    await browser.evaluate(`await chrome.tabs.create({ url: ${JSON.stringify(`${server.url}private`)}, openerTabId: ${tab.tabId} })`)
    await until(async () => (await browser.tabs()).some(({ url }) => url.endsWith('/private')), { what: 'the tab' })
    await commands.text()
    expect(await listed(commands)).toEqual(['opener'])
    expect((await browser.tabs()).find(({ url }) => url.endsWith('/private'))).toMatchObject({ isAttached: false })
  })

  test('the debugger is detached while a tab is idle; refs and frames survive it, and what the user did is seen', async () => {
    const tab = await lend('frames')
    const session = await open()
    const commands = wrapSession(session)
    const go = (await commands.nodes()).filter(({ name }) => name === 'Go').map(({ ref }) => ref)
    const detached = async () => (await find(tab))?.isAttached === false
    for (const ref of go) {
      await until(detached, { what: 'an idle tab' })
      expect(await commands.do('click', { ref })).toMatchObject({ trusted: true })
    }
    await until(detached, { what: 'an idle tab' })
    await browser.evaluate(`await chrome.tabs.update(${tab.tabId}, { url: ${JSON.stringify(`${server.url}elsewhere`)} })`)
    await until(async () => (await find(tab))?.url.endsWith('/elsewhere') === true, { what: 'the other page' })
    expect(await commands.text()).toContain('title="page /elsewhere"')
    expect(await commands.fails('click', { ref: go[0] })).toMatchObject({ code: 'ref_not_found' })
    expect(await commands.do('click', { ref: await commands.ref('button "Go"') })).toMatchObject({ trusted: true })
  })

  test('two programs have their own tabs, and the popup names them', async () => {
    const tab = await lend('first')
    const one = await open('one')
    const two = await open('two')
    await wrapSession(two).do('open', { url: `${server.url}second` })
    expect(await listed(wrapSession(one))).toEqual(['first'])
    expect(await listed(wrapSession(two))).toEqual(['second'])
    const popup = await browser.openPopup(tab)
    await expect.poll(() => popup.text()).toMatch(/page \/first[\s\S]*(lent to one|one is using it)[\s\S]*opened by two/)
    await popup.evaluate(`const list = document.querySelector('select'); list.selectedIndex = 1; list.onchange()`)
    await expect.poll(() => listed(wrapSession(two))).toEqual(['second', 'first'])
    await popup.click('Take everything back and disconnect')
    await expect.poll(() => relay.status().clients).toEqual([])
    await popup.close()
    expect(await find(tab)).toMatchObject({ isAttached: false })
  })

  test('a service worker that Chrome stopped goes on where it was', async () => {
    await lend('worker')
    const session = await open()
    const commands = wrapSession(session)
    const ref = await commands.ref('button "Go"')
    await browser.stopWorker()
    await until(() => relay.status().browser === undefined, { what: 'the end of the service worker' })
    const clicked = commands.do('click', { ref })
    // an alarm starts it after at most 30 s; its icon does at once
    await (await browser.openPopup()).close()
    expect(await clicked).toMatchObject({ trusted: true, page: { title: 'page /worker clicked' } })
  })

  test('after the relay was killed, the next one has the tabs that are still lent', async () => {
    const tab = await lend('kept')
    const session = await open()
    await wrapSession(session).text()
    const { port } = relay
    await relay.close()
    expect(await wrapSession(session).fails('snapshot')).toMatchObject({ code: 'browser_crashed' })
    relay = await startRelay({ port, idleMs, env })
    await until(() => relay.status().tabs.length === 1, { withinMs: 30_000, what: 'the lent tab' })
    const again = await open()
    expect(await wrapSession(again).text()).toContain('page /kept')
    expect(await find(tab)).toBeDefined()
  })

  test('a page with a frame of another extension cannot be used, and another page can be opened in its tab', async () => {
    const session = await open('test', { loadMs: 500 })
    const commands = wrapSession(session)
    const opened = await session.run({ name: 'open', url: `${server.url}with-other-extension` })
    const seen = await session.run({ name: 'snapshot' })
    // Chrome detaches the debugger when the frame appears
    expect([opened.ok, seen.ok]).toContain(false)
    expect(JSON.stringify([opened, seen])).toContain('url_not_allowed')
    expect((await commands.do('open', { url: `${server.url}after` })).page.title).toBe('page /after')
    expect(await commands.text()).toContain('button "Go"')
  })

  test('nothing of a tab that was not lent is attached, named or listed (TRUST C3)', async ({ task }) => {
    const count = tries(200, 20)
    task.meta.tries = count
    const secret = 'sentinel-5d1f'
    await Promise.all(
      Array.from({ length: count }, (_, at) =>
        browser.connection.send('Target.createTarget', { url: `about:blank?${secret}-${at}`, background: true }),
      ),
    )
    // every call of the debugger and every message that leaves the extension
    await browser.evaluate(`
      self.calls = []; self.sent = []
      for (const name of ['attach', 'detach', 'sendCommand', 'getTargets']) {
        const original = chrome.debugger[name].bind(chrome.debugger)
        chrome.debugger[name] = (target, ...rest) => { calls.push({ name, tab: target?.tabId }); return original(target, ...rest) }
      }
      const send = WebSocket.prototype.send
      WebSocket.prototype.send = function (text) { sent.push(text); return send.call(this, text) }`)
    const lent = await browser.openTab(`${server.url}lent`)
    const before = await browser.evaluate<number>('return calls.length')
    await browser.lend(lent)
    const session = await open()
    const commands = wrapSession(session)
    await commands.do('click', { ref: await commands.ref('button "Go"') })
    expect(await listed(commands)).toEqual(['lent'])
    await session.close()
    const { calls, sent } = await browser.evaluate<{ calls: { name: string; tab: number }[]; sent: string[] }>('return { calls, sent }')
    const ours = calls.slice(before).filter(({ name }) => name !== 'getTargets') // the test asks for these
    expect(ours.length).toBeGreaterThan(20)
    expect(new Set(ours.map(({ tab }) => tab))).toEqual(new Set([lent.tabId]))
    expect(sent.length).toBeGreaterThan(20)
    expect(sent.filter(text => text.includes(secret))).toEqual([])
    const attached = (await browser.tabs()).filter(({ url, isAttached }) => url.includes(secret) && isAttached)
    expect(attached).toEqual([])
  })

  test('after the browser was closed, the session reports it and the relay waits for the next one', async () => {
    await lend('last')
    const session = await open()
    await wrapSession(session).text()
    await browser[Symbol.asyncDispose]()
    await until(() => relay.status().browser === undefined, { what: 'the end of the browser' })
    expect(await wrapSession(session).fails('snapshot')).toMatchObject({
      code: expect.stringMatching(/^(timeout|target_closed|page_unresponsive)$/),
    })
    await session.close()
    browser = await startExtensionBrowser({ extensions: [other] })
    await browser.pair(relay.status().code, relay.port)
    await expect.poll(() => relay.status().tabs).toEqual([])
    await lend('next')
    const next = await open()
    expect(await wrapSession(next).text()).toContain('button "Go"')
  })
})

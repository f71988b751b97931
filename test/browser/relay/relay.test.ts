// The real extension in a real Chromium, operated as its user does, and sessions that reach it through the relay.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { tries } from '../../faults/scale.ts'
import { findExtensionBrowser, noExtensionBrowser, startExtensionBrowser } from '../../support/extension-browser.ts'
import { type Lending, startLending } from '../../support/lending.ts'
import { until } from '../../support/processes.ts'
import { type TestSession, wrapSession } from '../../support/test-session.ts'

const hasBrowser = findExtensionBrowser() !== undefined
if (!hasBrowser) process.stdout.write(`The tests of the extension are skipped: ${noExtensionBrowser}\n`)

/** another extension, with a page that sites may show in a frame */
const otherManifest = {
  manifest_version: 3,
  name: 'other',
  version: '1',
  web_accessible_resources: [{ resources: ['frame.html'], matches: ['<all_urls>'] }],
  content_scripts: [{ matches: ['http://127.0.0.1/*'], include_globs: ['*with-other-extension*'], js: ['content.js'] }],
}

describe.skipIf(!hasBrowser)('the extension', () => {
  let lending: Lending
  let other: string

  beforeAll(async () => {
    other = await mkdtemp(join(tmpdir(), 'pagehand-other-extension-'))
    await mkdir(other, { recursive: true })
    await writeFile(join(other, 'manifest.json'), JSON.stringify(otherManifest))
    await writeFile(join(other, 'frame.html'), '<title>frame of another extension</title>')
    const insert = `const frame = document.createElement('iframe'); frame.src = chrome.runtime.getURL('frame.html'); document.body.append(frame)`
    await writeFile(join(other, 'content.js'), insert)
    lending = await startLending({ extensions: [other], args: ['--site-per-process'] })
  })
  afterAll(() => lending?.[Symbol.asyncDispose]())
  afterEach(() => lending.end())

  /** the refs of the buttons in the page and in its frames, which may still be loading */
  const goRefs = async (session: TestSession) => (await session.nodes()).filter(({ name }) => name === 'Go').map(({ ref }) => ref)

  test('a lent tab is read, operated and given back, and stays open (S4-10)', async () => {
    const tab = await lending.lend('frames')
    const session = await lending.open()
    const commands = wrapSession(session)
    expect(session.status()).toMatchObject({ mode: 'attached', profile: 'chrome', browser: expect.stringContaining('pagehand relay') })
    expect(JSON.stringify(session.status())).not.toContain(lending.relay.token)
    expect(await lending.listed(commands)).toEqual(['frames'])
    // also the frame of another site, in another process
    await expect.poll(() => goRefs(commands)).toHaveLength(2)
    const popUp = (await commands.nodes()).find(({ name }) => name === 'Pop up')
    expect(await commands.do('click', { ref: popUp?.ref })).toMatchObject({ trusted: true })
    await expect.poll(() => lending.listed(commands)).toEqual(['frames', 'popup'])
    expect(await commands.do('screenshot')).toMatchObject({ mime: 'image/png' })
    await session.close()
    // the popup is gone with the session, the lent tab is not
    await expect.poll(async () => (await lending.browser.tabs()).map(({ url }) => url)).not.toContain(`${lending.url}popup`)
    expect(await lending.find(tab)).toMatchObject({ url: tab.url, isAttached: false })
    expect(lending.relay.status().tabs).toEqual([])
  })

  test('without a lent tab, a session opens its own in the background, in a tab group, and closes it', async () => {
    const mine = await lending.browser.openTab(`${lending.url}mine`)
    const session = await lending.open('shopping')
    const commands = wrapSession(session)
    await commands.do('open', { url: `${lending.url}theirs` })
    const tabs = await lending.browser.evaluate<{ active: boolean; group: string; tabId: number }[]>(`
      const tabs = await chrome.tabs.query({})
      return Promise.all(tabs.map(async ({ id, active, groupId }) =>
        ({ tabId: id, active, group: groupId === -1 ? '' : (await chrome.tabGroups.get(groupId)).title })))`)
    expect(tabs.find(({ tabId }) => tabId === mine.tabId)).toMatchObject({ active: true, group: '' })
    expect(tabs.filter(({ group }) => group !== '')).toMatchObject([{ active: false, group: 'pagehand: shopping' }])
    expect(await commands.text()).toContain('button "Go"')
    await session.close()
    expect((await lending.browser.tabs()).map(({ url }) => url)).not.toContain(`${lending.url}theirs`)
    expect(await lending.find(mine)).toBeDefined()
  })

  test('a tab that is taken back or closed by its user ends what runs in it, and the answer says which', async () => {
    const tabs = [await lending.lend('slow'), await lending.lend('slow?2')]
    const session = await lending.open()
    const commands = wrapSession(session)
    const selected = (await commands.do('tabs', { operation: 'list' })).tabs.find(each => each.selected)
    const [current, rest] = tabs[0]?.url === selected?.url ? [tabs[0], tabs[1]] : [tabs[1], tabs[0]]
    if (!current || !rest) throw new Error('two tabs were lent')
    const waiting = commands.fails('wait', { text: 'never there', timeoutMs: 25_000 })
    await lending.browser.takeBack(current)
    expect(await waiting).toMatchObject({ code: 'target_closed', message: expect.stringContaining('took the tab back') })
    expect(await lending.find(current)).toMatchObject({ isAttached: false })
    const next = commands.fails('wait', { text: 'never there', timeoutMs: 25_000 })
    await until(async () => (await lending.find(rest))?.isAttached === true, { what: 'the debugger' })
    await lending.browser.connection.send('Target.closeTarget', { targetId: rest.targetId })
    expect(await next).toMatchObject({ code: 'target_closed', message: expect.stringContaining('was closed') })
  })

  test('a tab that the user opens from a lent tab is not shared', async () => {
    const tab = await lending.lend('opener')
    const session = await lending.open()
    const commands = wrapSession(session)
    await commands.text()
    await lending.browser.evaluate(
      `await chrome.tabs.create({ url: ${JSON.stringify(`${lending.url}private`)}, openerTabId: ${tab.tabId} })`,
    )
    await until(async () => (await lending.browser.tabs()).some(({ url }) => url.endsWith('/private')), { what: 'the tab' })
    await commands.text()
    expect(await lending.listed(commands)).toEqual(['opener'])
    expect((await lending.browser.tabs()).find(({ url }) => url.endsWith('/private'))).toMatchObject({ isAttached: false })
  })

  test('the debugger is detached while a tab is idle; refs and frames survive it, and what the user did is seen', async () => {
    const tab = await lending.lend('nested')
    const session = await lending.open()
    const commands = wrapSession(session)
    // also in a frame of another site, and in the frame inside that
    await expect.poll(() => goRefs(commands)).toHaveLength(3)
    const go = await goRefs(commands)
    const detached = async () => (await lending.find(tab))?.isAttached === false
    for (const ref of go) {
      await until(detached, { what: 'an idle tab' })
      expect(await commands.do('click', { ref })).toMatchObject({ trusted: true })
    }
    await until(detached, { what: 'an idle tab' })
    await lending.browser.evaluate(`await chrome.tabs.update(${tab.tabId}, { url: ${JSON.stringify(`${lending.url}elsewhere`)} })`)
    await until(async () => (await lending.find(tab))?.url.endsWith('/elsewhere') === true, { what: 'the other page' })
    expect(await commands.text()).toContain('title="page /elsewhere"')
    expect(await commands.fails('click', { ref: go[0] })).toMatchObject({ code: 'ref_not_found' })
    expect(await commands.do('click', { ref: await commands.ref('button "Go"') })).toMatchObject({ trusted: true })
  })

  test('two programs have their own tabs, and the popup names them', async () => {
    const tab = await lending.lend('first')
    const one = await lending.open('one')
    const two = await lending.open('two')
    await wrapSession(two).do('open', { url: `${lending.url}second` })
    expect(await lending.listed(wrapSession(one))).toEqual(['first'])
    expect(await lending.listed(wrapSession(two))).toEqual(['second'])
    const popup = await lending.browser.openPopup(tab)
    await expect.poll(() => popup.text()).toMatch(/page \/first[\s\S]*(lent to one|one is using it)[\s\S]*opened by two/)
    await popup.evaluate(`const list = document.querySelector('select'); list.selectedIndex = 1; list.onchange()`)
    await expect.poll(() => lending.listed(wrapSession(two))).toEqual(['second', 'first'])
    await popup.click('Take everything back and disconnect')
    await expect.poll(() => lending.relay.status().clients).toEqual([])
    await popup.close()
    expect(await lending.find(tab)).toMatchObject({ isAttached: false })
  })

  test('a service worker that Chrome stopped goes on where it was', async () => {
    await lending.lend('worker')
    const session = await lending.open()
    const commands = wrapSession(session)
    const ref = await commands.ref('button "Go"')
    await lending.browser.stopWorker()
    await until(() => lending.relay.status().browser === undefined, { what: 'the end of the service worker' })
    const clicked = commands.do('click', { ref })
    // an alarm starts it after at most 30 s; its icon does at once
    await (await lending.browser.openPopup()).close()
    expect(await clicked).toMatchObject({ trusted: true, page: { title: 'page /worker clicked' } })
  })

  test('after the relay was killed, the next one has the tabs that are still lent', async () => {
    const tab = await lending.lend('kept')
    const session = await lending.open()
    await wrapSession(session).text()
    await lending.relay.close()
    expect(await wrapSession(session).fails('snapshot')).toMatchObject({ code: 'browser_crashed' })
    await lending.restartRelay()
    await until(() => lending.relay.status().tabs.length === 1, { withinMs: 30_000, what: 'the lent tab' })
    const again = await lending.open()
    expect(await wrapSession(again).text()).toContain('page /kept')
    expect(await lending.find(tab)).toBeDefined()
  })

  test('a page with a frame of another extension cannot be used, and another page can be opened in its tab', async () => {
    const session = await lending.open('test', { loadMs: 500 })
    const commands = wrapSession(session)
    const opened = await session.run({ name: 'open', url: `${lending.url}with-other-extension` })
    const seen = await session.run({ name: 'snapshot' })
    // Chrome detaches the debugger when the frame appears
    expect([opened.ok, seen.ok]).toContain(false)
    expect(JSON.stringify([opened, seen])).toContain('url_not_allowed')
    expect((await commands.do('open', { url: `${lending.url}after` })).page.title).toBe('page /after')
    expect(await commands.text()).toContain('button "Go"')
  })

  test('nothing of a tab that was not lent is attached, named or listed (TRUST C3)', async ({ task }) => {
    const count = tries(200, 20)
    task.meta.tries = count
    const secret = 'sentinel-5d1f'
    await Promise.all(
      Array.from({ length: count }, (_, at) =>
        lending.browser.connection.send('Target.createTarget', { url: `about:blank?${secret}-${at}`, background: true }),
      ),
    )
    // every call of the debugger and every message that leaves the extension
    await lending.browser.evaluate(`
      self.calls = []; self.sent = []
      for (const name of ['attach', 'detach', 'sendCommand', 'getTargets']) {
        const original = chrome.debugger[name].bind(chrome.debugger)
        chrome.debugger[name] = (target, ...rest) => { calls.push({ name, tab: target?.tabId }); return original(target, ...rest) }
      }
      const send = WebSocket.prototype.send
      WebSocket.prototype.send = function (text) { sent.push(text); return send.call(this, text) }`)
    const lent = await lending.browser.openTab(`${lending.url}lent`)
    const before = await lending.browser.evaluate<number>('return calls.length')
    await lending.browser.lend(lent)
    const session = await lending.open()
    const commands = wrapSession(session)
    await commands.do('click', { ref: await commands.ref('button "Go"') })
    expect(await lending.listed(commands)).toEqual(['lent'])
    await session.close()
    const { calls, sent } = await lending.browser.evaluate<{ calls: { name: string; tab: number }[]; sent: string[] }>(
      'return { calls, sent }',
    )
    const ours = calls.slice(before).filter(({ name }) => name !== 'getTargets') // the test asks for these
    expect(ours.length).toBeGreaterThan(20)
    expect(new Set(ours.map(({ tab }) => tab))).toEqual(new Set([lent.tabId]))
    expect(sent.length).toBeGreaterThan(20)
    expect(sent.filter(text => text.includes(secret))).toEqual([])
    const attached = (await lending.browser.tabs()).filter(({ url, isAttached }) => url.includes(secret) && isAttached)
    expect(attached).toEqual([])
  })

  test('after the browser was closed, the session reports it and the relay waits for the next one', async () => {
    await lending.lend('last')
    const session = await lending.open()
    await wrapSession(session).text()
    await lending.browser[Symbol.asyncDispose]()
    await until(() => lending.relay.status().browser === undefined, { what: 'the end of the browser' })
    expect(await wrapSession(session).fails('snapshot')).toMatchObject({
      code: expect.stringMatching(/^(timeout|target_closed|page_unresponsive)$/),
    })
    await session.close()
    lending.browser = await startExtensionBrowser({ extensions: [other] })
    await lending.browser.pair(lending.relay.status().code, lending.relay.port)
    await expect.poll(() => lending.relay.status().tabs).toEqual([])
    await lending.lend('next')
    const next = await lending.open()
    expect(await wrapSession(next).text()).toContain('button "Go"')
  })
})

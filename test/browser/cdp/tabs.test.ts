import { expect, test } from 'vitest'
import { openSession } from '../../../src/browser.ts'
import { type Chromium, launch } from '../../../src/drivers/cdp/browser/launch.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { isOverRelay } from '../../support/relay-ground.ts'
import { openTestSession } from '../../support/test-session.ts'

const allowEval = true

test('tabs are listed, opened, selected and closed', async () => {
  await using session = await openTestSession({ html: '<title>one', files: { 'two.html': '<title>two' } })
  const { tabs } = await session.do('tabs', { operation: 'new', url: `${session.url}two.html` })
  expect(tabs).toMatchObject([
    { tab: 't1', title: 'one', selected: false },
    { tab: 't2', title: 'two', url: `${session.url}two.html`, selected: true },
  ])
  expect((await session.do('snapshot')).meta.title).toBe('two')
  await session.do('tabs', { operation: 'select', tab: 't1' })
  expect((await session.do('snapshot')).meta.title).toBe('one')
  expect((await session.do('tabs', { operation: 'close', tab: 't1' })).tabs).toMatchObject([{ tab: 't2', selected: true }])
  expect(await session.fails('tabs', { operation: 'select', tab: 't1' })).toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('t2'),
  })
  expect(await session.fails('tabs', { operation: 'select' })).toMatchObject({ code: 'invalid_input' })
})

test('close without a tab closes the current one', async () => {
  await using session = await openTestSession()
  await session.do('tabs', { operation: 'new' })
  expect((await session.do('tabs', { operation: 'close' })).tabs).toMatchObject([{ tab: 't1', selected: true }])
})

test('after the last tab is closed, snapshot fails and open creates a new tab', async () => {
  await using session = await openTestSession({ html: '<title>one' })
  expect((await session.do('tabs', { operation: 'close', tab: 't1' })).tabs).toEqual([])
  expect(await session.fails('snapshot')).toMatchObject({ code: 'target_closed' })
  expect((await session.do('open', { url: session.url })).page.title).toBe('one')
})

test('a ref of another tab is refused with the name of that tab', async () => {
  await using session = await openTestSession({ html: '<button>Here</button>' })
  const ref = await session.ref('Here')
  await session.do('tabs', { operation: 'new', url: session.url })
  expect(await session.ref('Here')).not.toBe(ref)
  expect(await session.fails('query', { ref, kind: 'text' })).toMatchObject({
    code: 'ref_not_found',
    message: `${ref} is in tab t1; select that tab first.`,
  })
})

test('a tab opened by the page is reported but not selected', async () => {
  await using session = await openTestSession({ html: '<title>one', files: { 'two.html': '<title>two' } }, { allowEval })
  const { notes } = await session.do('evaluate', { js: 'void open("two.html")' })
  expect(notes).toEqual([expect.stringMatching(/^Tab t2 opened at .*select it/)])
  expect((await session.do('tabs', { operation: 'list' })).tabs).toMatchObject([
    { tab: 't1', selected: true },
    { tab: 't2', selected: false },
  ])
  await session.do('tabs', { operation: 'select', tab: 't2' })
  await expect.poll(async () => (await session.do('snapshot')).meta.title).toBe('two')
})

test('a tab whose server has not answered yet is reported with the URL that it was opened for', async () => {
  let answer = () => {}
  await using server = await serve((request, response) => {
    if (request.url === '/') sendHtml('<title>one</title><a href="/late?a=1" target=_blank rel=opener>Open</a>')(request, response)
    else answer = () => sendHtml('<title>two</title>')(request, response)
  })
  await using session = await openTestSession()
  await session.do('open', { url: server.url })
  const { notes } = await session.do('click', { ref: await session.ref('link "Open"') })
  const hint = 'It is not selected; select it to go on there.'
  // Chrome attaches an extension to a tab only after its server has answered
  const expected = isOverRelay
    ? `A tab for "${server.url}late?a=1" is opening; it cannot be used yet.`
    : `Tab t2 opened at "${server.url}late?a=1", which has not answered yet. ${hint}`
  expect(notes).toEqual([expected])
  answer()
  const list = async () => (await session.do('tabs', { operation: 'list' })).tabs
  await expect.poll(list).toMatchObject([{ title: 'one' }, { tab: 't2', title: 'two' }])
})

test("a noopener tab in the session's own context belongs to the session", async () => {
  await using session = await openTestSession({ html: '<title>one', files: { 'two.html': '<title>two' } }, { allowEval })
  await session.do('evaluate', { js: 'void open("two.html", "", "noopener")' })
  await expect.poll(async () => (await session.do('tabs', { operation: 'list' })).tabs.length).toBe(2)
})

test('at most five of fifty tabs opened by a page stay, and the rest is reported (B5)', async () => {
  await using session = await openTestSession({ html: '<title>one' }, { allowEval })
  const { notes } = await session.do('evaluate', { js: 'for (let i = 0; i < 50; i++) open("about:blank#" + i); 0' })
  await expect.poll(async () => (await session.do('tabs', { operation: 'list' })).tabs.length).toBeLessThanOrEqual(6)
  const { tabs, notes: more } = await session.do('tabs', { operation: 'list' })
  expect(tabs).toHaveLength(6)
  expect([...(notes ?? []), ...(more ?? [])].join('\n')).toMatch(/more tabs were closed: a page may open 5 per action/)
})

test('a tab that closes itself disappears from the list', async () => {
  await using session = await openTestSession({ html: '<title>one' }, { allowEval })
  await session.do('evaluate', { js: 'void (w = open("about:blank"))' })
  await session.do('evaluate', { js: 'w.close()' })
  await expect.poll(async () => (await session.do('tabs', { operation: 'list' })).tabs.length).toBe(1)
})

test('a tab that opens a forbidden URL is emptied (B4)', async () => {
  await using session = await openTestSession({ html: '<title>one' }, { allowEval })
  await session.do('evaluate', {
    js: `void open(URL.createObjectURL(new Blob(['<title>blob</title><button>secret</button>'], { type: 'text/html' })))`,
  })
  await expect.poll(async () => (await session.do('tabs', { operation: 'list' })).tabs[1]?.url).toBe('about:blank')
  await session.do('tabs', { operation: 'select', tab: 't2' })
  expect(await session.text()).not.toContain('secret')
})

/** traces of a session that other clients could see: tabs, contexts and attachments */
const traces = async ({ connection: port }: Chromium) => ({
  // Chromium shows parts of its own window as targets of other types
  pages: (await port.send('Target.getTargets')).targetInfos
    .filter(({ type }) => type !== 'browser_ui')
    .map(({ targetId, attached }) => ({ targetId, attached })),
  contexts: (await port.send('Target.getBrowserContexts')).browserContextIds,
})

test('a session in an existing browser attaches to no foreign tab', async () => {
  await using browser = await launch()
  const before = await traces(browser)
  expect(before.pages).toMatchObject([{ attached: false }])
  const session = await openSession({ browser })
  expect((await traces(browser)).pages).toEqual(expect.arrayContaining([...before.pages]))
  await session.close()
  expect(await traces(browser)).toEqual(before)
})

const broken = {
  'an invalid viewport size': { viewport: { width: -1, height: 1 } },
  'a cookie without a domain': { storageState: { cookies: [{ name: 'a', value: 'b' }], origins: [], report: [] } as never },
}
for (const [what, options] of Object.entries(broken))
  test(`a session that fails to open leaves nothing behind: ${what}`, async () => {
    await using browser = await launch()
    const before = await traces(browser)
    let listeners = 0
    const counted = (end: () => void) => {
      listeners++
      return () => {
        listeners--
        end()
      }
    }
    const { connection: port } = browser
    const watched: Chromium['connection'] = {
      ...port,
      // listeners of a tab end with the tab
      on: (event, listener, sessionId) => (sessionId ? port.on(event, listener, sessionId) : counted(port.on(event, listener))),
      onDisconnect: (listener, sessionId) => (sessionId ? port.onDisconnect(listener, sessionId) : counted(port.onDisconnect(listener))),
    }
    await expect(openSession({ browser: { ...browser, connection: watched }, ...options })).rejects.toThrow()
    expect(listeners).toBe(0)
    await expect.poll(() => traces(browser)).toEqual(before)
  })

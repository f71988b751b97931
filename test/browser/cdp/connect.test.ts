import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { connect, openSession } from '../../../src/browser.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { processesInGroup, until } from '../../support/processes.ts'
import { wrapSession } from '../../support/test-session.ts'
import { PageDebugger, startUserBrowser, type UserBrowser } from '../../support/user-browser.ts'

let daily: UserBrowser
beforeAll(async () => {
  daily = await startUserBrowser(['--site-per-process'])
})
afterAll(() => daily[Symbol.asyncDispose]())

const pages = async () => (await daily.targets()).filter(({ type }) => type === 'page').map(({ url }) => url)

test('a session attached to a running browser opens and closes its own tab and leaves the rest alone (S4-10 X4-9)', async () => {
  await using server = await serve(sendHtml('<title>ours</title><button>Go</button>'))
  const before = await pages()
  const session = await openSession({ profile: 'chrome', attach: { port: daily.port } })
  const commands = wrapSession(session)
  expect(session.status()).toMatchObject({ running: true, mode: 'attached', profile: 'chrome' })
  await commands.do('open', { url: server.url })
  expect(await commands.text()).toContain('button "Go"')
  expect(await pages()).toEqual(expect.arrayContaining([...before, server.url]))
  expect((await commands.do('tabs', { operation: 'list' })).tabs).toHaveLength(1)
  await session.close()
  expect(await pages()).toEqual(before)
  expect((await processesInGroup(daily.pid)).length).toBeGreaterThan(1)
})

test('attach connects to the running browser without a profile, and rejects any other profile (S4-10)', async () => {
  await using session = await openSession({ attach: { port: daily.port } })
  expect(session.status()).toMatchObject({ running: true, mode: 'attached', profile: 'chrome' })
  for (const profile of ['temporary', 'work'])
    await expect(openSession({ attach: { port: daily.port }, profile })).rejects.toMatchObject({ code: 'invalid_input' })
})

test('an endpoint may be an http or ws URL, a DevToolsActivePort file or its folder', async () => {
  const http = `http://127.0.0.1:${daily.port}`
  using byHttp = await connect({ endpoint: http })
  for (const endpoint of [byHttp.endpoint, daily.folder, join(daily.folder, 'DevToolsActivePort'), `http://localhost:${daily.port}/`]) {
    using attached = await connect({ endpoint })
    expect(attached.product).toContain('Chrome')
  }
})

test('an attached session lists and closes tabs opened by its page, but not those of other clients', async () => {
  await using server = await serve(sendHtml('<title>ours</title>'))
  await using session = await openSession({ profile: 'chrome', attach: { port: daily.port }, allowEval: true })
  const commands = wrapSession(session)
  await commands.do('open', { url: server.url })
  await fetch(`http://127.0.0.1:${daily.port}/json/new?${server.url}foreign`, { method: 'PUT' })
  await commands.do('evaluate', { js: 'void open("popup")' })
  await expect
    .poll(async () => (await commands.do('tabs', { operation: 'list' })).tabs.map(({ url }) => url))
    .toEqual([server.url, `${server.url}popup`])
  await session.close()
  expect(await pages()).toContain(`${server.url}foreign`)
  expect(await pages()).not.toContain(`${server.url}popup`)
})

test('a tab opened by a page that hangs is closed with the session', async () => {
  await using server = await serve(sendHtml('<title>ours</title>'))
  const before = await pages()
  const session = await openSession({ profile: 'chrome', attach: { port: daily.port }, allowEval: true })
  const commands = wrapSession(session)
  await commands.do('open', { url: server.url })
  // both tabs share one thread, which no longer answers
  await commands.do('evaluate', { js: `setTimeout(() => { open('about:blank#stopped'); while (true); }), 0` })
  await until(async () => (await pages()).includes('about:blank#stopped'), { what: 'the tab' })
  await session.close()
  // the thread is busy, so closing takes a while
  await expect.poll(pages).toEqual(before)
})

test('tabs that open each other while loading are closed with the session', async () => {
  await using server = await serve((request, response) => {
    const next = { '/': '1', '/1': '2', '/2': '3' }[request.url ?? '']
    sendHtml(next ? `<script>open('/${next}')</script>` : '<title>last')(request, response)
  })
  const before = await pages()
  const session = await openSession({ profile: 'chrome', attach: { port: daily.port } })
  await wrapSession(session).do('open', { url: server.url })
  await until(async () => (await pages()).includes(`${server.url}3`), { what: 'the last tab' })
  await session.close()
  await expect.poll(pages).toEqual(before)
})

test.each([
  ['an invalid viewport size', { viewport: { width: -1, height: 1 } }],
  ['a cookie without a domain', { storageState: { cookies: [{ name: 'a', value: 'b' }], origins: [], report: [] } as never }],
])('a session that fails to open leaves no tab behind: %s', async (_, options) => {
  const before = await pages()
  await expect(openSession({ profile: 'chrome', attach: { port: daily.port }, ...options })).rejects.toThrow()
  expect(await pages()).toEqual(before)
})

test('the debugging port cannot be opened as a page, by any name of the local host (X4-10)', async ({ task }) => {
  task.meta.tries = 6
  await using session = await openSession({ profile: 'chrome', attach: { port: daily.port } })
  for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', 'localhost.'])
    expect(await wrapSession(session).fails('open', { url: `http://${host}:${daily.port}/json` }), host).toMatchObject({
      code: 'url_not_allowed',
    })
})

test('two sessions share one connection, and each closes only its own tab', async () => {
  await using server = await serve(sendHtml('<title>t</title>'))
  using browser = await connect({ port: daily.port })
  const [one, two] = [await openSession({ browser }), await openSession({ browser })]
  await wrapSession(one).do('open', { url: `${server.url}1` })
  await wrapSession(two).do('open', { url: `${server.url}2` })
  await one.close()
  expect(await pages()).not.toContain(`${server.url}1`)
  expect((await wrapSession(two).do('reload')).page.title).toBe('t')
  await two.close()
})

test('a remote endpoint is refused by default, however its URL is written (TRUST C3)', async ({ task }) => {
  task.meta.tries = 5
  for (const endpoint of [
    'http://192.0.2.1:9222',
    'ws://example.com/devtools/browser/1',
    'http://127.0.0.1.example.com',
    'http://0.0.0.0:9222',
  ])
    await expect(connect({ endpoint }), endpoint).rejects.toMatchObject({ code: 'endpoint_not_loopback' })
  await expect(connect({ endpoint: 'nowhere/at/all' })).rejects.toMatchObject({ code: 'invalid_input' })
})

test('connecting to a closed port, or to a server that is not a browser, explains how to open one', async ({ task }) => {
  task.meta.tries = 3
  await expect(connect({ port: 1 })).rejects.toMatchObject({
    code: 'not_running',
    message: expect.stringMatching(/No browser answers.*144.*136/s),
  })
  await using server = await serve((_, response) => response.writeHead(404).end())
  await expect(connect({ port: server.port })).rejects.toMatchObject({
    code: 'not_running',
    message: expect.stringMatching(/status 404.*chrome:\/\/inspect/s),
  })
  await expect(openSession({ profile: 'chrome', attach: { port: 1 } })).rejects.toMatchObject({ code: 'not_running' })
})

test('no token or cookie is sent to the debugging port, and its redirect to another host is ignored (TRUST C3)', async ({ task }) => {
  task.meta.tries = 3
  process.env.PAGEHAND_TOKEN = 'sentinel-0b51'
  const heard: IncomingHttpHeaders[] = []
  await using server = await serve((request, response) => {
    heard.push(request.headers)
    response.end(JSON.stringify({ webSocketDebuggerUrl: 'ws://192.0.2.1:1/devtools/browser/x' }))
  })
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  try {
    // only the path is used, on the same host, where no server accepts the upgrade
    await expect(connect({ port: server.port })).rejects.toMatchObject({ code: 'not_running' })
    sockets.on('connection', (socket, request) => {
      heard.push(request.headers)
      socket.close()
    })
    const { port } = sockets.address() as { port: number }
    await expect(connect({ endpoint: `ws://127.0.0.1:${port}/` })).rejects.toMatchObject({ code: 'browser_crashed' })
    expect(heard.length).toBe(3)
    for (const headers of heard) {
      expect(JSON.stringify(headers)).not.toContain('sentinel')
      expect(Object.keys(headers).filter(name => /auth|cookie|token|origin/.test(name))).toEqual([])
    }
  } finally {
    delete process.env.PAGEHAND_TOKEN
    sockets.close()
  }
})

test('a page in a window of another program is driven through its debugger object', async () => {
  await using server = await serve((request, response) => {
    const other = (request.headers.host ?? '').replace('127.0.0.1', 'localhost')
    sendHtml(
      request.url === '/' ? `<title>theirs</title><button>Go</button><iframe src="http://${other}/in"></iframe>` : '<button>in</button>',
    )(request, response)
  })
  const made = await fetch(`http://127.0.0.1:${daily.port}/json/new?about:blank`, { method: 'PUT' })
  const { id, webSocketDebuggerUrl } = (await made.json()) as { id: string; webSocketDebuggerUrl: string }
  const debug = new PageDebugger(webSocketDebuggerUrl)
  const session = await openSession({ debugger: debug })
  const commands = wrapSession(session)
  expect((await commands.do('open', { url: server.url })).page).toMatchObject({ title: 'theirs', status: 200 })
  const nodes = await commands.nodes()
  expect(nodes.filter(node => node.role === 'button').map(node => node.name)).toEqual(['Go', 'in'])
  expect(await commands.do('query', { ref: await commands.ref('in'), kind: 'text' })).toMatchObject({ value: 'in' })
  expect(await commands.do('screenshot')).toMatchObject({ mime: 'image/png' })
  expect((await commands.do('tabs', { operation: 'list' })).tabs).toMatchObject([{ tab: 't1', url: server.url, selected: true }])
  expect(await commands.fails('tabs', { operation: 'new' })).toMatchObject({ code: 'disabled' })
  expect(await commands.fails('tabs', { operation: 'close', tab: 't1' })).toMatchObject({ code: 'disabled' })
  debug.sendCommand('Page.crash').catch(() => {}) // the crashed page cannot answer
  await expect.poll(() => session.status().crashed).toBe(true)
  expect(await commands.fails('snapshot')).toMatchObject({ code: 'page_crashed' })
  expect((await commands.do('open', { url: server.url })).page.title).toBe('theirs')
  await session.close()
  expect(debug.isAttached()).toBe(false)
  expect(debug.calls.filter(method => /^Browser\.|Target\.(close|create|dispose)/.test(method))).toEqual([])
  // the window belongs to the other program and stays open
  expect((await daily.targets()).map(target => target.id)).toContain(id)
})

test('a window that is destroyed ends the session of its debugger without an exception', async () => {
  const made = await fetch(`http://127.0.0.1:${daily.port}/json/new?about:blank`, { method: 'PUT' })
  const debug = new PageDebugger(((await made.json()) as { webSocketDebuggerUrl: string }).webSocketDebuggerUrl)
  const session = await openSession({ debugger: debug })
  const waiting = wrapSession(session).fails('wait', { text: 'never', timeoutMs: 20_000 })
  const before = debug.calls.length
  await expect.poll(() => debug.calls.length).toBeGreaterThan(before)
  debug.destroy()
  expect(await waiting).toMatchObject({ code: 'target_closed' })
  expect(await wrapSession(session).fails('snapshot')).toMatchObject({ code: 'not_running' })
  await session.close()
})

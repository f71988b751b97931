import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, openSession } from '../../../src/browser.ts'
import { findUserBrowsers } from '../../../src/drivers/cdp/browser/user-browsers.ts'
import { type CdpMessage, tapBrowser } from '../../support/cdp-tap.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { until } from '../../support/processes.ts'
import { wrapSession } from '../../support/test-session.ts'
import { startUserBrowser, type UserBrowser } from '../../support/user-browser.ts'

const tabs = 200
let daily: UserBrowser
beforeAll(async () => {
  daily = await startUserBrowser(['--site-per-process'])
  using browser = await connect({ port: daily.port })
  for (let n = 0; n < tabs; n++) await browser.connection.send('Target.createTarget', { url: `about:blank#private-${n}` })
}, 120_000)
afterAll(() => daily[Symbol.asyncDispose]())

const privateTabs = async () => (await daily.targets()).filter(({ url }) => url.includes('private-')).length
const attachedTargets = (sent: readonly CdpMessage[]) =>
  sent.filter(({ method }) => method === 'Target.attachToTarget').map(({ params }) => params?.targetId)

test(`of ${tabs} tabs of the user none is attached to, named or listed, and no window comes to the front (S4-10)`, async () => {
  await using server = await serve(sendHtml('<title>ours</title><button>Go</button>'))
  await using tap = await tapBrowser(daily)
  const session = await openSession({ attach: { port: tap.port } })
  const commands = wrapSession(session)
  await commands.do('open', { url: server.url })
  await commands.do('click', { ref: await commands.ref('button "Go"') })
  await commands.do('screenshot', { annotate: true })
  const { tabs: listed } = await commands.do('tabs', { operation: 'new', url: server.url })
  expect(listed.map(({ url }) => url)).toEqual([server.url, server.url])
  await commands.do('tabs', { operation: 'select', tab: 't1' })
  expect((await commands.do('tabs', { operation: 'list' })).tabs).toMatchObject([{ tab: 't1', selected: true }, { tab: 't2' }])
  await session.close()

  expect(tap.received.filter(text => text.includes('private-'))).toEqual([])
  const created = tap.calls('Target.createTarget')
  expect(created.map(({ params }) => params?.background)).toEqual([true, true])
  expect(attachedTargets(tap.sent)).toHaveLength(created.length)
  const refused = /^Browser\.(close|setDownload|grant|setPermission)|activateTarget|bringToFront|setDiscoverTargets|getTargets$|getWindow/
  expect(tap.sent.map(({ method }) => method ?? '').filter(method => refused.test(method))).toEqual([])
  expect(await privateTabs()).toBe(tabs)
})

test('a window that a page opens belongs to the session, and the tabs that the browser reports with it are ignored', async () => {
  await using server = await serve(sendHtml('<title>ours</title>'))
  await using tap = await tapBrowser(daily)
  const session = await openSession({ attach: { port: tap.port }, allowEval: true })
  const commands = wrapSession(session)
  await commands.do('open', { url: server.url })
  const notes = [...((await commands.do('evaluate', { js: 'void open("popup")' })).notes ?? [])]
  const list = async () => {
    const listed = await commands.do('tabs', { operation: 'list' })
    notes.push(...(listed.notes ?? []))
    return listed.tabs
  }
  await until(async () => (await list()).length === 2 && notes.length > 0, { what: 'the popup' })
  expect(notes).toEqual([
    expect.stringMatching(
      /^Tab t2 opened at ".*popup"(, which has not answered yet)?\. It is not selected; select it to go on there\. Opening it may have brought the browser to the front\.$/,
    ),
  ])
  // the browser reports other tabs only until the page is done
  await until(() => tap.calls('Target.setDiscoverTargets').at(-1)?.params?.discover === false, { what: 'the end of discovery' })
  expect(new Set(attachedTargets(tap.sent)).size).toBe(2)
  await session.close()
  expect(await privateTabs()).toBe(tabs)
})

test('a window that a frame of another site opens belongs to the session', async () => {
  await using server = await serve((request, response) => {
    const { port } = new URL(`http://${request.headers.host}`)
    const frame = `<iframe src="http://localhost:${port}/frame"></iframe>`
    sendHtml(request.url === '/' ? frame : '<button onclick="window.open(`popup`)">Open</button>')(request, response)
  })
  await using session = await openSession({ attach: { port: daily.port } })
  const commands = wrapSession(session)
  await commands.do('open', { url: server.url })
  const { notes } = await commands.do('click', { ref: await commands.ref('button "Open"') })
  expect(notes).toEqual([expect.stringMatching(/^Tab t2 opened at .*popup/)])
})

/** A user data folder whose browser asks about every connection. */
async function askingBrowser(port: number) {
  const home = await mkdtemp(join(tmpdir(), 'pagehand-asks-'))
  await mkdir(join(home, 'chromium'))
  await writeFile(join(home, 'chromium', 'DevToolsActivePort'), `${port}\n/devtools/browser/1`)
  return {
    attach: { port, env: { XDG_CONFIG_HOME: home } },
    folder: join(home, 'chromium'),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true }),
  }
}

test.runIf(process.platform === 'linux')('a browser that asks its user is asked once for all sessions of a process', async () => {
  let allow = (_: boolean) => {}
  const answer = new Promise<boolean>(resolve => {
    allow = resolve
  })
  await using tap = await tapBrowser(daily, { consent: () => answer })
  await using asking = await askingBrowser(tap.port)
  let asked = 0
  const attach = { ...asking.attach, keepConnection: true, onConsent: () => void asked++ }
  // nobody has answered yet: the call ends, and the question stays
  await expect(openSession({ attach: { ...attach, consentMs: 50 } })).rejects.toMatchObject({
    code: 'not_running',
    message: expect.stringMatching(/asks its user.*Click Allow/s),
  })
  const opening = [openSession({ attach }), openSession({ attach: { ...attach, endpoint: asking.folder } })]
  allow(true)
  for (const session of await Promise.all(opening)) await session.close()
  await using later = await openSession({ attach })
  expect(later.status()).toMatchObject({ running: true, mode: 'attached' })
  expect([tap.connections, asked]).toEqual([1, 1])
})

test.runIf(process.platform === 'linux')('a user who refuses the connection is not asked again', async () => {
  await using tap = await tapBrowser(daily, { consent: async () => false })
  await using asking = await askingBrowser(tap.port)
  const attach = { ...asking.attach, keepConnection: true }
  for (const _ of [1, 2, 3])
    await expect(openSession({ attach })).rejects.toMatchObject({ code: 'consent_denied', message: expect.stringMatching(/did not allow/) })
  expect(tap.connections).toBe(1)
})

test.runIf(process.platform === 'linux')('without a port, a browser is found by the port in its user data folder', async () => {
  await using asking = await askingBrowser(daily.port)
  const { env } = asking.attach
  // the default port answers only if somebody else uses it
  const isFree = await fetch('http://127.0.0.1:9222/json/version').then(
    () => false,
    () => true,
  )
  if (isFree)
    await expect(connect({ env })).rejects.toMatchObject({ code: 'not_running', message: expect.stringContaining(`${daily.port}`) })
  await writeFile(join(asking.folder, 'DevToolsActivePort'), `${daily.port}\n${new URL((await version()).webSocketDebuggerUrl).pathname}`)
  if (isFree) (await connect({ env })).close()
})
const version = async () => (await (await fetch(`http://127.0.0.1:${daily.port}/json/version`)).json()) as { webSocketDebuggerUrl: string }

test('a server that wants a token, and a relay without its extension, are named as such', async () => {
  await using locked = await serve((_, response) => response.writeHead(401).end())
  await expect(connect({ port: locked.port })).rejects.toMatchObject({
    code: 'not_running',
    message: expect.stringMatching(/token.*\/cdp\?token=/),
  })
  await using idle = await serve((_, response) => response.end('{"Browser": "OpenClaw/extension-relay", "Protocol-Version": "1.3"}'))
  await expect(connect({ port: idle.port })).rejects.toMatchObject({
    code: 'not_running',
    message: expect.stringMatching(/extension is not connected/),
  })
})

test.runIf(process.platform === 'linux')(
  'the own browsers of a user are found without a connection, so that no dialog appears',
  async () => {
    await using tap = await tapBrowser(daily, { consent: async () => true })
    await using asking = await askingBrowser(tap.port)
    await writeFile(join(asking.folder, 'Last Version'), '156.0.8078.79')
    const { env } = asking.attach
    expect(await findUserBrowsers({ port: 1, env })).toEqual([
      { folder: asking.folder, version: 156, isRunning: true, port: tap.port, debugging: 'asks' },
    ])
    expect(tap.connections).toBe(0)
    // the file of a browser that has exited
    await writeFile(join(asking.folder, 'DevToolsActivePort'), '1\n/devtools/browser/1')
    expect(await findUserBrowsers({ port: daily.port, env })).toEqual([
      { folder: asking.folder, version: 156, isRunning: false, port: undefined, debugging: 'off' },
      { folder: undefined, version: expect.any(Number), isRunning: true, port: daily.port, debugging: 'open' },
    ])
  },
)

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { browserAwayReason, notDebuggable } from '../../src/contract/relay-reasons.ts'
import type { RelayRequest, SharedTab } from '../../src/relay/protocol.ts'
import { type RelayServer, startRelay } from '../../src/relay/server.ts'
import { connectClient, connectExtension, createTab, frameTreeOf } from '../support/scripted-extension.ts'

const servers: RelayServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

interface Script {
  readonly tabs?: readonly SharedTab[]
  readonly idleMs?: number
  readonly waitMs?: number
  readonly awayMs?: number
  answer?(request: RelayRequest): unknown
}

async function start({ idleMs = 60_000, waitMs = 1_000, awayMs = 1_000, ...script }: Script = {}) {
  const server = await startRelay({
    port: 0,
    idleMs,
    waitMs,
    awayMs,
    env: { PAGEHAND_HOME: mkdtempSync(join(tmpdir(), 'pagehand-relay-')) },
  })
  servers.push(server)
  const extension = await connectExtension({ port: server.port, code: server.status().code }, script)
  await expect.poll(() => server.status().tabs.length).toBe(script.tabs?.length ?? 0)
  return { server, extension }
}
const targetIds = async (client: Awaited<ReturnType<typeof connectClient>>) =>
  ((await client.send('Target.getTargets')).targetInfos as { targetId: string }[]).map(({ targetId }) => targetId)
const attachTo = async (client: Awaited<ReturnType<typeof connectClient>>, targetId: string) =>
  (await client.send('Target.attachToTarget', { targetId, flatten: true })).sessionId as string
const commandsOf = (requests: readonly RelayRequest[]) => requests.flatMap(each => (each.do === 'command' ? [each.method] : []))

test('a client sees a browser that has only its own tabs', async () => {
  const { server, extension } = await start({ tabs: [createTab(1)] })
  const one = await connectClient(server, 'one')
  expect(await targetIds(one)).toEqual(['T1'])
  const two = await connectClient(server, 'two')
  expect(await targetIds(two)).toEqual([])
  const { targetId } = await two.send('Target.createTarget', { url: 'about:blank' })
  expect(await targetIds(two)).toEqual([targetId])
  expect(await targetIds(one)).toEqual(['T1'])
  for (const [method, params] of [
    ['Target.attachToTarget', { targetId }],
    ['Target.closeTarget', { targetId }],
    ['Target.getTargetInfo', { targetId }],
    ['Target.activateTarget', { targetId }],
  ] as const)
    await expect(one.send(method, params), method).rejects.toThrow('No target with given id found')
  const session = await attachTo(two, String(targetId))
  await expect(one.send('Runtime.evaluate', {}, session)).rejects.toThrow('Session with given id not found')
  // a tab that is lent later goes to the program that connected last, and the user can give it to the other
  extension.send({ on: 'tab', tab: createTab(2) })
  await expect.poll(() => targetIds(two)).toEqual([targetId, 'T2'])
  expect(server.status()).toMatchObject({ clients: ['one', 'two'] })
})

test('the browser of the user cannot be closed, and nothing beyond a shared tab can be reached', async ({ task }) => {
  const { server, extension } = await start({ tabs: [createTab(1)] })
  const client = await connectClient(server)
  const session = await attachTo(client, 'T1')
  const refused: [string, object, string?][] = [
    ['Browser.close', {}],
    ['Browser.setDownloadBehavior', { behavior: 'allow' }],
    ['Storage.getCookies', {}],
    ['Target.createBrowserContext', {}],
    ['Target.exposeDevToolsProtocol', { targetId: 'T1' }],
    ['Storage.getCookies', {}, session],
    ['Storage.clearDataForOrigin', { origin: 'https://bank.example', storageTypes: 'all' }, session],
    ['Network.getAllCookies', {}, session],
    ['Network.getCookies', { urls: ['https://bank.example/'] }, session],
    ['Network.setCookies', { cookies: [] }, session],
    ['Network.clearBrowserCookies', {}, session],
    ['Network.loadNetworkResource', { url: 'https://bank.example/', options: {} }, session],
    ['CacheStorage.requestCacheNames', { securityOrigin: 'https://bank.example' }, session],
    ['IndexedDB.requestDatabaseNames', { securityOrigin: 'https://bank.example' }, session],
    ['Tracing.start', {}, session],
    ['Target.attachToTarget', { targetId: 'T9' }, session],
    ['Target.sendMessageToTarget', {}, session],
    ['Page.navigate', { url: 'chrome://settings' }, session],
    ['Page.navigate', { url: 'file:///etc/passwd' }, session],
    ['Page.navigate', { url: 'chrome-extension://ockembjlfliniianbnnghbblopkmeahi/popup.html' }, session],
    ['Target.createTarget', { url: 'file:///etc/passwd' }],
  ]
  task.meta.tries = refused.length
  for (const [method, params, sessionId] of refused) await expect(client.send(method, params, sessionId), method).rejects.toThrow()
  expect(commandsOf(extension.requests)).toEqual([])
  // what belongs to the tab is allowed
  await client.send('Network.getCookies', { urls: ['https://site1.example/a'] }, session)
  await client.send('Page.navigate', { url: 'https://other.example/' }, session)
  expect(commandsOf(extension.requests)).toEqual(['Page.getFrameTree', 'Network.getCookies', 'Page.navigate'])
})

test('neither a tab nor a page can take the focus', async () => {
  const { server, extension } = await start({ tabs: [createTab(1)] })
  const client = await connectClient(server)
  const session = await attachTo(client, 'T1')
  await client.send('Target.activateTarget', { targetId: 'T1' })
  await client.send('Page.bringToFront', {}, session)
  expect(extension.requests).toEqual([])
})

test('the debugger is attached by the first command, and detached when the tab is idle', async () => {
  const { server, extension } = await start({ tabs: [createTab(1)], idleMs: 30 })
  const client = await connectClient(server)
  const session = await attachTo(client, 'T1')
  expect(extension.requests).toEqual([])
  await client.send('Page.enable', {}, session)
  expect(extension.requests.map(each => each.do)).toEqual(['attach', 'command', 'command'])
  await expect.poll(() => extension.requests.at(-1)).toEqual({ do: 'detach', tab: 1 })
  expect(client.events).toEqual([])
})

test('what a client has set is restored when the tab is attached again, and the client notices nothing', async () => {
  const { server, extension } = await start({
    tabs: [createTab(1)],
    idleMs: 30,
    answer(request) {
      if (request.do !== 'command') return undefined
      if (request.method === 'Page.addScriptToEvaluateOnNewDocument') return { identifier: '1' }
      // enabling a domain repeats what exists
      if (request.method === 'Runtime.enable')
        extension.send({ on: 'event', tab: 1, method: 'Runtime.executionContextCreated', params: { context: { id: 1 } } })
      return undefined
    },
  })
  const client = await connectClient(server)
  const session = await attachTo(client, 'T1')
  for (const [method, params] of [
    ['Page.enable', {}],
    ['Runtime.enable', {}],
    ['Network.enable', {}],
    ['Network.disable', {}],
    ['Emulation.setDeviceMetricsOverride', { width: 1 }],
    ['Emulation.setDeviceMetricsOverride', { width: 2 }],
    ['Emulation.setTouchEmulationEnabled', { enabled: true }],
    ['Runtime.addBinding', { name: 'tell' }],
    ['Runtime.evaluate', { expression: '1' }],
  ] as const)
    await client.send(method, params, session)
  const script = { source: 'x', worldName: 'w', runImmediately: true }
  expect(await client.send('Page.addScriptToEvaluateOnNewDocument', script, session)).toEqual({ identifier: '1' })
  await expect.poll(() => extension.requests.at(-1)?.do).toBe('detach')
  const events = client.events.length
  extension.requests.length = 0
  await client.send('Runtime.evaluate', { expression: '2' }, session)
  expect(extension.requests.slice(0, -1)).toMatchObject(
    [
      { do: 'attach' },
      { method: 'Page.getFrameTree' },
      { method: 'Page.enable' },
      { method: 'Runtime.enable' },
      { method: 'Emulation.setDeviceMetricsOverride', params: { width: 2 } },
      { method: 'Emulation.setTouchEmulationEnabled' },
      { method: 'Runtime.addBinding' },
      // it has run in this document already
      { method: 'Page.addScriptToEvaluateOnNewDocument', params: { ...script, runImmediately: false } },
      { method: 'Runtime.evaluate', params: { expression: '2' } },
    ].slice(0, -1),
  )
  expect(extension.requests.find(each => each.do === 'command' && each.method === 'Runtime.evaluate')).toMatchObject({
    params: { expression: '2' },
  })
  expect(client.events.slice(events)).toEqual([])
})

test('a page that was changed while the tab was detached is reported as navigations', async () => {
  let loaderId = 'L1'
  const { server, extension } = await start({
    tabs: [createTab(1)],
    idleMs: 30,
    answer(request) {
      if (request.do !== 'command' || request.method !== 'Page.getFrameTree') return undefined
      return frameTreeOf(createTab(1, { url: `https://site1.example/${loaderId}` }), loaderId)
    },
  })
  const client = await connectClient(server)
  const session = await attachTo(client, 'T1')
  await client.send('Page.enable', {}, session)
  await expect.poll(() => extension.requests.at(-1)?.do).toBe('detach')
  loaderId = 'L2'
  await client.send('Runtime.evaluate', {}, session)
  expect(client.events).toMatchObject([
    { method: 'Runtime.executionContextsCleared', sessionId: session },
    { method: 'Page.frameNavigated', sessionId: session, params: { frame: { id: 'T1', loaderId: 'L2' } } },
  ])
})

test('commands wait for an extension that is started again, and those in flight fail', async () => {
  let isSilent = true
  const { server, extension } = await start({
    tabs: [createTab(1)],
    answer: request => (isSilent && request.do === 'command' && request.method === 'Runtime.evaluate' ? new Promise(() => {}) : undefined),
  })
  const client = await connectClient(server)
  const session = await attachTo(client, 'T1')
  const inFlight = client.send('Runtime.evaluate', {}, session)
  inFlight.catch(() => {}) // checked below
  await expect.poll(() => commandsOf(extension.requests)).toContain('Runtime.evaluate')
  await extension.close()
  await expect(inFlight).rejects.toThrow('may have been carried out')
  isSilent = false
  const next = client.send('Runtime.evaluate', {}, session)
  const again = await connectExtension({ port: server.port, key: extension.key }, { tabs: [createTab(1)] })
  expect(await next).toEqual({})
  expect(again.requests.map(each => each.do)).toEqual(['attach', 'command', 'command'])
  // without an extension, a command fails after a while
  await again.close()
  await expect(client.send('Runtime.evaluate', {}, session)).rejects.toThrow('not connected')
})

test('a tab that is taken back or closed is gone for its client, with the reason', async () => {
  const { server, extension } = await start({ tabs: [createTab(1), createTab(2)] })
  const client = await connectClient(server)
  await client.send('Target.setDiscoverTargets', { discover: true })
  const sessions = [await attachTo(client, 'T1'), await attachTo(client, 'T2')]
  client.events.length = 0
  extension.send({ on: 'gone', tab: 1, reason: 'returned' })
  extension.send({ on: 'gone', tab: 2, reason: 'closed' })
  await expect.poll(() => client.events.length).toBe(6)
  expect(client.events).toMatchObject([
    { method: 'Inspector.detached', sessionId: sessions[0], params: { reason: 'The user took the tab back.' } },
    { method: 'Target.detachedFromTarget', params: { sessionId: sessions[0], targetId: 'T1' } },
    { method: 'Target.targetDestroyed', params: { targetId: 'T1' } },
    { method: 'Inspector.detached', sessionId: sessions[1], params: { reason: 'The tab was closed.' } },
    { method: 'Target.detachedFromTarget', params: { sessionId: sessions[1], targetId: 'T2' } },
    { method: 'Target.targetDestroyed', params: { targetId: 'T2' } },
  ])
  await expect(client.send('Runtime.evaluate', {}, sessions[0])).rejects.toThrow('Session with given id not found')
})

test('a lent tab is given back and an opened tab is closed, also when the client is killed', async () => {
  const { server, extension } = await start({ tabs: [createTab(1), createTab(2)] })
  const client = await connectClient(server)
  const session = await attachTo(client, 'T1')
  await client.send('Target.detachFromTarget', { sessionId: session })
  expect(extension.requests).toEqual([{ do: 'return', tab: 1 }])
  await client.send('Target.createTarget', { url: 'about:blank' })
  client.close()
  await expect.poll(() => extension.requests.at(-1)).toEqual({ do: 'close', tab: 101 })
  // the other lent tab waits for the next client
  expect(await targetIds(await connectClient(server))).toEqual(['T2'])
})

test('tabs that a client of an earlier relay opened are closed, and a popup belongs to the client of its opener', async () => {
  const { server, extension } = await start({ tabs: [createTab(1)] })
  const one = await connectClient(server)
  await connectClient(server)
  await one.send('Target.setDiscoverTargets', { discover: true })
  extension.send({ on: 'tab', tab: createTab(7, { kind: 'opened', opener: 1 }) })
  await expect.poll(() => targetIds(one)).toEqual(['T1', 'T7'])
  expect(one.events.at(-1)).toMatchObject({ params: { targetInfo: { targetId: 'T7', openerId: 'T1' } } })
  await extension.close()
  const again = await connectExtension({ port: server.port, key: extension.key }, { tabs: [createTab(8, { kind: 'opened' })] })
  await expect.poll(() => again.requests).toEqual([{ do: 'close', tab: 8 }])
  expect(server.status().tabs).toEqual([])
})

test('a popup is used as the extension has attached it, and a dialog that is older than the session of the client is reported', async () => {
  const { server, extension } = await start({ tabs: [createTab(1)] })
  const client = await connectClient(server)
  await client.send('Target.setDiscoverTargets', { discover: true })
  const popup = createTab(2, { kind: 'opened', opener: 1, openerFrameId: 'F1', url: 'https://site1.example/popup' })
  const dialog = { method: 'Page.javascriptDialogOpening', params: { type: 'alert', message: 'hello', url: popup.url } }
  extension.send({ on: 'tab', tab: popup, isAttached: true })
  extension.send({ on: 'event', tab: 2, ...dialog })
  await expect
    .poll(() => client.events.at(-1)?.params)
    .toMatchObject({ targetInfo: { targetId: 'T2', openerId: 'T1', openerFrameId: 'F1' } })
  const session = await attachTo(client, 'T2')
  await client.send('Page.enable', {}, session)
  expect(client.events.at(-1)).toEqual({ ...dialog, sessionId: session })
  // attaching it again would have dismissed the dialog
  expect(extension.requests).toEqual([{ do: 'command', tab: 2, method: 'Page.enable', params: {} }])
  extension.send({ on: 'event', tab: 2, method: 'Page.javascriptDialogClosed', params: { result: true } })
  await expect.poll(() => client.events.at(-1)?.method).toBe('Page.javascriptDialogClosed')
  const count = client.events.length
  await client.send('Page.enable', {}, session)
  expect(client.events).toHaveLength(count)
})

test('programs that the user disconnected open no tab until the user lends one again', async () => {
  const { server, extension } = await start()
  const client = await connectClient(server)
  await client.send('Target.createTarget', { url: 'about:blank' })
  const { clients } = server.status()
  expect(clients).toEqual(['test'])
  const ended = new Promise(resolve => client.socket.once('close', resolve))
  extension.send({ on: 'disconnect', client: extension.clients.at(-1)?.id ?? '' })
  await ended
  const again = await connectClient(server)
  await expect(again.send('Target.createTarget', { url: 'about:blank' })).rejects.toThrow('The user disconnected the programs')
  extension.send({ on: 'tab', tab: createTab(1) })
  await expect.poll(() => targetIds(again)).toEqual(['T1'])
  await again.send('Target.createTarget', { url: 'about:blank' })
})

test('a page that extensions may not debug can only be left', async () => {
  let isBlocked = true
  const { server, extension } = await start({
    tabs: [createTab(1)],
    answer(request) {
      if (request.do === 'navigate') isBlocked = false
      if (request.do === 'attach' && isBlocked)
        throw new Error(`${notDebuggable}: Cannot access a chrome-extension:// URL of different extension`)
      return undefined
    },
  })
  const client = await connectClient(server)
  const session = await attachTo(client, 'T1')
  await expect(client.send('Runtime.evaluate', {}, session)).rejects.toThrow(notDebuggable)
  expect(await client.send('Page.navigate', { url: 'https://other.example/' }, session)).toEqual({})
  expect(extension.requests.slice(-4)).toMatchObject([
    { do: 'navigate', url: 'about:blank' },
    { do: 'attach' },
    { method: 'Page.getFrameTree' },
    { method: 'Page.navigate', params: { url: 'https://other.example/' } },
  ])
})

test('commands fail at once when the extension has been away for a moment, and work when it is back', async () => {
  const { server, extension } = await start({ tabs: [createTab(1)], awayMs: 100, waitMs: 60_000 })
  const client = await connectClient(server)
  const session = await attachTo(client, 'T1')
  await client.send('Runtime.evaluate', {}, session)
  await extension.close()
  // the first one waits for an extension that is only restarted, not as long as for one that has never connected
  await expect(client.send('Runtime.evaluate', {}, session)).rejects.toThrow(browserAwayReason)
  await expect(client.send('Target.createTarget', { url: 'about:blank' })).rejects.toThrow(browserAwayReason)
  await connectExtension({ port: server.port, key: extension.key }, { tabs: [createTab(1)] })
  await expect.poll(() => server.status().tabs.length).toBe(1)
  expect(await client.send('Runtime.evaluate', {}, session)).toEqual({})
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import type { CdpMessage } from './cdp-tap.ts'

// The answers of an older relay of OpenClaw to calls of the browser: unlike the current one, which is in test/fixtures/relay, it reports tabs
// that are lent later.
const recorded: { readonly [method: string]: object } = {
  'Browser.getVersion': {
    protocolVersion: '1.3',
    product: 'Chrome/OpenClaw-Extension-Relay',
    revision: '0',
    userAgent: 'OpenClaw-Extension-Relay',
    jsVersion: 'V8',
  },
  'Browser.setDownloadBehavior': {},
  'Target.setAutoAttach': {},
  'Target.setDiscoverTargets': {},
}

interface LentTab {
  readonly sessionId: string
  readonly info: { readonly targetId: string; readonly type: 'page'; readonly title: string; readonly url: string }
  /** the debugger of the tab, as its extension has it */
  readonly page: WebSocket
}

export interface LendingRelay {
  readonly endpoint: string
  /** the calls of all clients */
  readonly calls: CdpMessage[]
  /** the user clicks the button of the extension in a tab */
  lend(tab: { readonly id: string; readonly url: string; readonly webSocketDebuggerUrl: string }): Promise<void>
  takeBack(targetId: string, reason?: string): void
  [Symbol.asyncDispose](): Promise<void>
}

/** A relay that speaks like an older one of OpenClaw: a token in the URL, its own session ids, only lent tabs, and one session per tab. */
export async function startLendingRelay({ token = 'relay-token-1', port = 0, browserPort = 0 } = {}): Promise<LendingRelay> {
  const tabs = new Map<string, LentTab>()
  const calls: CdpMessage[] = []
  const clients = new Set<WebSocket>()
  let lastTab = 0
  const broadcast = (event: object) => {
    for (const client of clients) client.send(JSON.stringify(event))
  }
  const attachedEvent = ({ sessionId, info }: LentTab) => ({
    method: 'Target.attachedToTarget',
    params: { sessionId, targetInfo: { ...info, attached: true }, waitingForDebugger: false },
  })
  const lend: LendingRelay['lend'] = async ({ id, url, webSocketDebuggerUrl }) => {
    const page = new WebSocket(webSocketDebuggerUrl, { maxPayload: 2 ** 28 })
    page.setMaxListeners(0)
    await once(page, 'open')
    const tab: LentTab = { sessionId: `cb-tab-${++lastTab}`, info: { targetId: id, type: 'page', title: '', url }, page }
    tabs.set(id, tab)
    page.on('message', data => {
      const message = JSON.parse(String(data)) as CdpMessage
      if (message.id === undefined) broadcast({ ...message, sessionId: tab.sessionId })
    })
    page.on('close', () => release(id))
    broadcast(attachedEvent(tab))
    broadcast({ method: 'Target.targetCreated', params: { targetInfo: { ...tab.info, attached: true } } })
  }
  const release = (id: string, reason?: string) => {
    const tab = tabs.get(id)
    if (!tabs.delete(id) || !tab) return
    tab.page.close()
    if (reason !== undefined) broadcast({ method: 'Inspector.detached', params: { reason }, sessionId: tab.sessionId })
    broadcast({
      method: 'Target.detachedFromTarget',
      params: { sessionId: tab.sessionId, targetId: id },
      sessionId: tab.sessionId,
    })
  }
  const forward = (tab: LentTab, { id, method, params }: CdpMessage, client: WebSocket) => {
    const onMessage = (data: unknown) => {
      const message = JSON.parse(String(data)) as CdpMessage
      if (message.id !== id) return
      tab.page.off('message', onMessage)
      client.send(JSON.stringify({ ...message, sessionId: tab.sessionId }))
    }
    tab.page.on('message', onMessage)
    tab.page.send(JSON.stringify({ id, method, params: params ?? {} }))
  }
  const openTab = async () =>
    (await (await fetch(`http://127.0.0.1:${browserPort}/json/new?about:blank`, { method: 'PUT' })).json()) as Parameters<typeof lend>[0]

  const answer = async ({ id, method = '', params = {}, sessionId }: CdpMessage, client: WebSocket): Promise<object | undefined> => {
    const known = recorded[method]
    if (known) return known
    if (method === 'Target.getTargets') return { targetInfos: [...tabs.values()].map(({ info }) => ({ ...info, attached: true })) }
    const byId = tabs.get(String(params.targetId))
    if (method === 'Target.getTargetInfo') return { targetInfo: (byId ?? [...tabs.values()][0])?.info }
    if (method === 'Target.attachToTarget') {
      if (!byId) throw new Error('target not found')
      client.send(JSON.stringify(attachedEvent(byId)))
      return { sessionId: byId.sessionId }
    }
    if (method === 'Target.createTarget') {
      const tab = await openTab()
      await lend(tab)
      return { targetId: tab.id }
    }
    if (method === 'Target.closeTarget') {
      await fetch(`http://127.0.0.1:${browserPort}/json/close/${params.targetId}`)
      return { success: true }
    }
    const tab = [...tabs.values()].find(each => each.sessionId === sessionId)
    if (!tab) throw new Error('No attached extension for session')
    forward(tab, { ...(id !== undefined && { id }), method, params }, client)
    return undefined
  }

  const server = createServer((_, response) => response.writeHead(401).end('Unauthorized'))
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname !== '/cdp' || url.searchParams.get('token') !== token) return socket.end('HTTP/1.1 401 ERR\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, client => {
      clients.add(client)
      client.on('close', () => clients.delete(client))
      client.on('message', async data => {
        const call = JSON.parse(String(data)) as CdpMessage
        calls.push(call)
        const reply = { id: call.id, sessionId: call.sessionId }
        const result = await answer(call, client).catch((error: Error) => {
          client.send(JSON.stringify({ ...reply, error: { message: error.message } }))
        })
        if (call.method === 'Target.setDiscoverTargets')
          for (const { info } of tabs.values())
            client.send(JSON.stringify({ method: 'Target.targetCreated', params: { targetInfo: { ...info, attached: true } } }))
        if (result) client.send(JSON.stringify({ ...reply, result }))
      })
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/cdp?token=${token}`,
    calls,
    lend,
    takeBack: release,
    async [Symbol.asyncDispose]() {
      for (const { page } of tabs.values()) page.terminate()
      for (const client of clients) client.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

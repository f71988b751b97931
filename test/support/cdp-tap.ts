import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import type { UserBrowser } from './user-browser.ts'

export interface CdpMessage {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly sessionId?: string
  readonly result?: unknown
}

/** Stands between a session and the browser of a user, and keeps every message. */
export interface CdpTap {
  readonly port: number
  /** from the session to the browser */
  readonly sent: CdpMessage[]
  /** from the browser to the session, as text */
  readonly received: string[]
  /** how many connections were asked for */
  readonly connections: number
  /** the methods that the session has called */
  calls(method: string): CdpMessage[]
  [Symbol.asyncDispose](): Promise<void>
}

interface TapOptions {
  /** like Chrome 144 and newer: the dialog for a connection, resolved with the answer of the user; and no /json/version */
  readonly consent?: () => Promise<boolean>
}

export async function tapBrowser(browser: UserBrowser, { consent }: TapOptions = {}): Promise<CdpTap> {
  const version = (await (await fetch(`http://127.0.0.1:${browser.port}/json/version`)).json()) as { webSocketDebuggerUrl: string }
  const sent: CdpMessage[] = []
  const received: string[] = []
  let connections = 0
  const server = createServer((_, response) => {
    if (consent) response.writeHead(404).end()
    else response.end(JSON.stringify(version))
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', async (request, socket, head) => {
    connections++
    if (consent && !(await consent())) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const up = new WebSocket(version.webSocketDebuggerUrl, { perMessageDeflate: false, maxPayload: 2 ** 28 })
    await once(up, 'open')
    sockets.handleUpgrade(request, socket, head, down => {
      down.on('message', data => {
        sent.push(JSON.parse(String(data)))
        up.send(String(data))
      })
      up.on('message', data => {
        received.push(String(data))
        down.send(String(data))
      })
      down.on('close', () => up.close())
      up.on('close', () => down.close())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sent,
    received,
    get connections() {
      return connections
    },
    calls: method => sent.filter(each => each.method === method),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

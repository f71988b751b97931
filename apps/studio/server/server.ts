import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type WebSocket, WebSocketServer } from 'ws'
import { ChatSocket } from './chat-socket.ts'
import type { ChatBrowser } from './chats/chat-browser.ts'
import { Access } from './http/access.ts'
import { createApp } from './http/app.ts'
import { maxMessageBytes } from './http/message-body.ts'
import { RateLimit } from './http/rate-limit.ts'
import { LiveSocket } from './live-socket.ts'
import type { Studio } from './studio.ts'

export interface StudioServer {
  /** the address with the token, for the person at this machine */
  readonly link: string
  readonly port: number
  /** Ends all connections; the pages connect again. */
  disconnect(): void
  close(): Promise<void>
}

export interface ServeOptions {
  readonly studio: Studio
  readonly webFolder: string
  /** 0: any free port. @default 0 */
  readonly port?: number
}

/** from all windows together */
const messagesPerMinute = 60

/** Serves the studio on the loopback interface only. */
export async function serveStudio({ studio, webFolder, port = 0 }: ServeOptions): Promise<StudioServer> {
  let hosts: ReadonlySet<string> = new Set()
  const access = new Access(() => hosts)
  const messages = new RateLimit(messagesPerMinute)
  const app = createApp({ studio, access, messages, webFolder })
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const created = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => resolve(created))
    created.once('error', reject)
  })
  const { port: actual } = server.address() as AddressInfo
  hosts = new Set([`127.0.0.1:${actual}`, `localhost:${actual}`])

  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes })
  server.on('upgrade', (request, socket, head) => {
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)
    // a socket that is reset before the answer must not end the server
    socket.on('error', () => {})
    const accept = () => new Promise<WebSocket>(resolve => sockets.handleUpgrade(request, socket, head, resolve))
    if (!access.allowsUpgrade(request)) return void refuse('403 Forbidden')
    if (request.url === '/api/chat/socket') return void accept().then(accepted => new ChatSocket(accepted, { studio, messages }))
    const chatId = /^\/api\/live\/([\w-]{1,200})$/.exec(request.url ?? '')?.[1]
    if (!chatId) return void refuse('404 Not Found')
    studio.hasBrowser(chatId).then(
      async exists => (exists ? connectLive(await accept(), studio.browserOf(chatId)) : refuse('404 Not Found')),
      () => refuse('503 Service Unavailable'),
    )
  })

  const disconnect = () => {
    for (const socket of sockets.clients) socket.terminate()
    if ('closeAllConnections' in server) server.closeAllConnections()
  }
  return {
    disconnect,
    link: `http://127.0.0.1:${actual}/#token=${access.token}`,
    port: actual,
    async close() {
      sockets.close()
      await new Promise<void>(resolve => {
        server.close(() => resolve())
        disconnect()
      })
    },
  }
}

/**
 * The browser may take seconds to start. A browser opens one WebSocket to a host at a time, so that the others, of all windows, would have to
 * wait for an upgrade that is answered only then.
 */
async function connectLive(socket: WebSocket, opening: Promise<ChatBrowser>): Promise<void> {
  socket.on('error', () => {})
  socket.pause()
  try {
    const browser = await opening
    if (socket.readyState === socket.OPEN) new LiveSocket(socket, browser)
    socket.resume()
  } catch {
    socket.close(1011, 'the browser could not be opened')
  }
}

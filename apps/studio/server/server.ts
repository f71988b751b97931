import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { WebSocketServer } from 'ws'
import { Access } from './http/access.ts'
import { createApp } from './http/app.ts'
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

/** Serves the studio on the loopback interface only. */
export async function serveStudio({ studio, webFolder, port = 0 }: ServeOptions): Promise<StudioServer> {
  let hosts: ReadonlySet<string> = new Set()
  const access = new Access(() => hosts)
  const app = createApp({ studio, access, webFolder })
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const created = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => resolve(created))
    created.once('error', reject)
  })
  const { port: actual } = server.address() as AddressInfo
  hosts = new Set([`127.0.0.1:${actual}`, `localhost:${actual}`])

  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_000_000 })
  server.on('upgrade', (request, socket, head) => {
    const chatId = /^\/api\/live\/([\w-]{1,200})$/.exec(request.url ?? '')?.[1]
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)
    // a socket that is reset before the answer must not end the server
    socket.on('error', () => {})
    if (!chatId || !access.allowsUpgrade(request)) return void refuse('403 Forbidden')
    studio.browserOf(chatId).then(
      browser => {
        if (!browser) return void refuse('404 Not Found')
        sockets.handleUpgrade(request, socket, head, accepted => new LiveSocket(accepted, browser))
      },
      () => void refuse('503 Service Unavailable'),
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

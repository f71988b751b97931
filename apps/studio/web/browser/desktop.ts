import { useQuery } from '@tanstack/react-query'
import type { DesktopBridge } from '../../../../src/wire/desktop.ts'
import type { LiveServerMessage } from '../../../../src/wire/live.ts'
import { api, queries } from '../api/client.ts'

declare global {
  interface Window {
    /** set by the preload script of the desktop app */
    readonly pagehandDesktop?: DesktopBridge
  }
}

/** The desktop app around this window, if it drives the browser of this studio. */
export const desktopBridge = async (): Promise<DesktopBridge | undefined> => {
  if (window.pagehandDesktop === undefined) return undefined
  const { drive } = await queries.ensureQueryData(api.info.queryOptions())
  return drive === 'remote' ? window.pagehandDesktop : undefined
}

/** Who shows the browser of a chat: the server, the desktop app around this window, or nobody, since the app is elsewhere. */
export const useBrowserOwner = (): 'unknown' | 'server' | 'elsewhere' | DesktopBridge => {
  const { data: info } = useQuery(api.info.queryOptions())
  if (info === undefined) return 'unknown'
  return info.drive === 'remote' ? (window.pagehandDesktop ?? 'elsewhere') : 'server'
}

/** The live view of the desktop app in the form of a WebSocket. */
export class DesktopSocket {
  readyState: number = WebSocket.CONNECTING
  onopen: (() => void) | null = null
  onmessage: ((event: { readonly data: string }) => void) | null = null
  onclose: (() => void) | null = null
  readonly #connection: ReturnType<DesktopBridge['connectLive']>

  constructor(desktop: DesktopBridge, chatId: string) {
    const receive = (message: LiveServerMessage) => this.onmessage?.({ data: JSON.stringify(message) })
    this.#connection = desktop.connectLive(chatId, receive)
    queueMicrotask(() => {
      this.readyState = WebSocket.OPEN
      this.onopen?.()
    })
  }

  send(json: string): void {
    this.#connection.send(JSON.parse(json))
  }

  close(): void {
    this.readyState = WebSocket.CLOSED
    this.#connection.close()
    this.onclose?.()
  }
}

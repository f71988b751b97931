import { EventEmitter } from 'node:events'
import type { LiveClientMessage } from 'pagehand/wire'
import * as z from 'zod'
import { type LivePort, LiveSocket } from '../../studio/server/index.ts'
import { channels } from '../channels.ts'
import type { Desktop } from './desktop.ts'
import type { Ipc, IpcSender } from './ports.ts'

const id = z.string().min(1).max(200)
const pixels = z.number().min(-100_000).max(100_000)
const box = z.strictObject({ x: pixels, y: pixels, width: pixels.min(0), height: pixels.min(0) })
const command = z.strictObject({
  sessionId: id,
  commandId: id,
  tabId: id,
  viewKey: id,
  cdpTargetId: id,
  command: z.looseObject({ name: z.string().max(40) }),
})

/** Only the page of the studio, in its own frame, may talk to the app; a frame or a page of any other origin may not. */
export const isTrusted = ({ isStudioView, isMainFrame, origin }: IpcSender, studio: URL): boolean =>
  isStudioView && isMainFrame && origin === studio.origin

export interface IpcOptions {
  readonly ipc: Ipc
  readonly desktop: Desktop
  readonly studio: URL
}

/** Answers the calls of the page. Returns the function that ends its live views, for when the page is left or reloaded. */
export function handleCalls({ ipc, desktop, studio }: IpcOptions): () => void {
  const ports = new Map<string, IpcLivePort>()
  const handle = <T extends z.ZodType[]>(
    channel: string,
    types: [...T],
    listener: (...given: { -readonly [K in keyof T]: z.output<T[K]> }) => unknown,
  ) =>
    ipc.handle(channel, (sender, ...given) => {
      if (!isTrusted(sender, studio)) throw new Error(`${channel} is for the page of the studio`)
      return listener(...(z.tuple(types as never).parse(given) as never))
    })

  handle(channels.openBrowser, [id], chatId => desktop.openBrowser(chatId))
  handle(channels.runBrowserCommand, [command], given => desktop.runBrowserCommand(given))
  handle(channels.setAgentWorking, [id, z.boolean()], (chatId, isWorking) => desktop.setAgentWorking(chatId, isWorking))
  handle(channels.closeBrowser, [id], chatId => desktop.closeBrowser(chatId))
  handle(channels.placeBrowser, [id, box.nullable()], (chatId, place) => desktop.placeBrowser(chatId, place))
  handle(channels.openLive, [id, id], async (connectionId, chatId) => {
    if (ports.has(connectionId)) throw new Error('there is such a connection already')
    const port = new IpcLivePort(json => ipc.send(channels.live, connectionId, JSON.parse(json)))
    ports.set(connectionId, port)
    port.on('close', () => ports.delete(connectionId))
    const { shared } = await desktop.browser(chatId)
    if (port.readyState === port.OPEN) new LiveSocket(port, shared)
  })
  handle(channels.sendLive, [id, z.looseObject({ type: z.string() })], (connectionId, message) =>
    ports.get(connectionId)?.receive(message as unknown as LiveClientMessage),
  )
  handle(channels.closeLive, [id], connectionId => ports.get(connectionId)?.close())
  return () => {
    for (const port of [...ports.values()]) port.close()
  }
}

/** A connection of the page, in the form that the live view expects. */
class IpcLivePort extends EventEmitter implements LivePort {
  readonly OPEN = 1
  readyState = 1
  readonly send: (json: string) => void

  constructor(send: (json: string) => void) {
    super()
    this.send = send
  }

  receive(message: LiveClientMessage): void {
    this.emit('message', JSON.stringify(message))
  }

  close(): void {
    if (this.readyState !== this.OPEN) return
    this.readyState = 3
    this.emit('close')
  }
}

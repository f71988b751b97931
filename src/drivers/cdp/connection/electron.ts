import { messageOf } from '../../../contract/error-message.ts'
import { quoted, say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import { type CdpConnection, createConnection } from './connection.ts'

/**
 * The part of Electron's `webContents.debugger` that is used: https://www.electronjs.org/docs/latest/api/debugger
 *
 * @example
 * const session = await openSession({ debugger: window.webContents.debugger })
 */
export interface Debugger {
  isAttached(): boolean
  attach(protocolVersion?: string): void
  detach(): void
  sendCommand(method: string, commandParams?: unknown, sessionId?: string): Promise<unknown>
  on(event: 'message', listener: OnMessage): unknown
  on(event: 'detach', listener: OnDetach): unknown
  off(event: 'message', listener: OnMessage): unknown
  off(event: 'detach', listener: OnDetach): unknown
}
type OnMessage = (event: unknown, method: string, params: unknown, sessionId: string) => void
type OnDetach = (event: unknown, reason: string) => void

/** A CDP connection to one page of an Electron window. Closing it detaches the debugger and leaves the page open. */
export const debuggerConnection = (debug: Debugger): CdpConnection =>
  createConnection(events => {
    const wasAttached = debug.isAttached()
    if (!wasAttached) debug.attach('1.3')
    const onMessage: OnMessage = (_, method, params, sessionId) => {
      try {
        events.onEvent({ method, params, sessionId: sessionId || undefined })
      } catch (error) {
        // thrown from a listener of the window this would end the program
        events.onClose(new PagehandError('browser_crashed', say`The connection to the page failed.`, { page: { error: messageOf(error) } }))
      }
    }
    const onDetach: OnDetach = (_, reason) =>
      events.onClose(new PagehandError('target_closed', say`The debugger was detached: ${quoted(reason)}.`))
    debug.on('message', onMessage)
    debug.on('detach', onDetach)
    return {
      send: ({ id, method, params, sessionId }) =>
        // async: the methods of a window that is destroyed throw
        void (async () => debug.sendCommand(method, params, sessionId))().then(
          result => events.onResponse({ id, result }),
          (error: Error) => events.onResponse({ id, error: { message: error.message } }),
        ),
      close() {
        try {
          debug.off('message', onMessage)
          debug.off('detach', onDetach)
          if (!wasAttached && debug.isAttached()) debug.detach()
        } catch {
          /* the window is destroyed, and the debugger with it */
        }
      },
    }
  })

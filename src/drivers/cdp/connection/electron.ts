import { PagehandError } from '../errors.ts'
import { type CdpConnection, createConnection } from './connection.ts'

/** As much of Electron's `webContents.debugger` as is needed: https://www.electronjs.org/docs/latest/api/debugger */
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

/** The port of one page in somebody else's window; calls without a sessionId are that page's. Closing it detaches, and closes nothing else. */
export const debuggerConnection = (debug: Debugger): CdpConnection =>
  createConnection(incoming => {
    const wasAttached = debug.isAttached()
    if (!wasAttached) debug.attach('1.3')
    const onMessage: OnMessage = (_, method, params, sessionId) => incoming.announce({ method, params, sessionId: sessionId || undefined })
    const onDetach: OnDetach = (_, reason) =>
      incoming.lose(new PagehandError('target_closed', `The page is not ours to drive any more: ${reason}.`))
    debug.on('message', onMessage)
    debug.on('detach', onDetach)
    return {
      post: ({ id, method, params, sessionId }) =>
        void debug.sendCommand(method, params, sessionId).then(
          result => incoming.answer({ id, result }),
          (error: Error) => incoming.answer({ id, error: { message: error.message } }),
        ),
      close() {
        debug.off('message', onMessage)
        debug.off('detach', onDetach)
        if (!wasAttached && debug.isAttached()) debug.detach()
      },
    }
  })

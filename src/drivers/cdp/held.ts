import type { Port } from './port.ts'

/** A page that has just opened and stands still, in a session of its own. */
export interface HeldPage {
  readonly targetId: string
  readonly sessionId: string
  readonly openerId: string | undefined
  readonly browserContextId: string | undefined
}
/** true: it is taken, and will be let go */
type Claim = (page: HeldPage) => boolean

const claims = new WeakMap<Port, Set<Claim>>()

/**
 * New pages of a browser that is ours stand still until they are in somebody's hands, so that a dialog which they open at once is heard:
 * unheard, it would stop its opener too, and nobody could answer it (B2). Those that nobody claims go on by themselves.
 */
export async function holdPages(port: Port, claim: Claim): Promise<() => void> {
  const known = claims.get(port)
  const all = known ?? new Set<Claim>()
  claims.set(port, all.add(claim))
  if (!known) {
    port.on('Target.attachedToTarget', ({ sessionId, waitingForDebugger, targetInfo }) => {
      const { targetId, openerId, browserContextId, type } = targetInfo
      if (type !== 'page' || !waitingForDebugger) return
      for (const take of all) if (take({ targetId, sessionId, openerId, browserContextId })) return
      letGo(port, sessionId)
        .then(() => port.send('Target.detachFromTarget', { sessionId }))
        .catch(() => {}) // it is gone already
    })
    const holding = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: [{ type: 'page' }, { exclude: true }] }
    await port.send('Target.setAutoAttach', holding).catch((error: Error) => {
      claims.delete(port)
      throw error
    })
  }
  return () => all.delete(claim)
}

export const letGo = (port: Port, sessionId: string): Promise<unknown> => port.send('Runtime.runIfWaitingForDebugger', undefined, sessionId)

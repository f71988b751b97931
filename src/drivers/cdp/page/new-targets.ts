import type { CdpConnection } from '../connection/connection.ts'

/** A page that has just opened and stands still, in a session of its own. */
export interface PausedTarget {
  readonly targetId: string
  readonly sessionId: string
  readonly openerId: string | undefined
  readonly browserContextId: string | undefined
}
/** true: it is taken, and will be let go */
type Claim = (page: PausedTarget) => boolean

interface Hold {
  readonly claims: Set<Claim>
  /** the session that holds; its end is the end of all sessions that it made */
  readonly holder: Promise<string>
}
const holds = new WeakMap<CdpConnection, Hold>()

/**
 * New pages of a browser that is ours stand still until they are in somebody's hands, so that a dialog which they open at once is heard:
 * unheard, it would stop its opener too, and nobody could answer it (B2). Those that nobody claims go on by themselves.
 */
export async function pauseNewTargets(port: CdpConnection, claim: Claim): Promise<() => void> {
  const hold = holds.get(port) ?? beginHold(port)
  holds.set(port, hold)
  hold.claims.add(claim)
  const release = () => {
    hold.claims.delete(claim)
    if (hold.claims.size > 0) return
    if (holds.get(port) === hold) holds.delete(port)
    hold.holder.then(sessionId => port.send('Target.detachFromTarget', { sessionId })).catch(() => {}) // gone with its browser
  }
  await hold.holder.catch((error: Error) => {
    release()
    throw error
  })
  return release
}

function beginHold(port: CdpConnection): Hold {
  const claims = new Set<Claim>()
  const begin = async () => {
    // a session of its own: what is attached there was attached by this, and not by somebody who asked for it
    const { sessionId: holder } = await port.send('Target.attachToBrowserTarget')
    const detach = (sessionId: string) => port.send('Target.detachFromTarget', { sessionId }, holder)
    port.on(
      'Target.attachedToTarget',
      ({ sessionId, waitingForDebugger, targetInfo: { targetId, openerId, browserContextId } }) => {
        const isTaken = waitingForDebugger && [...claims].some(take => take({ targetId, sessionId, openerId, browserContextId }))
        if (isTaken) return
        // pages that were there before are attached as well, and do not stand still
        const going = waitingForDebugger ? resumeTarget(port, sessionId) : Promise.resolve()
        going.then(() => detach(sessionId)).catch(() => {}) // it is gone already
      },
      holder,
    )
    const holding = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: [{ type: 'page' }, { exclude: true }] }
    await port.send('Target.setAutoAttach', holding, holder)
    return holder
  }
  return { claims, holder: begin() }
}

export const resumeTarget = (port: CdpConnection, sessionId: string): Promise<unknown> =>
  port.send('Runtime.runIfWaitingForDebugger', undefined, sessionId)

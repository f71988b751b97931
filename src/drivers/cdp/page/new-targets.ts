// Pauses new targets in browsers that pagehand launched until a session has attached to them. A dialog that a popup opens at once would
// otherwise be missed: it blocks its opener too, and could not be answered (B2).
import type { CdpConnection } from '../connection/connection.ts'

/** A page that has just opened and is paused. */
export interface PausedTarget {
  readonly targetId: string
  readonly sessionId: string
  readonly openerId: string | undefined
  readonly openerFrameId: string | undefined
  readonly browserContextId: string | undefined
}
/** Returns true if it takes the target, and resumes it later. */
type Claim = (target: PausedTarget) => boolean

interface TargetPauser {
  readonly claims: Set<Claim>
  /** the session that auto-attaches; detaching it ends all sessions that it has made */
  readonly sessionId: Promise<string>
}
/** all sessions of one browser share a pauser */
const pausers = new WeakMap<CdpConnection, TargetPauser>()

/** Offers each new target to `claim`; targets that no session claims are resumed. Returns the function that ends it. */
export async function pauseNewTargets(connection: CdpConnection, claim: Claim): Promise<() => void> {
  const pauser = pausers.get(connection) ?? createPauser(connection)
  pausers.set(connection, pauser)
  pauser.claims.add(claim)
  const release = () => {
    pauser.claims.delete(claim)
    if (pauser.claims.size > 0) return
    if (pausers.get(connection) === pauser) pausers.delete(connection)
    pauser.sessionId.then(sessionId => connection.send('Target.detachFromTarget', { sessionId })).catch(() => {}) // gone with its browser
  }
  await pauser.sessionId.catch((error: Error) => {
    release()
    throw error
  })
  return release
}

function createPauser(connection: CdpConnection): TargetPauser {
  const claims = new Set<Claim>()
  const start = async () => {
    // a separate session, so that only targets that were attached automatically are announced in it
    const { sessionId: pauserId } = await connection.send('Target.attachToBrowserTarget')
    const detach = (sessionId: string) => connection.send('Target.detachFromTarget', { sessionId }, pauserId)
    connection.on(
      'Target.attachedToTarget',
      ({ sessionId, waitingForDebugger, targetInfo: { targetId, openerId, openerFrameId, browserContextId } }) => {
        const isClaimed =
          waitingForDebugger && [...claims].some(claim => claim({ targetId, sessionId, openerId, openerFrameId, browserContextId }))
        if (isClaimed) return
        // existing pages are attached as well, and are not paused
        const resumed = waitingForDebugger ? resumeTarget(connection, sessionId) : Promise.resolve()
        resumed.then(() => detach(sessionId)).catch(() => {}) // closed already
      },
      pauserId,
    )
    const autoAttach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: [{ type: 'page' }, { exclude: true }] }
    await connection.send('Target.setAutoAttach', autoAttach, pauserId)
    return pauserId
  }
  return { claims, sessionId: start() }
}

export const resumeTarget = (connection: CdpConnection, sessionId: string): Promise<unknown> =>
  connection.send('Runtime.runIfWaitingForDebugger', undefined, sessionId)

/** Lets a paused target run without any request, so that it can be closed: a paused one does not close. */
export async function discardPausedTarget(connection: CdpConnection, sessionId: string): Promise<void> {
  // requests that nobody continues are never sent; the first one waits for this call, since the target is paused
  await connection.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, sessionId)
  await resumeTarget(connection, sessionId)
}

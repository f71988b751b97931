import type { SettleReport } from '../../contract/page-api.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { requireSentForm } from '../watch/watch.ts'

const requestFrame = globalThis.requestAnimationFrame.bind(globalThis)
/** a hidden page, or a frame out of view, draws no frames or few; a page that draws them quickly may be slow once on a busy machine */
const maxFrameMs = { slow: 100, quick: 500 }
/** how long the last frame took */
let lastFrameMs = Number.POSITIVE_INFINITY

export const nextFrame = (): Promise<void> =>
  new Promise(resolve => {
    const from = native.now()
    let isDrawn = false
    requestFrame(() => {
      isDrawn = true
      lastFrameMs = native.now() - from
      resolve()
    })
    native.later(
      () => {
        if (!isDrawn) lastFrameMs = Number.POSITIVE_INFINITY
        resolve()
      },
      lastFrameMs < maxFrameMs.slow ? maxFrameMs.quick : maxFrameMs.slow,
    )
  })

/** waits for the next frame and the task after it, since resize and intersection observers run after the frame is drawn */
const nextFrameAndTask = async (): Promise<void> => {
  await nextFrame()
  await new Promise<void>(resolve => native.later(resolve, 0))
}

/**
 * Resolves after two frames without changes or movement, or when the time is up. If anything changed before, it waits for a third frame:
 * lists that load more content learn of the change late. `pending` contains "changes", "animation", "load" or "script".
 */
export async function settle(session: Session, ms: number): Promise<Omit<SettleReport, 'settled'>> {
  const { watch, trustedState } = session
  if (!watch) return { pending: [], effect: {}, committed: true }
  const until = native.now() + ms
  for (let quietFrames = 0; ; ) {
    const from = native.now()
    await nextFrameAndTask()
    const pending = [
      ...(native.readyState(document) === 'loading' ? ['load'] : []),
      ...(trustedState.pendingScripts?.isPending() ? ['script'] : []),
      ...(watch.lastChange() >= from ? ['changes'] : []),
      ...(watch.isMoving() ? ['animation'] : []),
    ]
    quietFrames = pending.length ? 0 : quietFrames + 1
    const wantedFrames = watch.lastChange() > watch.startedAt ? 3 : 2
    if (quietFrames < wantedFrames && native.now() < until) continue
    const { effect, committed } = watch.report()
    requireSentForm(session)
    return { pending, effect, committed }
  }
}

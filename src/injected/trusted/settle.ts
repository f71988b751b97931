import type { Effect } from '../../contract/page-api.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../view/snapshot.ts'
import type { Scripts } from './pending-scripts.ts'

const frame = globalThis.requestAnimationFrame.bind(globalThis)
/** a page that nobody sees, or a frame out of view, draws no frames */
const unseenMs = 100

export const nextFrame = (): Promise<void> =>
  new Promise(resolve => {
    frame(() => resolve())
    native.later(resolve, unseenMs)
  })

/** the next frame and what it leads to: who observes sizes or what comes into view is told after it was drawn */
const wholeFrame = async (): Promise<void> => {
  await nextFrame()
  await new Promise<void>(resolve => native.later(resolve, 0))
}

export interface Rest {
  /** "changes", "animation", "load", "script": what was still going on when the time was over */
  readonly pending: readonly string[]
  readonly effect: Effect
  readonly committed: boolean
}

/**
 * Resolves when two frames have passed in which nothing changed and nothing moved, or when the time is over. What has changed before gets one
 * frame more: lists that load on are told of it late.
 */
export async function rest(session: Session, ms: number, scripts?: Scripts): Promise<Rest> {
  const { watch } = session
  if (!watch) return { pending: [], effect: {}, committed: true }
  const until = native.now() + ms
  for (let still = 0; ; ) {
    const from = native.now()
    await wholeFrame()
    const pending = [
      ...(native.readyState(document) === 'loading' ? ['load'] : []),
      ...(scripts?.waiting() ? ['script'] : []),
      ...(watch.lastChange() >= from ? ['changes'] : []),
      ...(watch.moving() ? ['animation'] : []),
    ]
    still = pending.length ? 0 : still + 1
    const enough = watch.lastChange() > watch.began ? 3 : 2
    if (still < enough && native.now() < until) continue
    const { effect, committed } = watch.settled()
    return { pending, effect, committed }
  }
}

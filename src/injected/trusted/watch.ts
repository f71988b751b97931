import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/natives.ts'
import type { Session } from '../runtime/session.ts'
import { sceneOf } from '../view/scene.ts'
import { findTarget } from '../view/target.ts'
import { watch } from '../watch/watch.ts'
import { watchScripts } from './pending-scripts.ts'

/** the top document of this engine */
export const documentContext = (session: Session) => {
  const body = native.bodyOf(document)
  if (!body) throw engineError('no_root', 'no body')
  return { session, document, dom: sceneOf(session, body).dom }
}

interface StartWatchOptions {
  readonly ref?: string | undefined
  /** the element that is about to be scrolled */
  readonly scroller?: Element
}

/** Observes the effects of an action from now on. */
export function startWatch(session: Session, { ref, scroller }: StartWatchOptions = {}): void {
  session.watch?.end()
  const target = ref === undefined ? { ...documentContext(session), node: null } : findTarget(session, ref)
  session.watch = watch(target)
  if (scroller) session.watch.setScroller(scroller)
  session.trustedState.pendingScripts?.end()
  session.trustedState.pendingScripts = watchScripts(target.document)
}

/** Sets the condition that must hold once the page has settled. */
export const expectAfterwards = ({ watch }: Session, condition: () => boolean): void => {
  if (watch) watch.condition = condition
}

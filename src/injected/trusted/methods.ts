import type { Message } from '../../contract/message.ts'
import type { WaitCondition } from '../../contract/page-api.ts'
import * as native from '../runtime/natives.ts'
import type { Session } from '../runtime/session.ts'
import { hasKeyFocus, inspect } from '../view/inspect.ts'
import { pageInfo } from '../view/page-info.ts'
import { query } from '../view/query.ts'
import { sceneOf } from '../view/scene.ts'
import { findTarget } from '../view/target.ts'
import { waitCheck } from '../watch/wait-conditions.ts'
import { clipboardMethods } from './clipboard.ts'
import { fieldMethods } from './field-methods.ts'
import { pointerMethods } from './pointer-methods.ts'
import { coverMethods } from './secret-covers.ts'
import { nextFrame, settle } from './settle.ts'
import { startWatch } from './watch.ts'

/** The methods that a CDP driver calls by name through `invoke`. Payloads and results cross as JSON. */
export const methods = {
  /** from now on, changes of the page are effects of an action */
  startWatch: (session: Session, { ref }: { readonly ref?: string } = {}) => startWatch(session, { ref }),
  settle: (session: Session, { ms }: { readonly ms: number }) => {
    // the document may have had no body when the action started
    if (!session.watch && native.bodyOf(document)) startWatch(session)
    return settle(session, ms)
  },
  nextFrame: () => nextFrame(),
  viewport: () => pageInfo().viewport,
  waitCheck: (session: Session, condition: WaitCondition): { readonly met: boolean; readonly saw: Message } => {
    const { met, saw } = waitCheck(session, condition)
    return { met, saw: typeof saw === 'string' ? [saw] : saw }
  },
  query: (session: Session, { ref, kind, limitChars }: { readonly ref: string; readonly kind: string; readonly limitChars: number }) => {
    const { value, truncated } = query(session, ref, kind, { limitChars })
    return { value, truncated }
  },
  inspect: (session: Session, { ref }: { readonly ref: string }) => inspect(session, ref),
  /** the focused element; null if it is in another frame */
  inspectFocused: (session: Session) => (hasKeyFocus() ? inspect(session) : null),
  /** what is operated, and where; called when the action has scrolled it into view */
  describeTarget: (session: Session, { ref }: { readonly ref: string }) => {
    const { role, name } = inspect(session, ref)
    const { node } = findTarget(session, ref)
    const { x, y, width, height } = sceneOf(session, node).layout?.box(node) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { role, name, box: { x, y, width, height } }
  },
  ...pointerMethods,
  ...fieldMethods,
  ...clipboardMethods,
  ...coverMethods,
}

export type EngineMethods = typeof methods
export type EngineMethod = keyof EngineMethods
/** the arguments of a method after the session: one payload, or none */
export type EngineArguments<K extends EngineMethod> = Parameters<EngineMethods[K]> extends [Session, ...infer Rest] ? Rest : []
export type EngineResult<K extends EngineMethod> = Awaited<ReturnType<EngineMethods[K]>>

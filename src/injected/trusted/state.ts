import type { HitTargetInterceptor } from './hit-target.ts'
import type { PendingScripts } from './pending-scripts.ts'

/** The part of the session that only the isolated world uses. */
export interface TrustedState {
  interceptor?: HitTargetInterceptor
  pendingScripts?: PendingScripts
  /** whether the last typing changed anything */
  hasTyped?: () => boolean
  /** what an editor drew before it is filled */
  textBefore?: string
  /** the values of the fields before the wheel was turned */
  fieldsBeforeWheel?: string
  dragWatch?: { readonly state: DragState; end(): void }
}

export interface DragState {
  readonly started: boolean
  readonly dropped: boolean
  /** the drag began in a field that holds a secret */
  readonly isSecret: boolean
}

/** the payload of a method on one element */
export interface RefPayload {
  readonly ref: string
}

import type { FailureCode } from '../../contract/failures.ts'

/** Thrown where something cannot be done, and turned into an answer at the door. */
export interface EngineError {
  readonly code: FailureCode
  readonly message: string
  /** ref of what is in the way */
  readonly by?: string
  /** the list was closed and has been opened: the same call finds its options in a moment */
  readonly opened?: true
}

/** an exception of the browser has a code too, but that is a number */
export const isRefused = (error: unknown): error is EngineError => typeof (error as EngineError | null)?.code === 'string'

export const engineError = (code: FailureCode, message: string, by?: string): EngineError => ({ code, message, ...(by ? { by } : {}) })

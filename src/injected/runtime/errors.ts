import type { Code } from '../../contract/failures.ts'

/** Thrown where something cannot be done, and turned into an answer at the door. */
export interface Refused {
  readonly code: Code
  readonly message: string
  /** ref of what is in the way */
  readonly by?: string
  /** the list was closed and has been opened: the same call finds its options in a moment */
  readonly opened?: true
}

/** an exception of the browser has a code too, but that is a number */
export const isRefused = (error: unknown): error is Refused => typeof (error as Refused | null)?.code === 'string'

export const refused = (code: Code, message: string, by?: string): Refused => ({ code, message, ...(by ? { by } : {}) })

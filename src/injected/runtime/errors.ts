import type { FailureCode } from '../../contract/failures.ts'
import { type Message, textOf } from '../../contract/message.ts'

/** Thrown if a command cannot be carried out; the entry turns it into a failed response. */
export interface EngineError {
  readonly code: FailureCode
  readonly message: Message
  /** ref of the element in the way */
  readonly by?: string
  /** the list was closed and is being opened: the same call finds its options in a moment */
  readonly opened?: true
}

/** a DOMException has a `code` too, but a numeric one */
export const isEngineError = (error: unknown): error is EngineError => typeof (error as EngineError | null)?.code === 'string'

export const engineError = (code: FailureCode, message: string | Message, by?: string): EngineError => ({
  code,
  message: typeof message === 'string' ? [message] : message,
  ...(by ? { by } : {}),
})

/** the error as a response of the page API carries it */
export const failureOf = (error: EngineError) => ({ ...error, message: textOf(error.message) })

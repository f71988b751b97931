import type { FailureCode, PageWords } from '../../contract/failures.ts'
import { type Literal, type Message, textOf } from '../../contract/message.ts'

/** Thrown if a command cannot be carried out; the entry turns it into a failed response. */
export interface EngineError extends EngineErrorDetails {
  readonly code: FailureCode
  readonly message: Message
  /** the list was closed and is being opened: the same call finds its options in a moment */
  readonly opened?: true
}
interface EngineErrorDetails {
  /** ref of the element in the way */
  readonly by?: string | undefined
  /** what the page says, which is no part of the message */
  readonly page?: PageWords
}

/** a DOMException has a `code` too, but a numeric one */
export const isEngineError = (error: unknown): error is EngineError => typeof (error as EngineError | null)?.code === 'string'

export const engineError = <const T extends string>(
  code: FailureCode,
  message: (T & Literal<T>) | Message,
  details?: EngineErrorDetails,
): EngineError => ({ code, message: typeof message === 'string' ? [message] : (message as Message), ...details })

export const unexpected = 'an unexpected error'
/** the message if not even a response can be made */
export const builtInsReplaced = 'the page replaced built-ins that the script needs; inject the script at document start'

/** an exception that is not ours: its text may be made by the page */
export const unexpectedError = (code: FailureCode, error: unknown): EngineError =>
  engineError(code, unexpected, { page: { error: `${(error as Error)?.message}` } })

/** the error as a response of the page API carries it */
export const failureOf = (error: EngineError) => ({ ...error, message: textOf(error.message) })

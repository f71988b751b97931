import { type Failure, type FailureCode, failure, failures } from './failures.ts'
import { type Message, textOf } from './message.ts'

/**
 * A failure that is thrown: by `openSession`, `launch` and `connect`, and by the methods of a session. `run` never throws; it returns the
 * same code, message and hint as a result.
 *
 * @example
 * try {
 *   await session.click({ ref: 'e12' })
 * } catch (error) {
 *   if (error instanceof PagehandError && error.code === 'ref_not_found') await session.snapshot()
 * }
 */
export class PagehandError extends Error {
  readonly code: FailureCode
  /** The next step to take. */
  readonly hint: string
  /** The argument that is wrong, if it is one. */
  readonly field: string | undefined
  /** The message with its refs apart from the text. */
  readonly parts: Message | undefined
  constructor(code: FailureCode, message: string | Message, field?: string) {
    super(typeof message === 'string' ? message : textOf(message))
    this.name = 'PagehandError'
    this.code = code
    this.hint = failures[code]
    this.field = field
    this.parts = typeof message === 'string' ? undefined : message
  }
}

/** The error that is thrown for a failed result. */
export const toError = ({ code, message, parts, field }: Failure): PagehandError => new PagehandError(code, parts ?? message, field)

/** The failure that a thrown error becomes. */
export const toFailure = ({ code, message, parts, field }: PagehandError): Failure => failure(code, parts ?? message, field)

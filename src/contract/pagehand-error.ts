import { type Failure, type FailureCode, type FailureDetails, failure, type PageWords } from './failures.ts'
import { type Message, term } from './message.ts'

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
  /** What the page or the browser said; the message does not contain it. */
  readonly page: PageWords | undefined
  /** The message with its refs apart from the text. */
  readonly parts: Message | undefined
  constructor(code: FailureCode, message: Message, details: FailureDetails = {}) {
    const { message: text, hint, field, page, parts } = failure(code, message, details)
    super(text)
    this.name = 'PagehandError'
    this.code = code
    this.hint = hint
    this.field = field
    this.page = page
    this.parts = parts
  }
}

/** The error that is thrown for a failed result. */
export const toError = ({ code, message, parts, field, page }: Failure): PagehandError =>
  new PagehandError(code, parts ?? term(message), { field, page })

/** The failure that a thrown error becomes. */
export const toFailure = ({ code, message, parts, field, page }: PagehandError): Failure =>
  failure(code, parts ?? term(message), { field, page })

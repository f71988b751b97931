import { type Failure, type FailureCode, failures } from './failures.ts'

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
  constructor(code: FailureCode, message: string, field?: string) {
    super(message)
    this.name = 'PagehandError'
    this.code = code
    this.hint = failures[code]
    this.field = field
  }
}

/** The error that is thrown for a failed result. */
export const toError = ({ code, message, field }: Failure): PagehandError => new PagehandError(code, message, field)

import { type FailureCode, failures } from '../../contract/failures.ts'

/** A failure that has to be thrown because it breaks off what was awaited; its code is one of the table's. */
export class PagehandError extends Error {
  readonly code: FailureCode
  readonly hint: string
  constructor(code: FailureCode, message: string) {
    super(message)
    this.name = 'Failed'
    this.code = code
    this.hint = failures[code]
  }
}

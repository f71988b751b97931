import { type Code, failures } from '../../contract/failures.ts'

/** A failure that has to be thrown because it breaks off what was awaited; its code is one of the table's. */
export class Failed extends Error {
  readonly code: Code
  readonly hint: string
  constructor(code: Code, message: string) {
    super(message)
    this.name = 'Failed'
    this.code = code
    this.hint = failures[code]
  }
}

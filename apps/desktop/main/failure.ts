import { type Failure, type FailureCode, failures } from 'pagehand'
import type { Result } from 'pagehand/tools'

/** A result for what the app itself refuses, or for its own failure; everything else is a result of the session. */
export const refuse = (code: FailureCode, message: string, page?: Failure['page']): Result => ({
  ok: false,
  error: { code, message, hint: failures[code], ...(page && { page }) },
})

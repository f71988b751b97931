import type { Failure } from '../../contract/failures.ts'
import type { ScreenshotData } from '../../contract/results.ts'
import { renderFailure } from '../../render/text/failure.ts'

/**
 * The answer to one call: text for the model, and data for the program around it.
 *
 * @example
 * const { ok, text, refs }: Answer = await respond({ name: 'snapshot' })
 */
export interface Answer {
  readonly ok: boolean
  /** within the budget of the call */
  readonly text: string
  readonly error?: Failure
  readonly picture?: SavedScreenshot
  /** refs in the text of a snapshot, `observe` or `extract` */
  readonly refs?: readonly string[]
  /** the offset of the next page of `observe` or `extract`; null at the end */
  readonly nextOffset?: number | null
  /** the data of the result, if the caller asked for it */
  readonly data?: unknown
}

/**
 * A screenshot, and the file it was saved to.
 *
 * @example
 * const { picture } = await respond({ name: 'screenshot' })
 * if (picture?.path) console.log(`saved to ${picture.path}`)
 */
export type SavedScreenshot = Omit<ScreenshotData, 'page' | 'notes'> & { readonly path?: string }

export const failureAnswer = (error: Failure, maxChars = 1_500): Answer => ({ ok: false, text: renderFailure(error, maxChars), error })

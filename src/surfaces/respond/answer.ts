import type { Failure, PageWords } from '../../contract/failures.ts'
import type { ScreenshotData } from '../../contract/results.ts'
import { renderFailure } from '../../render/text/failure.ts'
import { inline } from '../../render/text/quote.ts'

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
  /** an action led to another page or view, or opened a dialog: what was planned next may no longer fit */
  readonly isNewPage?: boolean
}

/**
 * A screenshot, and the file it was saved to.
 *
 * @example
 * const { picture } = await respond({ name: 'screenshot' })
 * if (picture?.path) console.log(`saved to ${picture.path}`)
 */
export type SavedScreenshot = Omit<ScreenshotData, 'page' | 'notes'> & { readonly path?: string }

interface FailureAnswerOptions {
  readonly maxChars?: number
  /** the word of the fence; default: a new one */
  readonly word?: string
}

/** The text quotes what the page said. In `error` it is escaped, since programs pass that on to models and terminals too (A1). */
export function failureAnswer(error: Failure, { maxChars = 1_500, word }: FailureAnswerOptions = {}): Answer {
  const text = renderFailure(error, { maxChars, ...(word !== undefined && { word }) })
  return { ok: false, text, error: error.page ? { ...error, page: escaped(error.page) } : error }
}

const escaped = (page: PageWords): PageWords =>
  Object.fromEntries(Object.entries(page).map(([name, value]) => [name, typeof value === 'string' ? inline(value) : value.map(inlineOnly)]))
const inlineOnly = (text: string): string => inline(text)

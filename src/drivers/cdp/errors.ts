import { say, term } from '../../contract/message.ts'
import { PagehandError } from '../../contract/pagehand-error.ts'

export { PagehandError }

/** the longest quotation of page text in a message */
export const maxQuoteChars = 200

/** The document that was called is gone, because the page navigated; its tab is not. */
export class DocumentGoneError extends PagehandError {
  constructor() {
    super('target_closed', say`The document is gone: the page navigated during the call.`)
  }
}

/** A URL that did not load. The error code of Chromium is part of the sentence; any other text may not be ours. */
export function loadError(url: string, reason: string): PagehandError {
  const isCode = /^net::[A-Z_]+$/.test(reason)
  return new PagehandError('navigation_failed', say`The page did not load${isCode ? say`: ${term(reason)}` : ''}.`, {
    page: { url, ...(!isCode && { error: reason }) },
  })
}

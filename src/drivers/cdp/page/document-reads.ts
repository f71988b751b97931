import { say } from '../../../contract/message.ts'
import { DocumentGoneError, PagehandError } from '../errors.ts'
import { waitForEvent } from '../timeout.ts'
import type { Page } from './page.ts'

/** a page that is replaced for longer than this is never still */
const maxReplacedMs = 3_000
/** time for the next document, once the old one cannot be read any more */
const nextDocumentMs = 100

/** Reads from the document of a page, and from its successor if the page navigates in the meantime. */
export async function readDocument<T>(page: Page, read: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + maxReplacedMs; ; ) {
    const loaderId = page.document.state().loaderId
    try {
      return await read()
    } catch (error) {
      const isGone = error instanceof DocumentGoneError
      if (!isGone && !isUnexpected(error)) throw error
      await page.catchUp()
      // the browser has many words for a document that goes away during a call, and none of them is reserved for that
      const isReplaced = isGone || page.document.state().loaderId !== loaderId
      if (!isReplaced && !page.document.isLoading()) throw error
      if (performance.now() > until) throw new PagehandError('snapshot_failed', say`The page navigated each time it was read.`)
      if (!isReplaced) await waitForEvent(listener => page.target.on('Page.frameNavigated', listener), nextDocumentMs)
    }
  }
}

/** an error of the browser, or an exception of the engine in a document that is being taken apart */
const isUnexpected = (error: unknown): boolean => !(error instanceof PagehandError) || error.code === 'snapshot_failed'

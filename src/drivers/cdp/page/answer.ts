import { say } from '../../../contract/message.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import { PagehandError } from '../errors.ts'
import { withTimeout } from '../timeout.ts'
import { dialogOpenError } from './dialogs.ts'
import type { Page } from './page.ts'

interface AnswerOptions {
  /** the session that the page answers in */
  readonly session: CdpSession
  readonly withinMs: number
}

/** a thread that does not answer for this long is blocked */
const blockedMs = 500

/**
 * Waits for an answer of a page. Fails with `dialog_open` if a dialog opens, here or in a tab that blocks this one, and with
 * `page_unresponsive` if the page does not answer in time.
 */
export async function waitForAnswer<T>(page: Page, answer: Promise<T>, { session, withinMs: wantedMs }: AnswerOptions): Promise<T> {
  const askedAt = performance.now()
  const withinMs = Math.round(page.patienceLeft(wantedMs))
  answer.catch(() => {}) // handled here even if the race below is lost
  const open = page.dialogs.pending()
  if (open) throw dialogOpenError(open)
  const url = page.url()
  const checkBlocked = createBlockedCheck(page, session)
  const undo: (() => void)[] = []
  const interrupted = new Promise<never>((_, reject) => {
    undo.push(page.dialogs.onOpen(dialog => reject(dialogOpenError(dialog))))
    const check = () => {
      const blocked = checkBlocked()
      if (blocked) reject(blocked)
    }
    check()
    const timer = setInterval(check, blockedMs)
    undo.push(() => clearInterval(timer))
  })
  try {
    return await withTimeout(withinMs, Promise.race([answer, interrupted]), () => {
      const waits = checkBlocked() ?? navigationPendingError(page)
      if (waits) throw waits
      page.markSilent(askedAt, answer)
      throw new PagehandError('page_unresponsive', say`The page did not answer within ${withinMs} ms.`, { page: { url } })
    })
  } finally {
    for (const step of undo) step()
  }
}

/** why a page does not answer while the server of its next document is waited for */
export function navigationPendingError(page: Page): PagehandError | undefined {
  const url = page.document.pendingNavigation()
  return url === undefined
    ? undefined
    : new PagehandError(
        'timeout',
        say`The next page waits for its server, and nothing but a screenshot can be taken until it answers or another URL is opened.`,
        { page: { url } },
      )
}

/** Returns a check to call repeatedly. It returns the dialog of another tab once that dialog is known to block the thread of this page. */
function createBlockedCheck(page: Page, session: CdpSession): () => PagehandError | undefined {
  let isBlocked = false
  const unblock = () => {
    isBlocked = false
  }
  return () => {
    const other = page.blockingPage()
    const dialog = other?.dialogs.pending()
    if (other && dialog && isBlocked) return dialogOpenError({ ...dialog, tab: other.id })
    isBlocked = dialog !== undefined
    // answered also while a script runs, but not by a thread that waits for a dialog:
    // ShouldInterruptForMethod in third_party/blink/renderer/core/inspector/devtools_session.cc
    if (isBlocked) session.send('Performance.getMetrics').then(unblock, unblock)
    return undefined
  }
}

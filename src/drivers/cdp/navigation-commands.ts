// Navigation as the commands `open`, `back`, `forward` and `reload` need it: on the selected page, until the new document has settled.
import type { FailureCode } from '../../contract/failures.ts'
import type { SettleStatus } from '../../contract/results.ts'
import { PagehandError } from './errors.ts'
import { createInputContext } from './input/create-input-context.ts'
import { type LoadState, type NavigationContext, navigateTo } from './navigation/navigate.ts'
import type { SessionContext } from './session-context.ts'
import { watchInterruptions } from './settle/interruptions.ts'
import { watchNavigation } from './settle/settle.ts'
import { type Deadline, onAbort, remainingMs } from './timeout.ts'

/** Starts a navigation and waits until the page has settled: content that is fetched after the load event matters most. */
export async function navigateAndSettle(
  context: SessionContext,
  deadline: Deadline,
  start: () => Promise<LoadState>,
): Promise<Partial<SettleStatus>> {
  const page = context.pages().current()
  const input = createInputContext(context, page, deadline)
  const watcher = watchNavigation(input)
  // at once: the next command must find the old page, or as much of the new one as was there; the tab may be gone
  const stopLoading = () =>
    void context
      .activePage()
      ?.target.send('Page.stopLoading')
      .catch(() => {})
  const unsubscribe = onAbort(deadline.signal, stopLoading)
  try {
    await watcher.ready
    const state = await start()
    if (page.dialogs.pending()) return { settled: false, pending: ['dialog'] }
    if (state === 'loading') return { settled: false, pending: ['load'] }
    // a tab that replaced this one is not watched
    if (context.pages().current() !== page) return {}
    const interruptions = watchInterruptions(input, deadline.signal)
    const dialog = interruptions.dialog.then(() => ({ settled: false, pending: ['dialog'] }))
    const outcome = watcher.outcome().catch(unsettledOrThrow)
    const { settled, pending } = await Promise.race([outcome, dialog, interruptions.aborted]).finally(interruptions.end)
    return { settled, ...(pending.length > 0 && { pending }) }
  } finally {
    unsubscribe()
    watcher.end()
  }
}

/** the page is gone, or must not be shown */
const fatalCodes = new Set<FailureCode>(['aborted', 'browser_crashed', 'page_crashed', 'url_not_allowed'])

/** The page has loaded; that it does not settle is not a failure. */
function unsettledOrThrow(error: Error): { settled: boolean; pending: readonly string[] } {
  if (error instanceof PagehandError && fatalCodes.has(error.code)) throw error
  return { settled: false, pending: [error instanceof PagehandError && error.code === 'dialog_open' ? 'dialog' : 'scripts'] }
}

/** Navigates the selected page by `start` (default: opens the URL). If it cannot be unloaded, its tab is replaced. */
export async function navigateOrReplace(
  context: SessionContext,
  url: string,
  deadline: Deadline,
  start: (context: NavigationContext) => Promise<LoadState> = first => navigateTo(first, url),
): Promise<LoadState> {
  const first = navigationContext(context, deadline)
  return start(first).catch(async (error: PagehandError) => {
    if (error.code !== 'page_unresponsive') throw error
    await context.pages().replace(first.page)
    context.note('The page could not be unloaded; its tab was replaced, and its history is lost.')
    return navigateTo(navigationContext(context, deadline), url)
  })
}

export const navigationContext = (context: SessionContext, deadline: Deadline): NavigationContext => ({
  page: context.pages().current(),
  // a little less than the deadline, so that the failure names the page
  timeoutMs: remainingMs(deadline) - Math.min(500, Math.round(remainingMs(deadline) / 10)),
  loadMs: Math.min(context.loadMs, Math.round(remainingMs(deadline) / 2)),
  signal: deadline.signal,
  note: context.note,
})

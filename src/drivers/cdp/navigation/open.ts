import type { FailureCode } from '../../../contract/failures.ts'
import type { SettleStatus } from '../../../contract/results.ts'
import { PagehandError } from '../errors.ts'
import { createInputContext } from '../input/create-context.ts'
import type { SessionContext } from '../session-context.ts'
import { watchInterruptions } from '../settle/interruptions.ts'
import { watchNavigation } from '../settle/settle.ts'
import { type Deadline, remainingMs } from '../timeout.ts'
import * as go from './navigate.ts'

/** Goes to a page and waits until it is at rest: what it fetches and draws after its load is what people came for. */
export async function navigateAndSettle(
  life: SessionContext,
  time: Deadline,
  start: () => Promise<go.Arrival>,
): Promise<Partial<SettleStatus>> {
  const view = life.tabs().current()
  const hands = createInputContext(life, view, time)
  const arrival = watchNavigation(hands)
  try {
    const state = await start()
    if (view.dialogs.pending()) return { settled: false, pending: ['dialog'] }
    if (state === 'loading') return { settled: false, pending: ['load'] }
    // a tab that came in its place is not watched
    if (life.tabs().current() !== view) return {}
    const stop = watchInterruptions(hands, time.signal)
    const dialog = stop.dialog.then(() => ({ settled: false, pending: ['dialog'] }))
    const rest = await Promise.race([arrival.outcome().catch(unsettled), dialog, stop.aborted]).finally(stop.end)
    return { settled: rest.settled, ...(rest.pending.length > 0 && { pending: rest.pending }) }
  } finally {
    arrival.end()
  }
}

/** the page is there, whether or not it comes to rest; that it is gone, or must not be shown, is another matter */
function unsettled(why: Error): { settled: boolean; pending: readonly string[] } {
  if (why instanceof PagehandError && fatal.has(why.code)) throw why
  return { settled: false, pending: [why instanceof PagehandError && why.code === 'dialog_open' ? 'dialog' : 'scripts'] }
}
const fatal = new Set<FailureCode>(['aborted', 'browser_crashed', 'page_crashed', 'url_not_allowed'])

/** A page that does not let go is left behind with its tab. */
export async function goTo(life: SessionContext, url: string, time: Deadline): Promise<go.Arrival> {
  const first = navigationContext(life, time)
  return go.navigateTo(first, url).catch(async (why: PagehandError) => {
    if (why.code !== 'page_unresponsive') throw why
    await life.tabs().replace(first.view)
    life.note('The page did not let itself be left; its tab was replaced, and its history is gone.')
    return go.navigateTo(navigationContext(life, time), url)
  })
}

export const navigationContext = (life: SessionContext, time: Deadline): go.NavigationContext => ({
  view: life.tabs().current(),
  // a little less, so that the page is told and not only the clock
  timeoutMs: remainingMs(time) - Math.min(500, Math.round(remainingMs(time) / 10)),
  loadMs: Math.min(life.loadMs, Math.round(remainingMs(time) / 2)),
  note: life.note,
})

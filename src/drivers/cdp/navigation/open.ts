import type { Code } from '../../../contract/failures.ts'
import type { Settled } from '../../../contract/results.ts'
import { left, type Time } from '../deadline.ts'
import { Failed } from '../errors.ts'
import { handsOn } from '../input/create-context.ts'
import type { Life } from '../session-context.ts'
import { stops } from '../settle/interruptions.ts'
import { arriving } from '../settle/settle.ts'
import * as go from './navigate.ts'

/** Goes to a page and waits until it is at rest: what it fetches and draws after its load is what people came for. */
export async function arrive(life: Life, time: Time, start: () => Promise<go.Arrival>): Promise<Partial<Settled>> {
  const view = life.tabs().current()
  const hands = handsOn(life, view, time)
  const arrival = arriving(hands)
  try {
    const state = await start()
    if (view.dialogs.pending()) return { settled: false, pending: ['dialog'] }
    if (state === 'loading') return { settled: false, pending: ['load'] }
    // a tab that came in its place is not watched
    if (life.tabs().current() !== view) return {}
    const stop = stops(hands, time.signal)
    const dialog = stop.dialog.then(() => ({ settled: false, pending: ['dialog'] }))
    const rest = await Promise.race([arrival.outcome().catch(unsettled), dialog, stop.aborted]).finally(stop.end)
    return { settled: rest.settled, ...(rest.pending.length > 0 && { pending: rest.pending }) }
  } finally {
    arrival.end()
  }
}

/** the page is there, whether or not it comes to rest; that it is gone, or must not be shown, is another matter */
function unsettled(why: Error): { settled: boolean; pending: readonly string[] } {
  if (why instanceof Failed && fatal.has(why.code)) throw why
  return { settled: false, pending: [why instanceof Failed && why.code === 'dialog_open' ? 'dialog' : 'scripts'] }
}
const fatal = new Set<Code>(['aborted', 'browser_crashed', 'page_crashed', 'url_not_allowed'])

/** A page that does not let go is left behind with its tab. */
export async function goTo(life: Life, url: string, time: Time): Promise<go.Arrival> {
  const first = going(life, time)
  return go.open(first, url).catch(async (why: Failed) => {
    if (why.code !== 'page_unresponsive') throw why
    await life.tabs().replace(first.view)
    life.note('The page did not let itself be left; its tab was replaced, and its history is gone.')
    return go.open(going(life, time), url)
  })
}

export const going = (life: Life, time: Time): go.Going => ({
  view: life.tabs().current(),
  // a little less, so that the page is told and not only the clock
  timeoutMs: left(time) - Math.min(500, Math.round(left(time) / 10)),
  loadMs: Math.min(life.loadMs, Math.round(left(time) / 2)),
  note: life.note,
})

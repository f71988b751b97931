import type { StaleReason } from '../contract/approval.ts'
import type { RunJournal } from '../contract/journal.ts'
import { isAboutUrlOnly } from './request.ts'

/**
 * Ends the requests of earlier processes of a run. Their page is gone, and what was typed into it too: nobody can say that another page would
 * send what was shown. A request to open a URL holds, and so does what an answer allows for longer than one action.
 *
 * @example
 * const journal = await store.open(run)
 * await retireRequests(journal)
 */
export async function retireRequests(journal: RunJournal): Promise<void> {
  const events = journal.events()
  const resumedAt = events.map(({ type }) => type).lastIndexOf('run.resumed')
  const earlier = new Set(
    events.slice(0, Math.max(0, resumedAt)).flatMap(({ type, approval }) => (type === 'approval.requested' ? approval : [])),
  )
  for (const { request, state, decision } of await journal.approvals()) {
    const isOpen = state === 'pending' || (state === 'approved' && decision?.scope === 'once')
    if (isOpen && earlier.has(request.id) && !isAboutUrlOnly(request))
      await journal.append({ type: 'approval.stale', approval: request.id, because: 'browser' satisfies StaleReason })
  }
}

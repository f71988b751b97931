import type { Session } from '../runtime/session.ts'
import { action } from '../synthetic/actions.ts'
import { page } from '../synthetic/page.ts'
import { queryResponse } from '../synthetic/query.ts'
import { guarded, type Methods } from './install.ts'

/** The methods of a script that acts with synthetic events. */
export const syntheticMethods = (session: Session): Methods => ({
  action: (ref?: unknown, kind?: unknown, payload?: unknown) =>
    guarded('action', 'outcome_unknown', () => action(session, ref, kind, payload)),
  query: (ref?: unknown, kind?: unknown, payload?: unknown) =>
    guarded('query', 'snapshot_failed', () => queryResponse(session, ref, kind, payload)),
  page: (kind?: unknown, payload?: unknown) => guarded('page', 'outcome_unknown', () => page(session, kind, payload)),
})

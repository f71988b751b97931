import { action } from '../synthetic/actions.ts'
import { page } from '../synthetic/page.ts'
import { watchRequests } from '../synthetic/pending-requests.ts'
import { queryResponse } from '../synthetic/query.ts'
import { guarded, install } from './install.ts'

// dist/agent-browser.js: snapshots, and actions made of synthetic events
install({
  watchRequests,
  methods: session => ({
    action: (ref?: unknown, kind?: unknown, payload?: unknown) =>
      guarded('action', 'outcome_unknown', () => action(session, ref, kind, payload)),
    query: (ref?: unknown, kind?: unknown, payload?: unknown) =>
      guarded('query', 'snapshot_failed', () => queryResponse(session, ref, kind, payload)),
    page: (kind?: unknown, payload?: unknown) => guarded('page', 'outcome_unknown', () => page(session, kind, payload)),
  }),
})

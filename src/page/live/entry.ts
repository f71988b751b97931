import { action } from './act.ts'
import { guarded, install } from './install.ts'
import { page } from './page.ts'
import { query } from './query.ts'
import { traffic } from './traffic.ts'

// dist/agent-browser.js: eyes and hands
install({
  traffic,
  methods: session => ({
    action: (ref?: unknown, kind?: unknown, payload?: unknown) =>
      guarded('action', 'outcome_unknown', () => action(session, ref, kind, payload)),
    query: (ref?: unknown, kind?: unknown, payload?: unknown) =>
      guarded('query', 'snapshot_failed', () => query(session, ref, kind, payload)),
    page: (kind?: unknown, payload?: unknown) => guarded('page', 'outcome_unknown', () => page(session, kind, payload)),
  }),
})

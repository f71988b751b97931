import { action } from './act.ts'
import { guarded, install } from './install.ts'
import { resolve } from './look.ts'
import * as native from './natives.ts'
import { page } from './page.ts'
import { pristine } from './pristine.ts'
import { query } from './query.ts'

// dist/agent-browser.js: eyes and hands
install(
  session => ({
    action: (ref?: unknown, kind?: unknown, payload?: unknown) =>
      guarded('action', 'outcome_unknown', () => action(session, ref, kind, payload)),
    query: (ref?: unknown, kind?: unknown, payload?: unknown) =>
      guarded('query', 'snapshot_failed', () => query(session, ref, kind, payload)),
    page: (kind?: unknown, payload?: unknown) => guarded('page', 'outcome_unknown', () => page(session, kind, payload)),
  }),
  // a driver that can hold objects of the page asks for the element itself, and hands over what only it can see
  session => ({
    element: { value: (ref: string) => pristine(() => resolve(session, ref)) },
    adopt: { value: (host: Element, root: ShadowRoot) => pristine(() => native.adopt(host, root)) },
  }),
)

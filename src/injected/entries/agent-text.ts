import { type FailureCode, failures } from '../../contract/failures.ts'
import type { RenderOptions } from '../../contract/limits.ts'
import { createDialect } from '../../render/text/dialect.ts'
import { renderSnapshot } from '../../render/text/render.ts'
import type { Session } from '../runtime/session.ts'
import { watchRequests } from '../synthetic/pending-requests.ts'
import { refuse } from '../view/snapshot.ts'
import { guarded, install, type Methods, type Response, snapshot } from './install.ts'
import { syntheticMethods } from './synthetic-methods.ts'

// dist/agent-text.js: agent-browser.js, and snapshots as text within a budget, for hosts that cannot call `renderSnapshot`
install({
  watchRequests,
  methods: session =>
    withHints({
      ...syntheticMethods(session),
      snapshot: (given?: unknown) => guarded('snapshot', 'snapshot_failed', tampered => textOrTree(session, given, tampered)),
    }),
})

/** Adds the next step to every failure: the parsers of the library do so, but such a host has none. */
function withHints(methods: Methods): Methods {
  const hinted: { [name: string]: Methods[string] } = {}
  for (const [name, method] of Object.entries(methods))
    hinted[name] = (...given) => {
      const { error, ...response } = method(...given) as Response & { readonly error?: { readonly code: FailureCode } }
      return error ? { ...response, error: { ...error, hint: failures[error.code] } } : response
    }
  return hinted
}

interface TextOptions {
  /** @default 'json': the tree */
  readonly as?: unknown
  /** @default 12000 */
  readonly maxChars?: number
  readonly format?: RenderOptions['format']
}

/** notes name the options of this script */
const optionNames = ['maxChars', 'scope', 'after', 'interactiveOnly', 'maxNodes', 'format']
const dialect = createDialect({ spell: name => (optionNames.includes(name) ? name : undefined), instead: () => 'scope' })

function textOrTree(session: Session, given: unknown, tampered: boolean): Response {
  const { as, maxChars, format, ...options } = (typeof given === 'object' && given !== null ? given : {}) as TextOptions
  if (as === undefined || as === null || as === 'json') return snapshot(session, as === 'json' ? options : given, tampered)
  if (as !== 'text') return refuse('invalid_input', ['as must be json or text'], 'snapshot')
  const tree = snapshot(session, options, tampered)
  if (!tree.ok) return tree
  const rendering = { ...(maxChars !== undefined && { maxCharsTotal: maxChars }), ...(format !== undefined && { format }) }
  const { text, refs, truncated, error } = renderSnapshot(tree, rendering, dialect)
  if (error) return refuse(error.code, [error.message], 'snapshot')
  const { meta } = tree as Response & { readonly meta: { readonly url: string; readonly title: string } }
  return { ok: true, type: 'snapshot', url: meta.url, title: meta.title, text, refs, truncated } as Response
}

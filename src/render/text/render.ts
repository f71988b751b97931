import type { Failure } from '../../contract/failures.ts'
import { type RenderOptions, type RenderResult, renderDefaults, type SnapshotFormat } from '../../contract/limits.ts'
import { parseSnapshot } from '../decode/snapshot.ts'
import { type Dialect, rendererDialect } from './dialect.ts'
import { renderFailure } from './failure.ts'
import { renderWithinBudget } from './fit.ts'
import { flat } from './formats/flat.ts'
import { json as jsonWriter } from './formats/json.ts'
import { lines } from './formats/lines.ts'
import { tree } from './formats/tree.ts'
import { isFailure, resolveOptions } from './options.ts'
import { quote } from './quote.ts'
import type { Writer } from './writer.ts'

const writers: { readonly [Name in SnapshotFormat]: Writer } = { tree, lines, flat, json: jsonWriter }

/**
 * Renders a snapshot (JSON or parsed) as text for a model. The text has at most `maxCharsTotal` characters whatever the page contains, one
 * line per node, and notes that name the call which shows the omitted content. Never throws: `error` and the text say what is wrong.
 *
 * @param dialect how the notes spell options and refs; default: the names of `RenderOptions`. JSON always has those names.
 * @example
 * const { text, refs } = AgentBrowser.renderSnapshot(json, { maxCharsTotal: 4_000 })
 */
export function renderSnapshot(json: unknown, options: RenderOptions = {}, dialect: Dialect = rendererDialect): RenderResult {
  const resolved = resolveOptions(options, dialect)
  if (isFailure(resolved)) return failureResult(resolved, renderDefaults.maxCharsTotal, 'tree')
  const { maxCharsTotal, format } = resolved
  const snapshot = parseSnapshot(json)
  if (!snapshot.ok) return failureResult(snapshot.error, maxCharsTotal, format)
  return renderWithinBudget({
    snapshot,
    options: resolved,
    writer: writers[format],
    dialect: format === 'json' ? rendererDialect : dialect,
  })
}

function failureResult(error: Failure, maxChars: number, format: SnapshotFormat): RenderResult {
  const text = format === 'json' ? jsonFailure(error, maxChars) : renderFailure(error, { maxChars })
  const stats = { chars: text.length, nodesSeen: 0, nodesRendered: 0, nodesFolded: 0, nodesOmitted: 0 }
  return { text, refs: [], stats, truncated: false, truncateReasons: [], error }
}

function jsonFailure({ code, message, hint, page = {} }: Failure, maxChars: number): string {
  const write = (quotedMessage: string, pageField = '') =>
    `{"type":"snapshot","ok":false,"error":{"code":"${code}","message":${quotedMessage},"hint":${quote(hint, 90)}${pageField}}}`
  const words = Object.entries(page).map(
    ([name, value]) => `"${name}":${typeof value === 'string' ? quote(value) : `[${value.map((text: string) => quote(text)).join(',')}]`}`,
  )
  const complete = write(quote(message), words.length ? `,"page":{${words.join(',')}}` : '')
  return complete.length <= maxChars ? complete : write(quote(message, Math.max(0, maxChars - write('""').length)))
}

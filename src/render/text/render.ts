import type { Failure } from '../../contract/failures.ts'
import { type RenderOptions, type RenderResult, renderDefaults, type SnapshotFormat } from '../../contract/limits.ts'
import { parseSnapshot } from '../decode/snapshot.ts'
import { sheet } from './fit.ts'
import { flat } from './formats/flat.ts'
import { json as jsonWriter } from './formats/json.ts'
import { lines } from './formats/lines.ts'
import { tree } from './formats/tree.ts'
import { isFailure, limits } from './options.ts'
import { inline, quote } from './quote.ts'
import type { Writer } from './writer.ts'

const writers: { readonly [Name in SnapshotFormat]: Writer } = { tree, lines, flat, json: jsonWriter }

/**
 * The snapshot of a page as text for a model: text.length <= maxCharsTotal whatever the page says, one node per line, and what was
 * left out is said with the call that shows it. Takes JSON or a parsed snapshot. Never throws: what is wrong stands in `error` and in the text.
 */
export function renderSnapshot(json: unknown, options: RenderOptions = {}): RenderResult {
  const whole = limits(options)
  if (isFailure(whole)) return refused(whole, renderDefaults.maxCharsTotal, 'tree')
  const snapshot = parseSnapshot(json)
  if (!snapshot.ok) return refused(snapshot.error, whole.maxCharsTotal, whole.format)
  return sheet(snapshot, whole, writers[whole.format])
}

/** A failure as the model reads it: what happened, and what to do next. */
export function renderFailure({ code, message, hint }: Failure, maxChars: number = renderDefaults.maxCharsTotal): string {
  const frame = code.length + hint.length + 4
  const said = inline(message, Math.max(20, maxChars - frame))
  return inline(`${code}: ${said}${/[.!?…]$/.test(said) ? '' : '.'} ${hint}`, maxChars)
}

function refused(error: Failure, maxChars: number, format: SnapshotFormat): RenderResult {
  const text = format === 'json' ? jsonFailure(error, maxChars) : renderFailure(error, maxChars)
  const stats = { chars: text.length, nodesSeen: 0, nodesRendered: 0, nodesFolded: 0, nodesOmitted: 0 }
  return { text, refs: [], stats, truncated: false, truncateReasons: [], error }
}

function jsonFailure({ code, message, hint }: Failure, maxChars: number): string {
  const write = (said: string) => `{"type":"snapshot","ok":false,"error":{"code":"${code}","message":${said},"hint":${quote(hint, 90)}}}`
  return write(quote(message, Math.max(0, maxChars - write('""').length)))
}

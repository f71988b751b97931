import type { ParsedCommand } from '../contract/commands.ts'
import { quoted, say, term } from '../contract/message.ts'
import { parseCommand } from '../contract/parse-command.ts'
import { type AnyRun, fail, ok, type Result, type Run, typed } from '../contract/run.ts'
import { withCellSpans } from './cell-spans.ts'
import { buildDocument, type SnapshotDocument } from './document.ts'
import { inspect } from './inspect.ts'
import type { SnapshotOptions } from './options.ts'
import { query } from './query.ts'
import { assignRefs, snapshotJson } from './snapshot.ts'

/** More than a text shows, so that observe and extract have elements to choose from. */
const maxNodes = 400

/**
 * Runs the verbs `snapshot`, `query` and `inspect` on a string of HTML. Every other verb fails with `unsupported_action`, since no script runs here.
 *
 * @example
 * const run = htmlDriver('<button>Buy</button>')
 * const result = await run({ name: 'snapshot' })
 */
export function htmlDriver(html: string, options: SnapshotOptions = {}): Run {
  const document = buildDocument(html, options)
  // lets a query find the refs of a snapshot that another process took with the same options
  assignRefs(document)
  const run: AnyRun = async (given, signal) => {
    if (signal?.aborted) return fail('aborted', say`${term(given.name)} was stopped before it began.`)
    if (given.name !== 'snapshot' && given.name !== 'query' && given.name !== 'inspect')
      return fail('unsupported_action', say`${quoted(given.name, 40)} needs a browser; this page is a string.`)
    const parsed = parseCommand(given)
    if (!parsed.ok) return parsed
    const command = parsed.value as ParsedCommand<'snapshot' | 'query' | 'inspect'>
    if (command.name === 'snapshot') return takeSnapshot(document, command)
    return command.name === 'query' ? readElement(document, command) : inspect(document, command)
  }
  return typed(run)
}

function takeSnapshot(document: SnapshotDocument, { interactiveOnly, scope, after, order }: ParsedCommand<'snapshot'>): Result {
  const options = {
    interactiveOnly,
    maxNodes,
    ...(scope !== undefined && { scopeSelector: scope }),
    ...(after !== undefined && { after }),
  }
  const json = snapshotJson(document, options, order)
  // the order of a page that is read from its start to its end
  if (!('code' in json)) return ok(order === 'document' ? withCellSpans(json, document) : json)
  // the verb has another name for this option
  return { ok: false, error: json.field === 'scopeSelector' ? { ...json, field: 'scope' } : json }
}

function readElement(document: SnapshotDocument, { ref, kind, limitChars }: ParsedCommand<'query'>): Result {
  const { error, ...result } = query(document, ref, kind, limitChars)
  return error ? { ok: false, error } : ok(result)
}

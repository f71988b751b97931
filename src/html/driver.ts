import { type Command, fail, ok, type Result, type Run } from '../contract/run.ts'
import { buildDocument, type SnapshotDocument } from './document.ts'
import type { SnapshotOptions } from './options.ts'
import { query } from './query.ts'
import { number, snapshotJson } from './snapshot.ts'

const looks: { readonly [name: string]: (document: SnapshotDocument, command: Command) => Result } = {
  snapshot: (document, { interactiveOnly, scope: scopeSelector, after }) => {
    // more than a text shows: what finds and reads on the way to the model wants to choose
    const json = snapshotJson(document, { interactiveOnly, scopeSelector, after, maxNodes: 400 } as SnapshotOptions)
    return 'code' in json ? { ok: false, error: json } : ok(json)
  },
  query: (document, { ref, kind, limitChars }) => {
    const { error, ...result } = query(document, String(ref), String(kind), limitChars === undefined ? undefined : Number(limitChars))
    return error ? { ok: false, error } : ok(result)
  },
}

/** A string of HTML as a page that can be looked at: snapshot and query; whatever acts is refused, since nothing here runs. */
export function htmlDriver(html: string, options: SnapshotOptions = {}): Run {
  const document = buildDocument(html, options)
  // so that a query finds the refs of a snapshot that another process took with the same options
  number(document)
  return async (command, signal) => {
    if (signal?.aborted) return fail('aborted', `${command.name} was stopped before it began.`)
    const look = Object.hasOwn(looks, command.name) ? looks[command.name] : undefined
    return look
      ? look(document, command)
      : fail('unsupported_action', `${String(command.name).slice(0, 40)} needs a browser; this page is a string.`)
  }
}

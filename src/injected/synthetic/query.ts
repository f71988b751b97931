import type { QueryResult } from '../../contract/page-api.ts'
import { cut } from '../../engine/text.ts'
import { failureOf, isEngineError } from '../runtime/errors.ts'
import type { Session } from '../runtime/session.ts'
import { query } from '../view/query.ts'
import { responseMeta } from '../view/response-meta.ts'

/** `query` of the page API */
export function queryResponse(session: Session, given: unknown, kind: unknown, payload: unknown): QueryResult {
  const about = { type: 'query' as const, kind: cut(`${kind}`, 40), ref: cut(`${given}`, 40) }
  try {
    return { ok: true, ...about, meta: responseMeta(), ...query(session, given, kind, payload) }
  } catch (error) {
    if (!isEngineError(error)) throw error
    return { ok: false, ...about, error: failureOf(error) }
  }
}

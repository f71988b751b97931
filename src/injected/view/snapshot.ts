import type { FailureCode, PageWords } from '../../contract/failures.ts'
import { quoted } from '../../contract/message.ts'
import { normalizeRef } from '../../contract/refs.ts'
import type { Snapshot, SnapshotError, SnapshotMeta } from '../../contract/snapshot.ts'
import type { EngineOptions } from '../../engine/options.ts'
import { comparesSecrets, secretSelector } from '../../engine/secrets.ts'
import { buildSnapshot } from '../../engine/snapshot/snapshot.ts'
import { cut } from '../../engine/text.ts'
import * as native from '../runtime/natives.ts'
import { type Session, version } from '../runtime/session.ts'
import { refAttribute } from './attributes.ts'
import { pageInfo } from './page-info.ts'
import { documentStartedAt } from './response-meta.ts'
import { resolve, stillSceneOf } from './scene.ts'

/** the response stays below 100 KB for any page; the difference is for the parts that are not nodes */
const maxBytes = 95_000

export function takeSnapshot(session: Session, options: EngineOptions, tampered: boolean): Snapshot | SnapshotError {
  const scope = options.scope === undefined ? native.bodyOf(document) : findScope(session, options.scope)
  if (!scope) return refuse('no_root', ['no body'], 'snapshot')
  if (typeof scope === 'string')
    return refuse(
      scope,
      [
        scope === 'scope_not_found'
          ? 'nothing matches '
          : comparesSecrets(`${options.scope}`)
            ? `${secretSelector} `
            : 'not a CSS selector: ',
        ...quoted(options.scope),
      ],
      'snapshot',
    )
  const afterRef = options.after === undefined ? undefined : normalizeRef(options.after)
  if (afterRef === null) return refuse('invalid_ref', ['not a ref: ', ...quoted(options.after, 40)], 'snapshot')
  const after = afterRef === undefined ? undefined : resolve(session, afterRef)
  const afterNotFound = () => refuse('ref_not_found', [`${afterRef} is not in this snapshot`], 'snapshot')
  if (after === null) return afterNotFound()

  session.refs.startAfter(options.refsAfter ?? 0)
  const kind = `${options.interactiveOnly}${options.includeHidden}`
  const { scene, reached } = stillSceneOf(session, scope)
  const taken = native.keepingStyles(() =>
    buildSnapshot(scene, options, {
      refs: session.refs,
      meta: metaOf(session, tampered, { ...(options.scope && { scope: cut(options.scope, 200) }), ...(afterRef && { after: afterRef }) }),
      clock: native.now,
      isFirst: session.snapshotKind !== kind,
      maxBytes,
      ...(after ? { after } : {}),
    }),
  )
  if (!taken) return afterNotFound()
  session.snapshotKind = kind
  session.onSnapshot?.(
    reached,
    taken.marked.map(({ node }) => node),
  )
  if (options.markDom)
    for (const { node, ref } of taken.marked)
      if (native.getAttribute(node, refAttribute) !== ref) native.setAttribute(node, refAttribute, ref)
  return taken.json
}

export const refuse = <T extends string>(code: FailureCode, message: readonly string[], type: T, page?: PageWords) => ({
  ok: false as const,
  type,
  error: { code, message: message.join(''), ...(page && { page }) },
})

function findScope(session: Session, scope: string): Element | 'invalid_selector' | 'scope_not_found' {
  const ref = normalizeRef(scope)
  if (ref) return resolve(session, ref) ?? 'scope_not_found'
  if (comparesSecrets(scope)) return 'invalid_selector'
  try {
    return native.querySelector(document, scope) ?? 'scope_not_found'
  } catch {
    return 'invalid_selector' // querySelector throws only for this
  }
}

const metaOf = (
  { verified }: Session,
  tampered: boolean,
  position: Pick<SnapshotMeta, 'scope' | 'after'>,
): Omit<SnapshotMeta, 'dialog'> => ({
  ...pageInfo(),
  ts: native.wallClock(),
  startedAt: documentStartedAt,
  version,
  integrity: tampered ? 'tampered' : verified ? 'verified' : 'unverified',
  ...position,
})

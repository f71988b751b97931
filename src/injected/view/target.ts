import { quoted, say } from '../../contract/message.ts'
import { normalizeRef } from '../../contract/refs.ts'
import type { Dom } from '../../engine/dom.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/natives.ts'
import type { Session } from '../runtime/session.ts'
import { resolve, sceneOf } from './scene.ts'

/** The element that a command names by its ref. */
export interface Target {
  readonly session: Session
  readonly ref: string
  readonly node: Element
  readonly document: Document
  readonly dom: Dom<Node>
}

export function findTarget(session: Session, given: unknown): Target {
  const ref = normalizeRef(given)
  if (!ref) throw engineError('invalid_ref', say`not a ref: ${quoted(given, 40)}`)
  const node = resolve(session, ref)
  if (!node) throw engineError('ref_not_found', say`${{ ref }} is not in the page`)
  return { session, ref, node, document: native.ownerDocument(node) as Document, dom: sceneOf(session, node).dom }
}

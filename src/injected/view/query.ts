import { hasOwn } from '../../contract/has-own.ts'
import { quoted, say, term } from '../../contract/message.ts'
import { type QueryKind, type QuerySuccess, queryLimits, spellQueryKind } from '../../contract/page-api.ts'
import { roleOf } from '../../engine/accessibility/roles.ts'
import { statesOf } from '../../engine/accessibility/states.ts'
import { objectWithin } from '../../engine/markup.ts'
import { cut, textBelow } from '../../engine/text.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/natives.ts'
import type { Session } from '../runtime/session.ts'
import { attributesOf, innerHtml, outerHtml } from './markup.ts'
import { sceneOf } from './scene.ts'
import { findTarget, type Target } from './target.ts'

/** Reads one property. Text may exceed the limit: `query` cuts it. */
type Read = (target: Target, limit: number) => string | boolean | Pairs
/** the members of a JSON object; those that do not fit are left out */
type Pairs = readonly (readonly [string, string | number])[]

const styleProperties =
  'display visibility opacity position z-index overflow-x overflow-y pointer-events cursor color background-color font-size font-weight text-align width height'

const queries: { readonly [kind in QueryKind]: Read } = {
  text: ({ dom, node }, max) => textBelow(dom, node, { max: max + 1 }),
  html: (target, max) => innerHtml(target, max),
  outerHTML: (target, max) => outerHtml(target, max),
  value: ({ dom, node }) => dom.value(node),
  attrs: ({ dom, node }) => attributesOf({ dom }, node),
  computed_styles: ({ node }) => {
    const style = native.styleOf(node)
    return styleProperties.split(' ').map(name => [name, native.styleProperty(style, name)] as const)
  },
  isvisible: ({ session, dom, node }) => {
    const { layout } = sceneOf(session, node)
    const box = layout?.box(node)
    return !dom.hidden(node) && !!box && !layout?.unseen(node, box) && !layout?.transparent(node)
  },
  isenabled: ({ dom, node }) => !statesOf(dom, node, '').disabled,
  ischecked: target => {
    const { dom, node } = target
    const { checked } = statesOf(dom, node, roleOf(dom, node))
    if (checked === undefined) throw engineError('not_checkable', say`${target} is neither checked nor unchecked`)
    return checked === true
  },
  box: ({ session, node }) => {
    const { x, y, width, height } = sceneOf(session, node).layout?.box(node) ?? { x: 0, y: 0, width: 0, height: 0 }
    return Object.entries({ x, y, width, height }).map(([name, value]) => [name, Math.round(value)] as const)
  },
}

/** Reads one property of an element. Throws an EngineError. */
export function query(
  session: Session,
  given: unknown,
  kind: unknown,
  payload: unknown,
): Pick<QuerySuccess, 'kind' | 'ref' | 'value' | 'truncated'> {
  const name = spellQueryKind(`${kind}`) as QueryKind
  if (!hasOwn(queries, name))
    throw engineError('unsupported_query', say`unknown kind ${quoted(kind, 40)}; there are ${term(Object.keys(queries).join(' '))}`)
  const { limitChars = queryLimits.default } = (payload ?? {}) as { limitChars?: unknown }
  if (!Number.isInteger(limitChars) || Number(limitChars) < 1)
    throw engineError('invalid_input', 'limitChars must be a whole number from 1 up')
  const limit = Math.min(Number(limitChars), queryLimits.max)
  const target = findTarget(session, given)
  return { kind: name, ref: target.ref, ...cutTo(queries[name](target, limit), limit) }
}

function cutTo(value: ReturnType<Read>, limit: number): { value: string | boolean; truncated: boolean } {
  if (typeof value === 'boolean') return { value, truncated: false }
  if (typeof value === 'string') return { value: cut(value, limit), truncated: value.length > limit }
  return objectWithin(value, limit, native.stringify)
}

import { type QueryKind, type QueryResult, queryLimits } from '../../contract/page-api.ts'
import { roleOf } from '../../engine/roles.ts'
import { statesOf } from '../../engine/states.ts'
import { cut, textBelow } from '../../engine/text.ts'
import { find, type Target } from '../actions/target.ts'
import { engineError, isRefused } from '../runtime/errors.ts'
import { answered } from '../runtime/meta.ts'
import * as native from '../runtime/natives.ts'
import { inner, outer, told } from './markup.ts'
import { type Session, sceneOf } from './snapshot.ts'

/** An answer may be longer than the limit: it is cut at the door. */
type Answer = (target: Target, limit: number) => string | boolean | Pairs
/** becomes a JSON object, cut between two of them */
type Pairs = readonly (readonly [string, string | number])[]

const styles =
  'display visibility opacity position z-index overflow-x overflow-y pointer-events cursor color background-color font-size font-weight text-align width height'

const queries: { readonly [kind in QueryKind]: Answer } = {
  text: ({ dom, node }, max) => textBelow(dom, node, { shown: each => !dom.hidden(each), max: max + 1 }),
  html: (target, max) => inner(target, max),
  outerHTML: (target, max) => outer(target, max),
  value: ({ dom, node }) => dom.value(node),
  attrs: ({ session, dom, node }) => told({ session, dom }, node),
  computed_styles: ({ node }) => {
    const read = native.styleOf(node)
    return styles.split(' ').map(name => [name, read(name)] as const)
  },
  isvisible: ({ session, dom, node }) => {
    const { layout } = sceneOf(session, node)
    const box = layout?.box(node)
    return !dom.hidden(node) && !!box && !layout?.unseen(node, box) && !layout?.transparent(node)
  },
  isenabled: ({ dom, node }) => !statesOf(dom, node, '').disabled,
  ischecked: ({ dom, node, ref }) => {
    const { checked } = statesOf(dom, node, roleOf(dom, node))
    if (checked === undefined) throw engineError('not_checkable', `${ref} is neither checked nor unchecked`)
    return checked === true
  },
  box: ({ session, node }) => {
    const { x, y, width, height } = sceneOf(session, node).layout?.box(node) ?? { x: 0, y: 0, width: 0, height: 0 }
    return Object.entries({ x, y, width, height }).map(([name, value]) => [name, Math.round(value)] as const)
  },
}

/** the spellings of the other documents mean the same */
const spelled = (said: string) =>
  said
    .toLowerCase()
    .replace(/^attr$/, 'attrs')
    .replace(/^outer_?html$/, 'outerHTML') as QueryKind

export function query(session: Session, given: unknown, kind: unknown, payload: unknown): QueryResult {
  const name = spelled(`${kind}`)
  const about = { type: 'query' as const, kind: cut(`${kind}`, 40), ref: cut(`${given}`, 40) }
  try {
    if (!Object.hasOwn(queries, name))
      throw engineError('unsupported_query', `unknown kind ${about.kind}; there are ${Object.keys(queries).join(' ')}`)
    const { limitChars = queryLimits.default } = (payload ?? {}) as { limitChars?: unknown }
    if (!Number.isInteger(limitChars) || Number(limitChars) < 1)
      throw engineError('invalid_input', 'limitChars must be a whole number from 1 up')
    const limit = Math.min(Number(limitChars), queryLimits.max)
    const target = find(session, given)
    return { ok: true, ...about, kind: name, ref: target.ref, meta: answered(), ...within(queries[name](target, limit), limit) }
  } catch (error) {
    if (!isRefused(error)) throw error
    return { ok: false, ...about, error }
  }
}

function within(answer: ReturnType<Answer>, limit: number): { value: string | boolean; truncated: boolean } {
  if (typeof answer === 'boolean') return { value: answer, truncated: false }
  if (typeof answer === 'string') return { value: cut(answer, limit), truncated: answer.length > limit }
  let value = '{'
  for (const [name, said] of answer) {
    const pair = `${value === '{' ? '' : ','}${native.stringify(name)}:${native.stringify(said)}`
    // what does not fit whole is left out, so that the answer stays JSON
    if (value.length + pair.length + 1 > limit) return { value: limit < 2 ? '' : `${value}}`, truncated: true }
    value += pair
  }
  return { value: limit < 2 ? '' : `${value}}`, truncated: limit < 2 }
}

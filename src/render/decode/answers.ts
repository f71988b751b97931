import { type FailureCode, failure, failures, isFailureCode } from '../../contract/failures.ts'
import {
  type ActionResult,
  type Effect,
  type PageInfo,
  type PageOperation,
  type PageResult,
  type QueryResult,
  queryKinds,
  queryLimits,
  type SettleReport,
  type WaitCheck,
} from '../../contract/page-api.ts'
import { inline } from '../text/quote.ts'
import { countField, isObject, maxLengths, objectOf, pixelField, refField, textField, type UntypedObject } from './fields.ts'
import { decode } from './snapshot.ts'

// What the page answers to the hands, looked at field by field: the page may have made it all up. None of these ever throws.

export const parseActionResult = (json: unknown): ActionResult =>
  parsed('action', json, (said, meta) => {
    const about = { action: textField(said.action, 40), ref: refField(said.ref) ?? textField(said.ref, 40) }
    const effect = effectOf(said.effect)
    if (said.ok !== true) return { ok: false, ...about, error: errorOf(said), ...(isObject(said.effect) && { effect }) }
    return { ok: true, ...about, meta, trusted: said.trusted === true, ...(said.unconfirmed === true && { unconfirmed: true }), effect }
  }) as ActionResult

export const parseQueryResult = (json: unknown): QueryResult =>
  parsed('query', json, (said, meta) => {
    const about = { ref: refField(said.ref) ?? textField(said.ref, 40), kind: textField(said.kind, 40) }
    if (said.ok !== true) return { ok: false, ...about, error: errorOf(said) }
    if (!queryKinds.some(kind => kind === said.kind)) return null
    const value = typeof said.value === 'boolean' ? said.value : textField(said.value, queryLimits.max)
    return { ok: true, ...about, meta, value, truncated: said.truncated === true }
  }) as QueryResult

export const parsePageResult = <K extends PageOperation = PageOperation>(json: unknown): PageResult<K> =>
  parsed('page', json, (said, meta) => {
    const kind = textField(said.kind, 40)
    if (said.ok !== true) return { ok: false, kind, error: errorOf(said) }
    const read = Object.hasOwn(pages, kind) ? pages[kind as PageOperation] : undefined
    return read ? { ok: true, kind, meta, data: read(objectOf(said.data)) } : null
  }) as PageResult<K>

type Type = 'action' | 'query' | 'page'
type Meta = { readonly ts: number; readonly url: string; readonly startedAt: number }

function parsed(type: Type, json: unknown, read: (said: UntypedObject, meta: Meta) => object | null): object {
  const about = { action: { action: '', ref: '' }, query: { kind: '', ref: '' }, page: { kind: '' } }[type]
  const refuse = (why: string) => ({ ok: false, type, ...about, error: failure('invalid_json', why) })
  try {
    const said = objectOf(decode(json))
    if (said.type !== type) return refuse(`this is not the answer to ${type === 'page' ? 'a page call' : `a ${type}`}.`)
    const { ts, url, startedAt } = objectOf(said.meta)
    const answer = read(said, { ts: countField(ts) ?? 0, url: textField(url, maxLengths.url), startedAt: countField(startedAt) ?? 0 })
    return answer ? { type, ...answer } : refuse(`the answer is of no known kind.`)
  } catch (error) {
    // JSON.parse, or a getter or proxy in an object that did not come from JSON
    return refuse(`the answer is not JSON: ${error instanceof Error ? inline(error.message, 200) : 'unreadable'}.`)
  }
}

function errorOf({ error }: UntypedObject) {
  const { code, message, by, opened } = objectOf(error)
  const known: FailureCode = isFailureCode(code) ? code : 'outcome_unknown'
  const blocker = refField(by)
  return {
    code: known,
    message: inline(textField(message, maxLengths.message)),
    hint: failures[known],
    ...(blocker && { by: blocker }),
    ...(opened === true && { opened }),
  }
}

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)
const tristate = (value: unknown): boolean | 'mixed' | undefined => (value === 'mixed' ? value : flag(value))
const text = (most: number) => (value: unknown) => (typeof value === 'string' ? textField(value, most) : undefined)
const list = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.slice(0, 100).map(each => textField(each, maxLengths.state)) : undefined
const yes = (value: unknown): true | undefined => value === true || undefined

const effects: { readonly [name in keyof Required<Effect>]: (value: unknown) => Effect[name] } = {
  value: text(maxLengths.state),
  checked: tristate,
  selected: list,
  expanded: flag,
  pressed: tristate,
  files: list,
  url: text(maxLengths.url),
  focus: text(maxLengths.state),
  dialog: text(maxLengths.state),
  answered: () => undefined, // no page can do that
  scroll: value => (isObject(value) ? { x: pixelField(value.x) ?? 0, y: pixelField(value.y) ?? 0 } : undefined),
  gone: yes,
  submitted: yes,
  changed: value => {
    if (!isObject(value)) return undefined
    const said = textField(value.text, maxLengths.state)
    const counts = { added: countField(value.added) ?? 0, removed: countField(value.removed) ?? 0, altered: countField(value.altered) ?? 0 }
    return said ? { ...counts, text: said } : counts
  },
}

function effectOf(value: unknown): Effect {
  const said = objectOf(value)
  const effect: { [name: string]: unknown } = {}
  for (const name of Object.keys(effects) as (keyof Effect)[]) {
    const found = Object.hasOwn(said, name) ? effects[name](said[name]) : undefined
    if (found !== undefined) effect[name] = found
  }
  return effect
}

const acted = (data: UntypedObject) => ({ effect: effectOf(data.effect) })
const nothing = () => ({})

const pages: { readonly [kind in PageOperation]: (data: UntypedObject) => object } = {
  info: ({ url, title, readyState, viewport, scroll }): PageInfo => ({
    url: textField(url, maxLengths.url),
    title: textField(title, maxLengths.title),
    readyState: textField(readyState, 20),
    viewport: { width: countField(objectOf(viewport).width) ?? 0, height: countField(objectOf(viewport).height) ?? 0 },
    scroll: {
      x: pixelField(objectOf(scroll).x) ?? 0,
      y: pixelField(objectOf(scroll).y) ?? 0,
      height: countField(objectOf(scroll).height) ?? 0,
    },
  }),
  scroll: acted,
  pressKey: acted,
  keyDown: acted,
  keyUp: acted,
  navigate: ({ url }) => ({ url: textField(url, maxLengths.url) }),
  back: nothing,
  forward: nothing,
  reload: nothing,
  settled: ({ settled, pending, effect, committed }): SettleReport => ({
    settled: settled === true,
    pending: list(pending) ?? [],
    effect: effectOf(effect),
    committed: committed !== false,
  }),
  waitCheck: ({ met, saw }): WaitCheck => ({ met: met === true, saw: textField(saw, maxLengths.state) }),
}

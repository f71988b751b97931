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
import { type Bag, bag, count, isBag, longest, pixels, ref, words } from './fields.ts'
import { decode } from './snapshot.ts'

// What the page answers to the hands, looked at field by field: the page may have made it all up. None of these ever throws.

export const parseActionResult = (json: unknown): ActionResult =>
  parsed('action', json, (said, meta) => {
    const about = { action: words(said.action, 40), ref: ref(said.ref) ?? words(said.ref, 40) }
    const effect = effectOf(said.effect)
    if (said.ok !== true) return { ok: false, ...about, error: errorOf(said), ...(isBag(said.effect) && { effect }) }
    return { ok: true, ...about, meta, trusted: said.trusted === true, ...(said.unconfirmed === true && { unconfirmed: true }), effect }
  }) as ActionResult

export const parseQueryResult = (json: unknown): QueryResult =>
  parsed('query', json, (said, meta) => {
    const about = { ref: ref(said.ref) ?? words(said.ref, 40), kind: words(said.kind, 40) }
    if (said.ok !== true) return { ok: false, ...about, error: errorOf(said) }
    if (!queryKinds.some(kind => kind === said.kind)) return null
    const value = typeof said.value === 'boolean' ? said.value : words(said.value, queryLimits.max)
    return { ok: true, ...about, meta, value, truncated: said.truncated === true }
  }) as QueryResult

export const parsePageResult = <K extends PageOperation = PageOperation>(json: unknown): PageResult<K> =>
  parsed('page', json, (said, meta) => {
    const kind = words(said.kind, 40)
    if (said.ok !== true) return { ok: false, kind, error: errorOf(said) }
    const read = Object.hasOwn(pages, kind) ? pages[kind as PageOperation] : undefined
    return read ? { ok: true, kind, meta, data: read(bag(said.data)) } : null
  }) as PageResult<K>

type Type = 'action' | 'query' | 'page'
type Meta = { readonly ts: number; readonly url: string; readonly startedAt: number }

function parsed(type: Type, json: unknown, read: (said: Bag, meta: Meta) => object | null): object {
  const about = { action: { action: '', ref: '' }, query: { kind: '', ref: '' }, page: { kind: '' } }[type]
  const refuse = (why: string) => ({ ok: false, type, ...about, error: failure('invalid_json', why) })
  try {
    const said = bag(decode(json))
    if (said.type !== type) return refuse(`this is not the answer to ${type === 'page' ? 'a page call' : `a ${type}`}.`)
    const { ts, url, startedAt } = bag(said.meta)
    const answer = read(said, { ts: count(ts) ?? 0, url: words(url, longest.url), startedAt: count(startedAt) ?? 0 })
    return answer ? { type, ...answer } : refuse(`the answer is of no known kind.`)
  } catch (error) {
    // JSON.parse, or a getter or proxy in an object that did not come from JSON
    return refuse(`the answer is not JSON: ${error instanceof Error ? inline(error.message, 200) : 'unreadable'}.`)
  }
}

function errorOf({ error }: Bag) {
  const { code, message, by, opened } = bag(error)
  const known: FailureCode = isFailureCode(code) ? code : 'outcome_unknown'
  const blocker = ref(by)
  return {
    code: known,
    message: inline(words(message, longest.message)),
    hint: failures[known],
    ...(blocker && { by: blocker }),
    ...(opened === true && { opened }),
  }
}

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)
const tristate = (value: unknown): boolean | 'mixed' | undefined => (value === 'mixed' ? value : flag(value))
const text = (most: number) => (value: unknown) => (typeof value === 'string' ? words(value, most) : undefined)
const list = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.slice(0, 100).map(each => words(each, longest.state)) : undefined
const yes = (value: unknown): true | undefined => value === true || undefined

const effects: { readonly [name in keyof Required<Effect>]: (value: unknown) => Effect[name] } = {
  value: text(longest.state),
  checked: tristate,
  selected: list,
  expanded: flag,
  pressed: tristate,
  files: list,
  url: text(longest.url),
  focus: text(longest.state),
  dialog: text(longest.state),
  answered: () => undefined, // no page can do that
  scroll: value => (isBag(value) ? { x: pixels(value.x) ?? 0, y: pixels(value.y) ?? 0 } : undefined),
  gone: yes,
  submitted: yes,
  changed: value => {
    if (!isBag(value)) return undefined
    const said = words(value.text, longest.state)
    const counts = { added: count(value.added) ?? 0, removed: count(value.removed) ?? 0, altered: count(value.altered) ?? 0 }
    return said ? { ...counts, text: said } : counts
  },
}

function effectOf(value: unknown): Effect {
  const said = bag(value)
  const effect: { [name: string]: unknown } = {}
  for (const name of Object.keys(effects) as (keyof Effect)[]) {
    const found = Object.hasOwn(said, name) ? effects[name](said[name]) : undefined
    if (found !== undefined) effect[name] = found
  }
  return effect
}

const acted = (data: Bag) => ({ effect: effectOf(data.effect) })
const nothing = () => ({})

const pages: { readonly [kind in PageOperation]: (data: Bag) => object } = {
  info: ({ url, title, readyState, viewport, scroll }): PageInfo => ({
    url: words(url, longest.url),
    title: words(title, longest.title),
    readyState: words(readyState, 20),
    viewport: { width: count(bag(viewport).width) ?? 0, height: count(bag(viewport).height) ?? 0 },
    scroll: { x: pixels(bag(scroll).x) ?? 0, y: pixels(bag(scroll).y) ?? 0, height: count(bag(scroll).height) ?? 0 },
  }),
  scroll: acted,
  pressKey: acted,
  keyDown: acted,
  keyUp: acted,
  navigate: ({ url }) => ({ url: words(url, longest.url) }),
  back: nothing,
  forward: nothing,
  reload: nothing,
  settled: ({ settled, pending, effect, committed }): SettleReport => ({
    settled: settled === true,
    pending: list(pending) ?? [],
    effect: effectOf(effect),
    committed: committed !== false,
  }),
  waitCheck: ({ met, saw }): WaitCheck => ({ met: met === true, saw: words(saw, longest.state) }),
}

import { messageOf } from '../../contract/error-message.ts'
import { type Failure, failure, isFailureCode, type PageWords } from '../../contract/failures.ts'
import { type Message, say, term } from '../../contract/message.ts'
import {
  type OmittedCounts,
  type PageSnapshotStats,
  type SnapshotMeta,
  type SnapshotNode,
  type TruncateReason,
  truncateReasons,
} from '../../contract/snapshot.ts'
import { countField, isObject, maxLengths, objectOf, refField, textField, type UntypedObject, wordsField } from './fields.ts'
import { decodeTree } from './tree.ts'

/**
 * A snapshot that has been checked: types are right, lengths bounded, refs unique, and every ref belongs to a node.
 *
 * @example
 * const snapshot = AgentBrowser.parseSnapshot(json)
 * if (snapshot.ok) console.log(snapshot.meta.url, Object.keys(snapshot.refs))
 */
export interface ParsedSnapshot {
  readonly ok: true
  readonly type: 'snapshot'
  readonly meta: SnapshotMeta
  readonly stats: PageSnapshotStats
  readonly refs: { readonly [ref: string]: ParsedRef }
  readonly tree: ParsedNode
}

/**
 * A node of a checked snapshot.
 *
 * @example
 * const nameOf = (node: ParsedNode): string => node.name || node.text
 */
export interface ParsedNode extends Omit<SnapshotNode, 'children'> {
  readonly name: string
  readonly text: string
  /** empty if the node has no ref */
  readonly attrs: { readonly [name: string]: string }
  readonly children: readonly ParsedNode[]
}

/**
 * The element behind a ref.
 *
 * @example
 * const { role, name }: ParsedRef = snapshot.refs.e12
 */
export interface ParsedRef {
  readonly ref: string
  readonly tag: string
  readonly role: string
  readonly name: string
  readonly attrs: { readonly [name: string]: string }
  readonly path: string
}

/**
 * The result of `parseSnapshot` for anything that is not a snapshot.
 *
 * @example
 * const snapshot = AgentBrowser.parseSnapshot('{')
 * if (!snapshot.ok) console.log(snapshot.error.code) // invalid_json
 */
export interface ParseFailure {
  readonly ok: false
  readonly type: 'snapshot'
  readonly error: Failure
}

/**
 * Checks a snapshot that a page sent, as JSON or as an object. Never throws: anything else is `invalid_json`, and an error of the page is
 * passed on.
 *
 * @example
 * const snapshot = AgentBrowser.parseSnapshot(await webview.evaluate(AgentBrowser.snapshotJs()))
 * if (snapshot.ok) console.log(snapshot.meta.title)
 */
export function parseSnapshot(json: unknown): ParsedSnapshot | ParseFailure {
  try {
    return read(decode(json))
  } catch (error) {
    // JSON.parse, or a getter or proxy in an object that did not come from JSON
    return refuse(say`the snapshot is not JSON.`, { error: messageOf(error) })
  }
}

const maxJsonLength = 50_000_000

/** Parses JSON, also if it is encoded twice: Android's evaluateJavascript returns a string as JSON. */
export function decode(json: unknown): unknown {
  let value = json
  for (let times = 0; times < 3 && typeof value === 'string'; times++) {
    if (value.length > maxJsonLength) throw new Error(`${value.length} characters are more than ${maxJsonLength}`)
    value = JSON.parse(value)
  }
  return value
}

function read(value: unknown): ParsedSnapshot | ParseFailure {
  if (!isObject(value)) return refuse(say`expected a snapshot object, got ${term(kindOf(value))}.`)
  if (value.ok === false) return errorOfPage(objectOf(value.error))
  if (value.ok !== true) return refuse(say`ok is neither true nor false.`)
  if (value.type !== 'snapshot') return refuse(say`its type is not "snapshot".`, { value: textField(value.type, 40) })
  if (!isObject(value.tree)) return refuse(say`tree is ${term(kindOf(value.tree))}, not a node.`)
  const { tree, refs, cuts } = decodeTree(value.tree, objectOf(value.refs))
  return {
    ok: true,
    type: 'snapshot',
    meta: readMeta(objectOf(value.meta), refs),
    stats: readStats(objectOf(value.stats), cuts),
    refs,
    tree,
  }
}

const refuse = (message: Message, page?: PageWords): ParseFailure => ({
  ok: false,
  type: 'snapshot',
  error: failure('invalid_json', message, { page }),
})
const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : `${typeof value}`)

function errorOfPage({ code, message, page }: UntypedObject): ParseFailure {
  const reason = textField(message, maxLengths.message) || 'the page gave no reason.'
  return {
    ok: false,
    type: 'snapshot',
    error: failure(isFailureCode(code) ? code : 'snapshot_failed', term(reason), { page: objectOf(page) }),
  }
}

function readMeta(given: UntypedObject, refs: ParsedSnapshot['refs']): SnapshotMeta {
  const viewport = objectOf(given.viewport)
  const scroll = objectOf(given.scroll)
  const [width, height] = [countField(viewport.width), countField(viewport.height)]
  const dialog = refField(given.dialog)
  return {
    url: textField(given.url, maxLengths.url),
    title: wordsField(given.title, maxLengths.title),
    ts: countField(given.ts) ?? 0,
    ...(countField(given.startedAt) !== undefined && { startedAt: countField(given.startedAt) as number }),
    version: textField(given.version, 40),
    ...(width !== undefined && height !== undefined && { viewport: { width, height } }),
    ...(isObject(given.scroll) && {
      scroll: { x: countField(scroll.x) ?? 0, y: countField(scroll.y) ?? 0, height: countField(scroll.height) ?? 0 },
    }),
    ...(typeof given.readyState === 'string' && { readyState: textField(given.readyState, 20) }),
    ...((given.integrity === 'verified' || given.integrity === 'unverified' || given.integrity === 'tampered') && {
      integrity: given.integrity,
    }),
    ...(given.scripts === 'stopped' && { scripts: given.scripts }),
    ...(Array.isArray(given.tools) && { tools: given.tools.slice(0, 50).map(name => textField(name, 60)) }),
    ...(dialog !== undefined && dialog in refs && { dialog }),
    ...(typeof given.scope === 'string' && { scope: textField(given.scope, maxLengths.state) }),
    ...(refField(given.after) && { after: textField(given.after, 24) }),
  }
}

function readStats(given: UntypedObject, cuts: readonly TruncateReason[]): PageSnapshotStats {
  const claimed = Array.isArray(given.truncateReasons) ? given.truncateReasons : []
  const reasons = truncateReasons.filter(reason => claimed.includes(reason) || cuts.includes(reason))
  const elapsedMs = countField(given.elapsedMs)
  return {
    nodesVisited: countField(given.nodesVisited) ?? 0,
    nodesEmitted: countField(given.nodesEmitted) ?? 0,
    truncated: given.truncated === true || reasons.length > 0,
    truncateReasons: reasons,
    ...(elapsedMs !== undefined && { elapsedMs }),
    ...(isObject(given.omitted) && { omitted: readOmitted(given.omitted) }),
  }
}

const places = [
  'above',
  'below',
  'beside',
  'covered',
  'coveredText',
  'concealed',
  'inert',
  'text',
  'frames',
] as const satisfies (keyof OmittedCounts)[]
const readOmitted = (given: UntypedObject): OmittedCounts =>
  Object.fromEntries(places.map(place => [place, countField(given[place])]).filter(([, count]) => count))

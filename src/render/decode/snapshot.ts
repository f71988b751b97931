import { type Failure, failure, isFailureCode } from '../../contract/failures.ts'
import {
  type OmittedCounts,
  type PageSnapshotStats,
  type SnapshotMeta,
  type SnapshotNode,
  type TruncateReason,
  truncateReasons,
} from '../../contract/snapshot.ts'
import { inline } from '../text/quote.ts'
import { type Bag, bag, count, isBag, longest, ref, words } from './fields.ts'
import { growTree } from './tree.ts'

/** A snapshot whose every field has been looked at: types are right, lengths bounded, refs unique, and each ref knows its node. */
export interface ParsedSnapshot {
  readonly ok: true
  readonly type: 'snapshot'
  readonly meta: SnapshotMeta
  readonly stats: PageSnapshotStats
  readonly refs: { readonly [ref: string]: ParsedRef }
  readonly tree: ParsedNode
}

export interface ParsedNode extends Omit<SnapshotNode, 'children'> {
  readonly name: string
  readonly text: string
  /** empty where the node has no ref */
  readonly attrs: { readonly [name: string]: string }
  readonly children: readonly ParsedNode[]
}

export interface ParsedRef {
  readonly ref: string
  readonly tag: string
  readonly role: string
  readonly name: string
  readonly attrs: { readonly [name: string]: string }
  readonly path: string
}

export interface ParseFailure {
  readonly ok: false
  readonly type: 'snapshot'
  readonly error: Failure
}

/** Never throws: what is not a snapshot becomes `invalid_json`, and an error of the page is passed on. */
export function parseSnapshot(json: unknown): ParsedSnapshot | ParseFailure {
  try {
    return read(decode(json))
  } catch (error) {
    // JSON.parse, or a getter or proxy in an object that did not come from JSON
    return refuse(`the snapshot is not JSON: ${error instanceof Error ? inline(error.message, 200) : 'unreadable'}.`)
  }
}

const mostJson = 50_000_000

// Android's evaluateJavascript hands a string back as JSON once more
export function decode(json: unknown): unknown {
  let value = json
  for (let times = 0; times < 3 && typeof value === 'string'; times++) {
    if (value.length > mostJson) throw new Error(`${value.length} characters are more than ${mostJson}`)
    value = JSON.parse(value)
  }
  return value
}

function read(value: unknown): ParsedSnapshot | ParseFailure {
  if (!isBag(value)) return refuse(`expected a snapshot object, got ${kindOf(value)}.`)
  if (value.ok === false) return refusedByPage(bag(value.error))
  if (value.ok !== true) return refuse('ok is neither true nor false.')
  if (value.type !== 'snapshot') return refuse(`type is ${JSON.stringify(words(value.type, 40))}, not "snapshot".`)
  if (!isBag(value.tree)) return refuse(`tree is ${kindOf(value.tree)}, not a node.`)
  const { tree, refs, cuts } = growTree(value.tree, bag(value.refs))
  return { ok: true, type: 'snapshot', meta: readMeta(bag(value.meta), refs), stats: readStats(bag(value.stats), cuts), refs, tree }
}

const refuse = (message: string): ParseFailure => ({ ok: false, type: 'snapshot', error: failure('invalid_json', message) })
const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : `${typeof value}`)

function refusedByPage({ code, message }: Bag): ParseFailure {
  const said = words(message, longest.message) || 'the page gave no reason.'
  return { ok: false, type: 'snapshot', error: failure(isFailureCode(code) ? code : 'snapshot_failed', said) }
}

function readMeta(given: Bag, refs: ParsedSnapshot['refs']): SnapshotMeta {
  const viewport = bag(given.viewport)
  const scroll = bag(given.scroll)
  const [width, height] = [count(viewport.width), count(viewport.height)]
  const dialog = ref(given.dialog)
  return {
    url: words(given.url, longest.url),
    title: words(given.title, longest.title),
    ts: count(given.ts) ?? 0,
    ...(count(given.startedAt) !== undefined && { startedAt: count(given.startedAt) as number }),
    version: words(given.version, 40),
    ...(width !== undefined && height !== undefined && { viewport: { width, height } }),
    ...(isBag(given.scroll) && { scroll: { x: count(scroll.x) ?? 0, y: count(scroll.y) ?? 0, height: count(scroll.height) ?? 0 } }),
    ...(typeof given.readyState === 'string' && { readyState: words(given.readyState, 20) }),
    ...((given.integrity === 'verified' || given.integrity === 'unverified' || given.integrity === 'tampered') && {
      integrity: given.integrity,
    }),
    ...(given.scripts === 'stopped' && { scripts: given.scripts }),
    ...(dialog !== undefined && dialog in refs && { dialog }),
    ...(typeof given.scope === 'string' && { scope: words(given.scope, longest.state) }),
    ...(ref(given.after) && { after: words(given.after, 24) }),
  }
}

function readStats(given: Bag, cuts: readonly TruncateReason[]): PageSnapshotStats {
  const said = Array.isArray(given.truncateReasons) ? given.truncateReasons : []
  const reasons = truncateReasons.filter(reason => said.includes(reason) || cuts.includes(reason))
  const elapsedMs = count(given.elapsedMs)
  return {
    nodesVisited: count(given.nodesVisited) ?? 0,
    nodesEmitted: count(given.nodesEmitted) ?? 0,
    truncated: given.truncated === true || reasons.length > 0,
    truncateReasons: reasons,
    ...(elapsedMs !== undefined && { elapsedMs }),
    ...(isBag(given.omitted) && { omitted: readOmitted(given.omitted) }),
  }
}

const places = ['above', 'below', 'beside', 'covered', 'inert', 'text', 'frames'] as const satisfies (keyof OmittedCounts)[]
const readOmitted = (given: Bag): OmittedCounts =>
  Object.fromEntries(places.map(place => [place, count(given[place])]).filter(([, many]) => many))

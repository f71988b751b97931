import { type Failure, failure } from '../contract/failures.ts'
import { quoted, say } from '../contract/message.ts'
import { normalizeRef } from '../contract/refs.ts'
import type { Snapshot, TruncateReason } from '../contract/snapshot.ts'
import type { Scene } from '../engine/dom.ts'
import { type EngineOptions, defaultOptions as engineDefaults, maxTextToRead } from '../engine/options.ts'
import { buildSnapshot } from '../engine/snapshot/snapshot.ts'
import { parseSnapshot } from '../render/decode/snapshot.ts'
import { type Dialect, rendererDialect } from '../render/text/dialect.ts'
import { renderFailure } from '../render/text/failure.ts'
import { renderSnapshot } from '../render/text/render.ts'
import { buildDocument, type SnapshotDocument } from './document.ts'
import { isDocument } from './is-document.ts'
import { isFailure, type ResolvedSnapshotOptions, resolveOptions, type SnapshotOptions } from './options.ts'
import { compileSelector, invalidSelector, selectFirst } from './select.ts'
import type { Element, Node } from './tree.ts'

/**
 * How much of the page the snapshot covers.
 *
 * @example
 * const { truncated, reasons }: SnapshotStats = snapshot(html).stats
 * if (truncated) console.log(`incomplete: ${reasons.join(', ')}`)
 */
export interface SnapshotStats {
  /** The length of the HTML. */
  readonly inputChars: number
  readonly nodesVisited: number
  /** The number of elements in the text. */
  readonly nodesEmitted: number
  readonly truncated: boolean
  /** The limits that cut the text. */
  readonly reasons: readonly TruncateReason[]
}

/**
 * An element that has a ref.
 *
 * @example
 * const link: NodeRef | undefined = snapshot('<a href="/cart">Cart</a>').refs.e1
 * console.log(link?.attrs.href) // /cart
 */
export interface NodeRef {
  readonly ref: string
  readonly tag: string
  readonly role?: string
  readonly name?: string
  readonly attrs: { readonly [name: string]: string }
  readonly path?: string
  readonly textSnippet?: string
}

/**
 * A page as text.
 *
 * @example
 * const { snapshotText, refs, error }: SnapshotResult = snapshot(html)
 * console.log(error ? error.message : `${Object.keys(refs).length} elements`)
 */
export interface SnapshotResult {
  /** At most `maxCharsTotal` characters. */
  readonly snapshotText: string
  /** The elements with a ref, by ref. A plain object, so that the result can be serialized as JSON. */
  readonly refs: { readonly [ref: string]: NodeRef }
  readonly stats: SnapshotStats
  /** What is wrong with the call; the text says it too. */
  readonly error?: Failure
}

/**
 * Takes a snapshot of a page as text within a budget of characters. Never throws: `error` and the text say what is wrong.
 *
 * @example
 * const { snapshotText } = snapshot('<h1>Shop</h1><button>Buy</button>', { interactiveOnly: false })
 */
export const snapshot = (page: string | SnapshotDocument, options: SnapshotOptions = {}): SnapshotResult =>
  snapshotInDialect(page, options, rendererDialect)

/** Takes a snapshot whose notes name options in the dialect of the caller. */
export function snapshotInDialect(page: string | SnapshotDocument, options: SnapshotOptions, dialect: Dialect): SnapshotResult {
  if (typeof page !== 'string' && !isDocument(page))
    return failedResult(failure('invalid_input', 'the page must be a string of HTML or a document of buildDocument.'), 0)
  const document = typeof page === 'string' ? buildDocument(page) : page
  const resolved = resolveOptions({ ...document.options, ...options }, document.spell)
  if (isFailure(resolved)) return failedResult(resolved, document.inputChars)
  const json = takeDocumentSnapshot(document, resolved)
  if ('code' in json) return failedResult(json, document.inputChars)
  const { maxCharsTotal, maxNodes, maxDepth, maxTextPerNode, outputFormat: format, dedupeText: compact } = resolved
  const rendered = renderSnapshot(json, { maxCharsTotal, maxNodes, maxDepth, maxTextPerNode, format, compact }, dialect)
  const { truncated, truncateReasons: reasons } = rendered
  const { nodesVisited } = json.stats
  let refs: SnapshotResult['refs'] | undefined
  return {
    snapshotText: rendered.text,
    // most callers only read the text
    get refs() {
      refs ??= refsOf(json)
      return refs
    },
    stats: { inputChars: document.inputChars, nodesVisited, nodesEmitted: rendered.stats.nodesRendered, truncated, reasons },
  }
}

/** Takes a snapshot as data, before it is rendered as text. */
export function snapshotJson(
  document: SnapshotDocument,
  options: SnapshotOptions = {},
  order?: EngineOptions['order'],
): Snapshot | Failure {
  const resolved = resolveOptions({ ...document.options, ...options }, document.spell)
  return isFailure(resolved) ? resolved : takeDocumentSnapshot(document, resolved, order)
}

/** Numbers the elements of a document as a snapshot with its own options does. */
export function assignRefs(document: SnapshotDocument): void {
  const resolved = resolveOptions(document.options)
  if (!isFailure(resolved)) takeDocumentSnapshot(document, { ...resolved, maxNodes: 1, scopeSelector: null, after: null })
}

/** Numbers the whole page in document order first, so that refs do not depend on the limits. */
function takeDocumentSnapshot(document: SnapshotDocument, given: ResolvedSnapshotOptions, order?: EngineOptions['order']) {
  const { tree } = document
  const { scopeSelector: scope, after } = given
  const readOptions = order === 'document' ? { maxTextPerNode: Math.max(given.maxTextPerNode, maxTextToRead) } : {}
  const options = { ...engineOptions(given), ...(order && { order }), ...readOptions }
  const control = controlRule(given)
  if ('code' in control) return control
  const sceneOf = (root: Element): Scene<Node> => ({
    dom: tree.dom,
    layout: null,
    root,
    prefix: '',
    focused: () => false,
    frame: () => ({ unreachable: 'not loaded' }),
    ...control,
  })
  const take = (root: Element, limits: EngineOptions, start?: Node) =>
    buildSnapshot(sceneOf(root), limits, {
      refs: tree.refs,
      meta: {
        url: '',
        title: document.title,
        ts: 0,
        version: '',
        ...(scope && { scope }),
        ...(after && { after }),
      },
      // a constant clock, so that the result depends on nothing but the string
      clock: () => 0,
      isFirst: true,
      maxBytes: Number.POSITIVE_INFINITY,
      numberAll: true,
      ...(start && { after: start }),
    })
  if (scope || after) take(tree.body, { ...options, maxNodes: 1 })

  const root = scope ? findScope(document, scope) : tree.body
  if (root === undefined) return failure('invalid_selector', invalidSelector(scope ?? ''), { field: 'scopeSelector' })
  if (root === null) return failure('scope_not_found', say`nothing matches ${quoted(scope)}.`, { field: 'scopeSelector' })
  if (!after) return take(root, options)?.json ?? failure('snapshot_failed', 'there is nothing to look at.')
  const ref = normalizeRef(after)
  if (!ref) return failure('invalid_ref', say`not a ref: ${quoted(after, 40)}.`, { field: 'after' })
  const start = tree.refs.find(ref)
  return (start && take(root, options, start)?.json) ?? failure('ref_not_found', say`${{ ref }} is not in this page.`, { field: 'after' })
}

function findScope({ tree }: SnapshotDocument, scope: string): Element | null | undefined {
  const ref = normalizeRef(scope)
  return ref ? ((tree.refs.find(ref) as Element | undefined) ?? null) : selectFirst(tree.html, scope)
}

function engineOptions({ maxNodes, maxTextPerNode, interactiveOnly, includeAttrs }: ResolvedSnapshotOptions): EngineOptions {
  // more than fits, so that the renderer can choose, and count what it leaves out
  const emitted = Math.ceil(maxNodes * 1.25)
  return { ...engineDefaults, maxNodes: emitted, maxTextPerNode, interactiveOnly, includeAttrs, maxVisits: Number.POSITIVE_INFINITY }
}

function controlRule({ candidates: { include, exclude } }: ResolvedSnapshotOptions): Pick<Scene<Node>, 'control'> | Failure {
  const [more, less] = [include ? compileSelector(include) : undefined, exclude ? compileSelector(exclude) : undefined]
  if (more === null || less === null)
    return failure('invalid_selector', invalidSelector(more === null ? include : exclude), { field: 'candidates' })
  if (!more && !less) return {}
  return { control: node => (less?.(node as Element) ? false : more?.(node as Element) ? true : undefined) }
}

function refsOf(json: unknown): SnapshotResult['refs'] {
  const refs: { [ref: string]: NodeRef } = {}
  const parsed = parseSnapshot(json)
  if (!parsed.ok) return refs
  const texts = new Map<string, string>()
  const stack = [parsed.tree]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.ref) texts.set(node.ref, node.text || node.name)
    stack.push(...node.children)
  }
  for (const [ref, { tag, role, name, attrs, path }] of Object.entries(parsed.refs))
    refs[ref] = {
      ref,
      tag,
      role,
      ...(name && { name }),
      attrs,
      ...(path && { path }),
      ...(texts.get(ref) && { textSnippet: texts.get(ref) as string }),
    }
  return refs
}

function failedResult(error: Failure, inputChars: number): SnapshotResult {
  const stats = { inputChars, nodesVisited: 0, nodesEmitted: 0, truncated: false, reasons: [] }
  return { snapshotText: renderFailure(error), refs: {}, stats, error }
}

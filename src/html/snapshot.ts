import { type Failure, failure } from '../contract/failures.ts'
import { normalizeRef } from '../contract/refs.ts'
import type { Snapshot, TruncateReason } from '../contract/snapshot.ts'
import type { Scene } from '../engine/dom.ts'
import { type EngineOptions, defaultOptions as engineDefaults } from '../engine/options.ts'
import { buildSnapshot } from '../engine/snapshot/snapshot.ts'
import { parseSnapshot } from '../render/decode/snapshot.ts'
import { type Dialect, rendererDialect } from '../render/text/dialect.ts'
import { renderFailure } from '../render/text/failure.ts'
import { renderSnapshot } from '../render/text/render.ts'
import { buildDocument, type SnapshotDocument } from './document.ts'
import { isDocument } from './is-document.ts'
import { isFailure, type ResolvedSnapshotOptions, resolveOptions, type SnapshotOptions } from './options.ts'
import { compileSelector, selectFirst } from './select.ts'
import type { Element, Node } from './tree.ts'

export interface SnapshotStats {
  readonly inputChars: number
  readonly nodesVisited: number
  readonly nodesEmitted: number
  readonly truncated: boolean
  readonly reasons: readonly TruncateReason[]
}

export interface NodeRef {
  readonly ref: string
  readonly tag: string
  readonly role?: string
  readonly name?: string
  readonly attrs: { readonly [name: string]: string }
  readonly path?: string
  readonly textSnippet?: string
}

export interface SnapshotResult {
  /** at most maxCharsTotal characters */
  readonly snapshotText: string
  /** the elements with a ref, by ref; a plain object, so that the result can be serialized as JSON */
  readonly refs: { readonly [ref: string]: NodeRef }
  readonly stats: SnapshotStats
  /** what was wrong with the call; the text says it too */
  readonly error?: Failure
}

/** A page as text within its budget. Never throws: what is wrong stands in `error` and in the text. */
export const snapshot = (page: string | SnapshotDocument, options: SnapshotOptions = {}): SnapshotResult =>
  snapshotInDialect(page, options, rendererDialect)

/** The same with notes that spell options as the caller does. */
export function snapshotInDialect(page: string | SnapshotDocument, options: SnapshotOptions, dialect: Dialect): SnapshotResult {
  if (typeof page !== 'string' && !isDocument(page))
    return failedResult(failure('invalid_input', 'the page must be a string of HTML or a document of buildDocument.'), 0)
  const document = typeof page === 'string' ? buildDocument(page) : page
  const whole = resolveOptions({ ...document.options, ...options })
  if (isFailure(whole)) return failedResult(whole, document.inputChars)
  const json = takeDocumentSnapshot(document, whole)
  if ('code' in json) return failedResult(json, document.inputChars)
  const { maxCharsTotal, maxNodes, maxDepth, maxTextPerNode, outputFormat: format, dedupeText: compact } = whole
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

/** What a page says about itself, before it becomes text. */
export function snapshotJson(document: SnapshotDocument, options: SnapshotOptions = {}): Snapshot | Failure {
  const whole = resolveOptions({ ...document.options, ...options })
  return isFailure(whole) ? whole : takeDocumentSnapshot(document, whole)
}

/** Gives a document's elements the numbers that a snapshot with its own options gives them, and nothing more. */
export function assignRefs(document: SnapshotDocument): void {
  const whole = resolveOptions(document.options)
  if (!isFailure(whole)) takeDocumentSnapshot(document, { ...whole, maxNodes: 1, scopeSelector: null, after: null })
}

/** The same numbers whatever the limits: the whole page is numbered in document order at the first look of its kind. */
function takeDocumentSnapshot(document: SnapshotDocument, whole: ResolvedSnapshotOptions) {
  const { tree } = document
  const options = engineOptions(whole)
  const control = controlRule(whole)
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
  const take = (root: Element, given: EngineOptions, after?: Node) =>
    buildSnapshot(sceneOf(root), given, {
      refs: tree.refs,
      meta: {
        url: '',
        title: document.title,
        ts: 0,
        version: '',
        ...(whole.scopeSelector && { scope: whole.scopeSelector }),
        ...(whole.after && { after: whole.after }),
      },
      // the clock stands: what a string gives depends on nothing but the string
      clock: () => 0,
      isFirst: true,
      maxBytes: Number.POSITIVE_INFINITY,
      numberAll: true,
      ...(after && { after }),
    })
  if (whole.scopeSelector || whole.after) take(tree.body, { ...options, maxNodes: 1 })

  const root = whole.scopeSelector ? findScope(document, whole.scopeSelector) : tree.body
  if (root === undefined) return failure('invalid_selector', `not a CSS selector: ${whole.scopeSelector?.slice(0, 80)}.`)
  if (root === null) return failure('scope_not_found', `nothing matches ${whole.scopeSelector?.slice(0, 80)}.`)
  if (!whole.after) return take(root, options)?.json ?? failure('snapshot_failed', 'there is nothing to look at.')
  const ref = normalizeRef(whole.after)
  if (!ref) return failure('invalid_ref', `not a ref: ${whole.after.slice(0, 40)}.`)
  const after = tree.refs.find(ref)
  return (after && take(root, options, after)?.json) ?? failure('ref_not_found', `${ref} is not in this page.`)
}

function findScope({ tree }: SnapshotDocument, scope: string): Element | null | undefined {
  const ref = normalizeRef(scope)
  return ref ? ((tree.refs.find(ref) as Element | undefined) ?? null) : selectFirst(tree.html, scope)
}

function engineOptions({ maxNodes, maxTextPerNode, interactiveOnly, includeAttrs }: ResolvedSnapshotOptions): EngineOptions {
  // somewhat more than fits, so that the renderer has something to choose from and to count
  const emitted = Math.ceil(maxNodes * 1.25)
  return { ...engineDefaults, maxNodes: emitted, maxTextPerNode, interactiveOnly, includeAttrs, maxVisits: Number.POSITIVE_INFINITY }
}

function controlRule({ candidates: { include, exclude } }: ResolvedSnapshotOptions): Pick<Scene<Node>, 'control'> | Failure {
  const [more, less] = [include ? compileSelector(include) : undefined, exclude ? compileSelector(exclude) : undefined]
  if (more === null || less === null)
    return failure('invalid_selector', `not a CSS selector: ${(more === null ? include : exclude)?.slice(0, 80)}.`)
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

import { normalizeRef } from '../../../contract/refs.ts'
import type {
  OmittedCounts,
  PageSnapshotOptions,
  RefDetail,
  Snapshot,
  SnapshotError,
  SnapshotMeta,
  SnapshotNode,
  TruncateReason,
} from '../../../contract/snapshot.ts'
import { truncateReasons } from '../../../contract/snapshot.ts'
import { snapshotJs } from '../../../webview/expressions.ts'
import { PagehandError } from '../errors.ts'
import { frameIn, offsetOf } from '../page/frames.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
import { openClosedShadowRoots } from './closed-shadow-roots.ts'
import type { RefRegistry } from './ref-registry.ts'

export interface SnapshotContext {
  readonly view: Page
  readonly book: RefRegistry
  /** where a ref of this session leads; throws for one that leads nowhere */
  find(ref: string, code?: 'scope_not_found'): { readonly world: IsolatedWorld; readonly local: string }
}

type Asked = Omit<PageSnapshotOptions, 'bridge' | 'markDom'>
type Draft<T> = { -readonly [K in keyof T]: T[K] }

/** a page of advertisements has hundreds of frames; what is beyond is counted */
const most = { frames: 20, depth: 5, frameMs: 1_500 }

/** One snapshot of all documents of a tab: a frame that its page cannot look into is asked itself, and stands where it is shown. */
export async function takeSnapshot({ view, book, find }: SnapshotContext, options: Asked): Promise<Snapshot> {
  const { scope: wanted, after: afterRef, ...plain } = options
  const scope = wanted !== undefined && normalizeRef(wanted) ? find(wanted, 'scope_not_found') : undefined
  const after = afterRef === undefined ? undefined : find(afterRef)
  const world = scope?.world ?? (await view.topWorld())
  const merged = {
    frames: 0,
    unmerged: 0,
    visited: 0,
    emitted: 0,
    reasons: new Set<TruncateReason>(),
    left: {} as Record<keyof OmittedCounts, number>,
  }
  const details: Record<string, RefDetail> = Object.create(null)

  const json = await page(world, { ...plain, ...(wanted !== undefined && { scope: scope?.local ?? wanted }) }, after)
  const { url, title } = world.frameId === view.target.targetId ? json.meta : await view.info()
  const left = { ...merged.left, frames: merged.unmerged }
  return {
    ...json,
    meta: {
      ...json.meta,
      url,
      title,
      integrity: 'verified',
      ...(view.scripts() === 'stopped' && { scripts: 'stopped' as const }),
      ...(wanted !== undefined && { scope: wanted }),
      ...(afterRef !== undefined && { after: afterRef }),
    },
    stats: {
      ...json.stats,
      nodesVisited: merged.visited,
      nodesEmitted: merged.emitted,
      truncated: merged.reasons.size > 0,
      truncateReasons: truncateReasons.filter(reason => merged.reasons.has(reason)),
      omitted: Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0)),
    },
    refs: details,
  }

  /** one document and the frames in it; with `after`, what follows that ref in document order */
  async function page(world: IsolatedWorld, asked: Asked, from: typeof after, depth = 0): Promise<Snapshot> {
    if (!from || from.world === world) return merge(world, { ...asked, ...(from && { after: from.local }) }, depth)
    // the ref is in a frame of this document: first the rest of that frame, then what follows the frame
    const chain = await pathTo(world, from.world)
    const inner = await page(chain.frame, asked, from, depth + 1)
    const rest = await merge(world, { ...asked, after: chain.local }, depth)
    return { ...rest, tree: { ...rest.tree, children: [...(inner.tree.children ?? []), ...(rest.tree.children ?? [])] } }
  }

  /** the frame of `outer` that `inner` lies in, and the ref of its element */
  async function pathTo(outer: IsolatedWorld, inner: IsolatedWorld): Promise<{ frame: IsolatedWorld; local: string }> {
    let frame = inner
    let shown = shownIn.get(frame)
    while (shown && shown.world !== outer) {
      frame = shown.world
      shown = shownIn.get(frame)
    }
    if (!shown) throw new PagehandError('ref_not_found', `${afterRef} is not below what was asked for.`)
    return { frame, local: shown.local }
  }

  async function merge(world: IsolatedWorld, asked: Asked, depth: number): Promise<Snapshot> {
    const { json, refusal } = await one(view, world, asked, depth)
    if (!json) throw refusal
    merged.visited += json.stats.nodesVisited
    merged.emitted += json.stats.nodesEmitted
    for (const reason of json.stats.truncateReasons) merged.reasons.add(reason)
    for (const [place, count] of Object.entries(json.stats.omitted ?? {}))
      merged.left[place as keyof OmittedCounts] = (merged.left[place as keyof OmittedCounts] ?? 0) + count
    for (const [local, detail] of Object.entries(json.refs)) details[book.spell(world, local)] = detail

    const frames: { node: Draft<SnapshotNode>; local: string }[] = []
    const tree = spelled(json.tree)
    const meta: SnapshotMeta = json.meta.dialog ? { ...json.meta, dialog: book.spell(world, json.meta.dialog) } : json.meta
    for (const { node, local } of frames) await graft(world, node, local, asked, depth)
    return { ...json, meta, tree }

    function spelled(node: SnapshotNode): SnapshotNode {
      const copy: Draft<SnapshotNode> = { ...node }
      if (node.ref) copy.ref = book.spell(world, node.ref)
      if (node.ref && node.states?.unreachable === 'another origin') frames.push({ node: copy, local: node.ref })
      if (node.children) copy.children = node.children.map(spelled)
      return copy
    }
  }

  async function graft(world: IsolatedWorld, node: Draft<SnapshotNode>, local: string, asked: Asked, depth: number): Promise<void> {
    const inner =
      ++merged.frames <= most.frames && depth < most.depth ? await frameIn(view, world, local).catch(() => undefined) : undefined
    if (!inner) {
      merged.unmerged++
      return
    }
    shownIn.set(inner, { world, local })
    const { scope: _, after: __, ...whole } = asked
    const rest = Math.max(50, (asked.maxNodes ?? 500) - merged.emitted)
    try {
      const json = await merge(inner, { ...whole, maxNodes: rest }, depth + 1)
      const { unreachable: ___, ...states } = node.states ?? {}
      delete node.states
      if (Object.keys(states).length) node.states = states
      const at = asked.boxes ? await between(view, world, inner) : { x: 0, y: 0 }
      node.children = (json.tree.children ?? []).map(child => moved(child, { ...at, off: node.offset ?? 0, covered: states.covered }))
    } catch (error) {
      merged.unmerged++
      const why = error instanceof PagehandError && error.code === 'page_unresponsive' ? 'it does not answer' : 'it is still loading'
      node.states = { ...node.states, unreachable: why }
    }
  }
}

/** in which document, and as which element, a frame was last seen */
const shownIn = new WeakMap<IsolatedWorld, { readonly world: IsolatedWorld; readonly local: string }>()

async function one(view: Page, world: IsolatedWorld, options: Asked, depth: number): Promise<{ json?: Snapshot; refusal?: PagehandError }> {
  const withinMs = depth ? most.frameMs : undefined
  await openClosedShadowRoots(view, world, withinMs)
  const json = JSON.parse(await view.evaluate<string>(world, snapshotJs({ ...options, markDom: false }), withinMs)) as
    | Snapshot
    | SnapshotError
  return json.ok ? { json } : { refusal: new PagehandError(json.error.code, json.error.message) }
}

async function between(view: Page, outer: IsolatedWorld, inner: IsolatedWorld): Promise<{ x: number; y: number }> {
  const [from, to] = [await offsetOf(view, outer), await offsetOf(view, inner)]
  return { x: Math.round(to.x - from.x), y: Math.round(to.y - from.y) }
}

interface Move {
  readonly x: number
  readonly y: number
  readonly off: number
  readonly covered: string | undefined
}

/** What stands in a frame stands where the frame stands. */
function moved(node: SnapshotNode, by: Move): SnapshotNode {
  const { offset: own = 0, box, states, children, ...rest } = node
  const off = own + by.off
  return {
    ...rest,
    ...(off && { offset: off }),
    ...(box && { box: [box[0] + by.x, box[1] + by.y, box[2], box[3]] as const }),
    ...((states || by.covered) && { states: { ...states, ...(by.covered && node.ref && { covered: by.covered }) } }),
    ...(children && { children: children.map(child => moved(child, by)) }),
  }
}

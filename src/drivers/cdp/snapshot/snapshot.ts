import { say, term } from '../../../contract/message.ts'
// One snapshot of all documents of a tab. The engine covers a document and its same-origin frames; a frame of another origin has its own
// engine, whose snapshot is put where the frame is.
import { normalizeRef } from '../../../contract/refs.ts'
import {
  type NodeStates,
  type OmittedCounts,
  type PageSnapshotOptions,
  type RefDetail,
  type Snapshot,
  type SnapshotError,
  type SnapshotMeta,
  type SnapshotNode,
  type TruncateReason,
  truncateReasons,
} from '../../../contract/snapshot.ts'
import type { Box } from '../../../engine/dom.ts'
import { identity, invert, type Matrix, mapBox, multiply } from '../../../engine/matrix.ts'
import { snapshotJs } from '../../../webview/expressions.ts'
import { PagehandError } from '../errors.ts'
import { frameIdIn, frameMatrix, sourceOf } from '../page/frames.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
import type { RefRegistry } from '../page/ref-registry.ts'
import { readClickListeners } from './click-listeners.ts'
import { openClosedShadowRoots } from './closed-shadow-roots.ts'
import { contradictsSnapshot } from './text-pixels.ts'
import { readPageState, rememberSnapshot, repeatSnapshot } from './unchanged-page.ts'

export interface SnapshotContext {
  readonly page: Page
  readonly refs: RefRegistry
  /** the world and the local ref of a ref of this session; fails if it is not on the page (default code: `ref_not_found`) */
  resolveRef(ref: string, code?: 'scope_not_found'): LocalRef
}

interface LocalRef {
  readonly world: IsolatedWorld
  readonly local: string
}

type FrameSnapshotOptions = Omit<PageSnapshotOptions, 'bridge' | 'markDom'>
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** pages with advertisements have hundreds of frames; the others are counted */
const maxFrames = 20
const maxDepth = 5
/** how long an inner frame may take */
const frameMs = 1_500

export async function takeSnapshot(context: SnapshotContext, options: FrameSnapshotOptions): Promise<Snapshot> {
  const { page, resolveRef } = context
  const { scope: scopeOption, after: afterRef, ...rest } = options
  const scope = scopeOption !== undefined && normalizeRef(scopeOption) ? resolveRef(scopeOption, 'scope_not_found') : undefined
  const after = afterRef === undefined ? undefined : resolveRef(afterRef)
  const world = scope?.world ?? (await page.topWorld())

  const merger = new FrameMerger(context)
  const frameOptions = { ...rest, ...(scopeOption !== undefined && { scope: scope?.local ?? scopeOption }) }
  const snapshot = after ? await merger.snapshotAfter(world, frameOptions, after) : await merger.snapshot(world, frameOptions)
  if (!snapshot) throw new PagehandError('ref_not_found', say`${{ ref: afterRef ?? '' }} is not inside the requested scope.`)
  const { url, title } = world.frameId === page.target.targetId ? snapshot.meta : await page.info()
  const tools = page.tools.names(frameId => !page.frameGuard.isRefused(frameId))
  return {
    ...snapshot,
    tree: labelRoot(page, world, snapshot.tree),
    meta: {
      ...snapshot.meta,
      url,
      title,
      integrity: 'verified',
      ...(page.scripts.state() === 'stopped' && { scripts: 'stopped' as const }),
      ...(tools.length > 0 && { tools }),
      ...(scopeOption !== undefined && { scope: scopeOption }),
      ...(afterRef !== undefined && { after: afterRef }),
    },
    stats: { ...snapshot.stats, ...merger.stats() },
    refs: merger.details,
  }
}

/** the document and the element that show a frame, from the last snapshot; lets `after` continue from inside a frame */
const frameElements = new WeakMap<IsolatedWorld, LocalRef>()

/** Merges the snapshots of frames into one, and adds up their statistics. */
class FrameMerger {
  readonly #page: Page
  readonly #refs: RefRegistry
  /** by session ref */
  readonly details: Record<string, RefDetail> = Object.create(null)
  #frames = 0
  #unmergedFrames = 0
  #nodesVisited = 0
  #nodesEmitted = 0
  readonly #truncateReasons = new Set<TruncateReason>()
  #isUnchanged = true
  readonly #omitted: Partial<Record<keyof OmittedCounts, number>> = {}

  constructor({ page, refs }: SnapshotContext) {
    this.#page = page
    this.#refs = refs
  }

  stats() {
    const omitted = { ...this.#omitted, frames: this.#unmergedFrames }
    return {
      unchanged: this.#isUnchanged,
      nodesVisited: this.#nodesVisited,
      nodesEmitted: this.#nodesEmitted,
      truncated: this.#truncateReasons.size > 0,
      truncateReasons: truncateReasons.filter(reason => this.#truncateReasons.has(reason)),
      omitted: Object.fromEntries(Object.entries(omitted).filter(([, count]) => count > 0)),
    }
  }

  /** The part of a document, frames included, that follows a ref in document order; undefined if the ref is not in it. */
  async snapshotAfter(world: IsolatedWorld, options: FrameSnapshotOptions, after: LocalRef, depth = 0): Promise<Snapshot | undefined> {
    if (after.world === world) return this.snapshot(world, { ...options, after: after.local }, depth)
    // the ref is in a frame of this document: first the rest of that frame, then what follows the frame
    const child = childFrameWith(world, after.world)
    if (!child) return undefined
    const inner = await this.snapshotAfter(child.world, options, after, depth + 1)
    const outer = await this.snapshot(world, { ...options, after: child.local }, depth)
    const innerNodes = labelFrame(this.#page, child.world, inner?.tree.children)
    return { ...outer, tree: { ...outer.tree, children: [...innerNodes, ...(outer.tree.children ?? [])] } }
  }

  /** A document and its frames. */
  async snapshot(world: IsolatedWorld, options: FrameSnapshotOptions, depth = 0): Promise<Snapshot> {
    const snapshot = await snapshotDocument(this.#page, world, options, depth === 0 ? undefined : frameMs)
    this.#addStats(snapshot.stats)
    for (const [local, detail] of Object.entries(snapshot.refs)) this.details[this.#refs.refFor(world, local)] = detail

    const frames: { node: Mutable<SnapshotNode>; local: string }[] = []
    const tree = this.#withSessionRefs(snapshot.tree, world, (node, local) => frames.push({ node, local }))
    const { dialog } = snapshot.meta
    const meta: SnapshotMeta = dialog ? { ...snapshot.meta, dialog: this.#refs.refFor(world, dialog) } : snapshot.meta
    for (const { node, local } of frames) await this.#mergeFrame(node, { world, local }, options, depth)
    return { ...snapshot, meta, tree }
  }

  #addStats({ nodesVisited, nodesEmitted, truncateReasons, omitted = {}, unchanged = false }: Snapshot['stats']): void {
    this.#isUnchanged = this.#isUnchanged && unchanged
    this.#nodesVisited += nodesVisited
    this.#nodesEmitted += nodesEmitted
    for (const reason of truncateReasons) this.#truncateReasons.add(reason)
    for (const [place, count] of Object.entries(omitted) as [keyof OmittedCounts, number][])
      this.#omitted[place] = (this.#omitted[place] ?? 0) + count
  }

  /** A copy of a tree with the refs of the session; `onFrame` receives each frame that the engine could not look into. */
  #withSessionRefs(node: SnapshotNode, world: IsolatedWorld, onFrame: (node: Mutable<SnapshotNode>, local: string) => void): SnapshotNode {
    const copy: Mutable<SnapshotNode> = { ...node }
    if (node.ref) copy.ref = this.#refs.refFor(world, node.ref)
    if (node.ref && node.states?.unreachable === 'another origin') onFrame(copy, node.ref)
    if (node.children) copy.children = node.children.map(child => this.#withSessionRefs(child, world, onFrame))
    return copy
  }

  /** Gives the node of a frame the children of the frame's own snapshot. */
  async #mergeFrame(node: Mutable<SnapshotNode>, element: LocalRef, options: FrameSnapshotOptions, depth: number): Promise<void> {
    const isWithinLimits = ++this.#frames <= maxFrames && depth < maxDepth
    const frameId = isWithinLimits ? await frameIdIn(this.#page, element.world, element.local).catch(() => undefined) : undefined
    if (frameId === undefined) {
      this.#unmergedFrames++
      return
    }
    const from = sourceOf(this.#page, frameId)
    if (from !== undefined) node.states = { ...node.states, from }
    try {
      await this.#addContent(node, { element, frameId, from }, options, depth)
      // the frame may have navigated while it was read
      if (this.#page.frameGuard.isRefused(frameId)) this.#refuse(node)
    } catch (error) {
      if (this.#page.frameGuard.isRefused(frameId)) return this.#refuse(node)
      this.#unmergedFrames++
      const isStuck = error instanceof PagehandError && error.code === 'page_unresponsive'
      node.states = { ...node.states, unreachable: isStuck ? 'it does not answer' : 'it is still loading' }
    }
  }

  async #addContent(
    node: Mutable<SnapshotNode>,
    { element, frameId, from }: { element: LocalRef; frameId: string; from: string | undefined },
    options: FrameSnapshotOptions,
    depth: number,
  ): Promise<void> {
    const frame = this.#page.worlds.get(frameId)
    if (!frame) throw new PagehandError('no_root', say`There is no document in the frame yet.`)
    frameElements.set(frame, element)
    const { scope: _, after: __, ...frameOptions } = options
    const maxNodes = Math.max(50, (options.maxNodes ?? 500) - this.#nodesEmitted)
    const { tree } = await this.snapshot(frame, { ...frameOptions, maxNodes }, depth + 1)
    const { unreachable: ___, ...states } = node.states ?? {}
    delete node.states
    if (Object.keys(states).length) node.states = states
    const matrix = options.boxes ? await matrixBetween(this.#page, element.world, frame) : identity
    const place = { matrix, offset: node.offset ?? 0, covered: states.covered, from }
    node.children = (tree.children ?? []).map(child => moveNode(child, place))
  }

  /** A frame that must not be shown has no content and no ref. */
  #refuse(node: Mutable<SnapshotNode>): void {
    this.#unmergedFrames++
    if (node.ref) delete this.details[node.ref]
    delete node.ref
    delete node.children
    node.states = { ...node.states, unreachable: 'not allowed' }
  }
}

/** A part of a frame, without the element of the frame: the nodes are in one that names the origin. */
function labelFrame(page: Page, { frameId }: IsolatedWorld, nodes: readonly SnapshotNode[] = []): readonly SnapshotNode[] {
  const from = sourceOf(page, frameId)
  return from === undefined || nodes.length === 0 ? nodes : [{ tag: 'iframe', role: 'iframe', states: { from }, children: nodes }]
}

/** The root has a line if it is an element without content, such as a button. */
function labelRoot(page: Page, world: IsolatedWorld, root: SnapshotNode): SnapshotNode {
  const from = sourceOf(page, world.frameId)
  return from === undefined ? root : { ...root, states: { ...root.states, from }, children: labelFrame(page, world, root.children) }
}

/** The frame of `outer` that contains `inner`, and the local ref of its element. */
function childFrameWith(outer: IsolatedWorld, inner: IsolatedWorld): LocalRef | undefined {
  let frame = inner
  let element = frameElements.get(frame)
  while (element && element.world !== outer) {
    frame = element.world
    element = frameElements.get(frame)
  }
  return element && { world: frame, local: element.local }
}

async function snapshotDocument(
  page: Page,
  world: IsolatedWorld,
  options: FrameSnapshotOptions,
  withinMs: number | undefined,
): Promise<Snapshot> {
  const expression = snapshotJs({ ...options, markDom: false })
  const repeated = await repeatSnapshot(page, world, expression, withinMs)
  if (repeated) return repeated
  const [hasAllRoots, hasAllListeners] = await Promise.all([openClosedShadowRoots(page, world, withinMs), readClickListeners(page, world)])
  // what happens between the two makes the counts differ next time
  const { counts } = await readPageState(page, world, withinMs)
  const take = () =>
    page.evaluate<readonly [json: string, undecided: readonly Box[]]>(world, `[${expression},__agentBrowser.textPixels.boxes()]`, withinMs)
  let [json, undecided] = await take()
  if (undecided.length > 0 && (await contradictsSnapshot(page, world, undecided))) [json, undecided] = await take()
  const snapshot = JSON.parse(json) as Snapshot | SnapshotError
  if (!snapshot.ok) throw new PagehandError(snapshot.error.code, term(snapshot.error.message), { page: snapshot.error.page })
  rememberSnapshot(world, snapshot, { key: expression, counts: hasAllRoots && hasAllListeners ? counts : undefined })
  return snapshot
}

/** maps the viewport of one frame to that of another one around it */
const matrixBetween = async (page: Page, outer: IsolatedWorld, inner: IsolatedWorld): Promise<Matrix> =>
  multiply(invert(await frameMatrix(page, outer)), await frameMatrix(page, inner))

/** The place of a frame in its document. */
interface FramePlace {
  readonly matrix: Matrix
  readonly offset: number
  readonly covered: string | undefined
  readonly from: string | undefined
}

/** A copy of a node with positions in the outer document. */
function moveNode(node: SnapshotNode, frame: FramePlace): SnapshotNode {
  const { offset: ownOffset = 0, box, states, children, ...rest } = node
  const offset = ownOffset + frame.offset
  const moved: NodeStates = {
    // a frame of the same origin inside the frame
    ...(frame.from && node.role === 'iframe' && { from: frame.from }),
    ...states,
    ...(frame.covered && node.ref && { covered: frame.covered }),
  }
  return {
    ...rest,
    ...(offset && { offset }),
    ...(box && { box: boxIn(frame.matrix, box) }),
    ...(Object.keys(moved).length > 0 && { states: moved }),
    ...(children && { children: children.map(child => moveNode(child, frame)) }),
  }
}

function boxIn(matrix: Matrix, [left, top, ...size]: NonNullable<SnapshotNode['box']>): NonNullable<SnapshotNode['box']> {
  const { x, y, width, height } = mapBox(matrix, { x: left, y: top, width: size[0], height: size[1] })
  return [Math.round(x), Math.round(y), Math.round(width), Math.round(height)]
}

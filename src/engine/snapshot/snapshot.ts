import { drawnRoles, itemRoles } from '../../contract/roles.ts'
import type { RefDetail, Snapshot, SnapshotMeta } from '../../contract/snapshot.ts'
import type { Scene } from '../dom.ts'
import type { EngineOptions } from '../options.ts'
import type { Refs } from '../refs.ts'
import { type Candidate, isScroller } from './candidate.ts'
import { collectCandidates } from './collect.ts'
import { describe, type NodeDescription } from './describe.ts'
import { markDropTargets } from './drop-targets.ts'
import { selectLines } from './select.ts'
import { type Surroundings, surroundingsOf } from './surroundings.ts'
import { topDialog } from './top-dialog.ts'
import { markVirtualScrollers } from './virtual-scrollers.ts'

export interface SnapshotContext<N extends object> {
  readonly refs: Refs<N>
  readonly meta: Omit<SnapshotMeta, 'dialog'>
  readonly clock: () => number
  /** start after this element */
  readonly after?: N
  /** nothing is marked as new in the first snapshot */
  readonly isFirst: boolean
  /** limit for the JSON of all nodes and their details */
  readonly maxBytes: number
  /** assign refs to candidates without a line too, so that refs do not depend on limits */
  readonly numberAll?: boolean
}

export interface EngineSnapshot<N> {
  readonly json: Snapshot
  /** the elements in the snapshot that have a ref, for hosts that mark them in the DOM */
  readonly marked: readonly { readonly node: N; readonly ref: string }[]
}

/** A list or table with more candidates than this gets a ref, so that it can be used as a scope. */
const maxItemsWithoutRef = 10

/** Collects candidates, selects the most important ones that fit, describes them, and assigns refs in document order. */
export function buildSnapshot<N extends object>(
  scene: Scene<N>,
  options: EngineOptions,
  context: SnapshotContext<N>,
): EngineSnapshot<N> | null {
  const { refs, meta, clock, after } = context
  const started = clock()
  const collected = collectCandidates(scene, options, clock)
  const { rootCandidate, candidates, stopReason } = collected
  const start = after === undefined ? 0 : candidates.findIndex(each => each.node === after) + 1
  if (after !== undefined && !start) return null
  if (collected.hasDraggables) markDropTargets(scene, candidates)
  markVirtualScrollers(scene, candidates)
  const dialog = topDialog(scene, collected.dialogs, candidates)
  const around = surroundingsOf(candidates)
  const { descriptions, reasons, omitted } = selectLines(scene, options, {
    ...context,
    candidates: candidates.slice(start),
    dialog,
    rootCandidate,
    around,
    deadline: started + options.maxTimeMs,
  })
  const { tree, details, marked } = buildTree(scene, options, { ...context, rootCandidate, candidates, descriptions, around })

  // what is before the start was shown by an earlier snapshot
  let texts = collected.skippedTexts.reduce((sum, position) => (position < start ? sum : sum + 1), 0)
  candidates.forEach((each, i) => {
    refs.markSeen(identityOf(each))
    // the text of an item without a line is left out too
    if (i >= start && each.kind === 'structure' && each.texts.length && !descriptions.has(each)) texts++
  })
  const truncateReasons = stopReason ? [...reasons, stopReason] : reasons
  const dialogRef = dialog && refs.of(dialog.candidate.node)
  return {
    marked,
    json: {
      ok: true,
      type: 'snapshot',
      meta: dialogRef ? { ...meta, dialog: dialogRef } : meta,
      stats: {
        nodesVisited: collected.visited,
        nodesEmitted: descriptions.size,
        truncated: truncateReasons.length > 0,
        truncateReasons,
        elapsedMs: Math.round((clock() - started) * 10) / 10,
        omitted: texts ? { ...omitted, text: texts } : omitted,
      },
      refs: details,
      tree,
    },
  }
}

interface TreeInput<N extends object> extends Pick<SnapshotContext<N>, 'refs' | 'isFirst' | 'numberAll'> {
  readonly rootCandidate: Candidate<N>
  readonly candidates: readonly Candidate<N>[]
  readonly descriptions: ReadonlyMap<Candidate<N>, NodeDescription>
  readonly around: Surroundings<N>
}

/** Puts each line under its nearest ancestor that has one, and gives it a ref. */
function buildTree<N extends object>(
  scene: Scene<N>,
  options: EngineOptions,
  { refs, isFirst, numberAll, rootCandidate, candidates, descriptions, around }: TreeInput<N>,
) {
  const details: Record<string, RefDetail> = Object.create(null)
  const marked: { node: N; ref: string }[] = []
  const assignRef = ({ node, prefix }: Candidate<N>, line: NodeDescription) => {
    const ref = refs.ensure(node, prefix)
    line.node.ref = ref
    details[ref] = line.detail
    marked.push({ node, ref })
  }
  const isPage = /^(body|frameset)$/.test(rootCandidate.tag)
  const top: NodeDescription = isPage
    ? { node: { tag: rootCandidate.tag, role: 'document' }, detail: {}, shortened: false, covered: false }
    : describe(scene, rootCandidate, options, { around })
  if (!isPage) assignRef(rootCandidate, top)
  for (const each of candidates) {
    const line = descriptions.get(each)
    if (!line) {
      if (numberAll && needsRef(each, options)) refs.ensure(each.node, each.prefix)
      continue
    }
    if (needsRef(each, options)) assignRef(each, line)
    if (!isFirst && (each.kind !== 'structure' || each.box) && !refs.wasSeen(identityOf(each))) line.node.new = true
    let ancestor = each.parent
    while (ancestor && !descriptions.has(ancestor)) ancestor = ancestor.parent
    const parent = ((ancestor && descriptions.get(ancestor)) ?? top).node
    parent.children = parent.children ?? []
    parent.children.push(line.node)
  }
  return { tree: top.node, details, marked }
}

/** A run of text is identified by its first text node, because its element may contain several runs. */
const identityOf = <N>({ kind, node, texts }: Candidate<N>): N => (kind === 'text' ? ((texts[0] as N) ?? node) : node)

const needsRef = <N>(candidate: Candidate<N>, { interactiveOnly }: EngineOptions): boolean => {
  const { kind, role, childCount, isDropTarget } = candidate
  return (
    kind !== 'text' &&
    (role !== 'item' || isDropTarget) &&
    (kind === 'control' ||
      kind === 'frame' ||
      drawnRoles.has(role) ||
      isDropTarget ||
      isScroller(candidate) ||
      !interactiveOnly ||
      /dialog$|^form$/.test(role) ||
      (kind === 'structure' && childCount > maxItemsWithoutRef && !itemRoles.has(role)))
  )
}

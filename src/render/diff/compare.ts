import { itemRoles } from '../../contract/roles.ts'
import type { ParsedNode, ParsedSnapshot } from '../decode/snapshot.ts'
import type { RenderNode } from '../text/passes.ts'
import { changeEntry, type DiffEntry, type DiffRemark, presenceEntry } from './entries.ts'
import { type DiffNode, diffNodes, nodesInOrder, plainContainers } from './nodes.ts'
import { type OrderChange, reorderedNodes } from './order.ts'
import { windowsOf } from './snapshot-window.ts'

/** The difference of two snapshots as data; `diff.ts` and the surfaces make text of it. */
export interface Comparison {
  readonly before: ParsedSnapshot
  readonly after: ParsedSnapshot
  /** appeared, then changed, then vanished ones */
  readonly entries: readonly DiffEntry[]
  readonly remark?: DiffRemark
  readonly reordered?: OrderChange
}

/**
 * Elements are matched by ref and texts by their content. `uncovered` is the page as it was before the dialog of `before` opened: what was
 * there then has not appeared because the dialog closed.
 */
export function compareSnapshots(before: ParsedSnapshot, after: ParsedSnapshot, uncovered?: ParsedSnapshot): Comparison {
  // a dialog that opens hides the page and one that closes shows it again: nothing appeared or vanished because of that
  const opened = hasModalDialog(after) && after.meta.dialog !== before.meta.dialog ? after.meta.dialog : undefined
  const closed = hasModalDialog(before) && after.meta.dialog === undefined
  const [inDialog, present] = [diffNodes(before), diffNodes(after)]
  const behind = closed && uncovered ? withoutPartner(diffNodes(uncovered), inDialog) : []
  const past = [...behind, ...inDialog]
  const pastByKey = new Map(past.map(each => [each.key, each]))
  const [refsBefore, refsAfter] = [refsIn(before), refsIn(after)]
  const changed = present.flatMap(each => {
    const was = pastByKey.get(each.key)
    return changeOf(was?.node, each, was && movedInto(was, each, { refsBefore, refsAfter }))
  })
  const unmatched = withoutSameContent(withoutPartner(past, present), withoutPartner(present, past))
  const { altered, ...presence } = withoutContainers(unmatched, before, after)
  const windows = windowsOf(before, after)
  const isInBoth = ({ node }: DiffNode) => windows?.isInBoth(node) ?? true
  const [missing, extra] = [presence.gone.filter(isInBoth), presence.come.filter(isInBoth)]
  // a dialog has its own remark
  const isSameDialog = opened === undefined && !closed
  const covered = isSameDialog ? onlyCovered(missing, before, after) : []
  const shown = isSameDialog ? onlyCovered(extra, after, before) : []
  const [gone, come] = [withoutCovered(missing, covered), withoutCovered(extra, shown)]
  const appeared = closed && !uncovered ? come.filter(({ node }) => node.new) : come
  const remark = remarkOn(gone, { before, after, opened })
  const vanished = remark?.kind === 'behindDialog' || remark?.kind === 'behindOrGone' ? [] : gone
  const entries = [...appearedEntries(appeared), ...changed, ...altered, ...vanished.map(each => presenceEntry('vanished', each))]
  const back = come.length - appeared.length + withoutPartner(behind, gone).length
  const said: DiffRemark | undefined =
    closed && back > 0
      ? { kind: 'back', count: back }
      : covered.length + shown.length > 0
        ? { kind: covered.length > 0 ? 'covered' : 'uncovered', count: covered.length + shown.length }
        : remark
  const reordered = isSameDialog ? reorderedNodes(nodesInOrder(before), nodesInOrder(after)) : undefined
  return { before, after, entries, ...(said && { remark: said }), ...(reordered && { reordered }) }
}

/** What is known about the nodes that are missing in the later snapshot. */
function remarkOn(
  gone: readonly DiffNode[],
  { before, after, opened }: Pick<Comparison, 'before' | 'after'> & { readonly opened: string | undefined },
): DiffRemark | undefined {
  if (gone.length === 0) return undefined
  if (opened !== undefined) {
    // containers are not among the counts of a snapshot
    const missing = gone.filter(({ node }) => node.interactive || /^(text|heading)$/.test(node.role)).length
    const goneForSure = missing + leftOut(before) - leftOut(after)
    if (goneForSure <= 0) return { kind: 'behindDialog', count: gone.length, dialog: opened }
    if (goneForSure < missing) return { kind: 'behindOrGone', count: gone.length, dialog: opened }
  }
  // a snapshot that was cut shows less than there is, so a missing element need not be gone
  return after.stats.truncated && !before.stats.truncated ? { kind: 'laterSnapshotCut' } : undefined
}

const hasModalDialog = ({ meta, stats }: ParsedSnapshot): boolean => meta.dialog !== undefined && (stats.omitted?.inert ?? 0) > 0

const leftOut = ({
  stats: { omitted: { above = 0, below = 0, beside = 0, covered = 0, concealed = 0, inert = 0 } = {} },
}: ParsedSnapshot): number => above + below + beside + covered + concealed + inert

const coveredTexts = ({ stats }: ParsedSnapshot): number => stats.omitted?.coveredText ?? 0

/** The texts that are in one snapshot only, if the other one counts at least as many more that are covered. */
function onlyCovered(nodes: readonly DiffNode[], inside: ParsedSnapshot, other: ParsedSnapshot): readonly DiffNode[] {
  const texts = nodes.filter(({ node }) => node.text && !node.interactive && !liveRoles.has(node.role))
  return texts.length <= coveredTexts(other) - coveredTexts(inside) ? texts : []
}

/** A container of which every text is covered has no line either. */
const withoutCovered = (nodes: readonly DiffNode[], covered: readonly DiffNode[]): readonly DiffNode[] =>
  nodes.filter(each => !covered.some(({ row, ancestors }) => row === each.row || (!each.node.interactive && ancestors.includes(each.row))))

/** The nodes of one side that have no partner on the other, one for one. */
function withoutPartner(side: readonly DiffNode[], other: readonly DiffNode[]): readonly DiffNode[] {
  const partners = new Map<string, number>()
  for (const { key } of other) partners.set(key, (partners.get(key) ?? 0) + 1)
  return side.filter(({ key }) => {
    const count = partners.get(key) ?? 0
    partners.set(key, count - 1)
    return count <= 0
  })
}

/**
 * Drops what is still there but written otherwise: a part of the page has a ref only while it is large, and a text is on its own line or on
 * that of the element around it. Two refs are two elements, and a message says something new even in old words.
 */
function withoutSameContent(past: readonly DiffNode[], present: readonly DiffNode[]): UnmatchedNodes {
  const contentOf = ({ node }: DiffNode) => (node.interactive || liveRoles.has(node.role) ? '' : node.name || node.text)
  const pastByContent = new Map<string, DiffNode[]>()
  for (const each of past) {
    const content = contentOf(each)
    if (content) pastByContent.set(content, [...(pastByContent.get(content) ?? []), each])
  }
  const matched = new Set<DiffNode>()
  const come = present.filter(each => {
    const was = pastByContent.get(contentOf(each))?.find(other => !matched.has(other) && !(other.node.ref && each.node.ref))
    if (was) matched.add(was)
    return !was
  })
  return { gone: past.filter(each => !matched.has(each)), come }
}

/**
 * A container without words of its own has no line, so one that gets or loses words has a line in only one of the snapshots; it is in both.
 */
function withoutContainers({ gone, come }: UnmatchedNodes, before: ParsedSnapshot, after: ParsedSnapshot) {
  const [containersBefore, containersAfter] = [plainContainers(before), plainContainers(after)]
  const altered = [
    ...come.flatMap(is => changeOf(containersBefore.get(is.key)?.node, is)),
    ...gone.flatMap(was => {
      const is = containersAfter.get(was.key)
      return is ? changeOf(was.node, is) : []
    }),
  ]
  return { gone: gone.filter(({ key }) => !containersAfter.has(key)), come: come.filter(({ key }) => !containersBefore.has(key)), altered }
}

interface UnmatchedNodes {
  readonly gone: readonly DiffNode[]
  readonly come: readonly DiffNode[]
}

const changeOf = (was: RenderNode | undefined, is: DiffNode, into?: string): readonly DiffEntry[] =>
  (was && is.node.ref && [changeEntry(is.node.ref, was, is, into)].filter(entry => entry !== undefined)) || []

function refsIn({ tree }: ParsedSnapshot): ReadonlySet<string> {
  const refs = new Set<string>()
  const visit = ({ ref, children }: ParsedNode): void => {
    if (ref !== undefined) refs.add(ref)
    for (const child of children) visit(child)
  }
  visit(tree)
  return refs
}

/** The element that contains a control now and did not before, if both this one and the one that it left are in both snapshots. */
function movedInto(
  was: DiffNode,
  is: DiffNode,
  { refsBefore, refsAfter }: { readonly refsBefore: ReadonlySet<string>; readonly refsAfter: ReadonlySet<string> },
): string | undefined {
  if (!is.node.interactive) return undefined
  const hasLeft = was.containers.some(ref => refsAfter.has(ref) && !is.containers.includes(ref))
  return hasLeft ? is.containers.find(ref => refsBefore.has(ref) && !was.containers.includes(ref)) : undefined
}

const liveRoles = new Set(['alert', 'alertdialog', 'dialog', 'status', 'log'])

/** An entry is indented below the entry of the element around it, if that appeared too. */
function appearedEntries(appeared: readonly DiffNode[]): readonly DiffEntry[] {
  const levels = new Map<number, { readonly level: number; readonly role: string }>()
  return appeared.map(each => {
    const row = each.ancestors.find(ancestor => levels.has(ancestor))
    const around = row === undefined ? undefined : levels.get(row)
    const level = around ? around.level + 1 : 0
    // the line of the root is only its first text
    if (each.node.role !== 'document') levels.set(each.row, { level, role: each.node.role })
    // below the line of its item a control needs no place
    return presenceEntry('appeared', around && itemRoles.has(around.role) ? { ...each, place: '' } : each, level)
  })
}

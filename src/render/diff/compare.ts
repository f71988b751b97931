import type { ParsedSnapshot } from '../decode/snapshot.ts'
import { changeEntry, type DiffEntry, type DiffRemark, presenceEntry } from './entries.ts'
import { type DiffNode, diffNodes } from './nodes.ts'

/** The difference of two snapshots as data; `diff.ts` and the surfaces make text of it. */
export interface Comparison {
  readonly before: ParsedSnapshot
  readonly after: ParsedSnapshot
  /** changed, then appeared, then vanished ones */
  readonly entries: readonly DiffEntry[]
  readonly remark?: DiffRemark
}

/** Elements are matched by ref and texts by their content. */
export function compareSnapshots(before: ParsedSnapshot, after: ParsedSnapshot): Comparison {
  const [past, present] = [diffNodes(before), diffNodes(after)]
  const pastByKey = new Map(past.map(each => [each.key, each]))
  const changed = present.flatMap(each => {
    const was = pastByKey.get(each.key)
    return (was && each.node.ref && changeEntry(each.node.ref, was.node, each)) || []
  })
  // a dialog that opens hides the page and one that closes shows it again: nothing appeared or vanished because of that
  const opened = hasModalDialog(after) && after.meta.dialog !== before.meta.dialog ? after.meta.dialog : undefined
  const closed = hasModalDialog(before) && after.meta.dialog === undefined
  const unmatchedNow = withoutPartner(present, past)
  const unmatchedBefore = withoutPartner(past, present)
  const appeared = closed ? unmatchedNow.filter(({ node }) => node.new) : unmatchedNow
  const vanished = opened === undefined ? unmatchedBefore : []
  const entries = [
    ...changed,
    ...appeared.map(each => presenceEntry('appeared', each)),
    ...vanished.map(each => presenceEntry('vanished', each)),
  ]
  const withRemark = (remark: DiffRemark): Comparison => ({ before, after, entries, remark })
  if (opened !== undefined) return withRemark({ kind: 'behindDialog', count: unmatchedBefore.length, dialog: opened })
  if (closed) return withRemark({ kind: 'reachableAgain', count: unmatchedNow.length - appeared.length })
  // a snapshot that was cut shows less than there is, so a missing element need not be gone
  if (after.stats.truncated && vanished.length > 0 && !before.stats.truncated) return withRemark({ kind: 'laterSnapshotCut' })
  return { before, after, entries }
}

const hasModalDialog = ({ meta, stats }: ParsedSnapshot): boolean => meta.dialog !== undefined && (stats.omitted?.inert ?? 0) > 0

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

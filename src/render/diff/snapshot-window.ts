// A snapshot that was cut contains what is near the viewport. After scrolling, the next one contains another part of the page: an element
// that is in only one of them need not have appeared or vanished.
import { keepDistance } from '../../contract/importance.ts'
import type { TruncateReason } from '../../contract/snapshot.ts'
import type { ParsedNode, ParsedSnapshot } from '../decode/snapshot.ts'

/** What two snapshots of a page that were cut have in common. */
export interface SnapshotWindows {
  /** the snapshots contain different parts of the page */
  readonly areApart: boolean
  /** Whether an element of one snapshot would be in the other one too if it was on the page then. */
  isInBoth(node: Pick<ParsedNode, 'offset' | 'tag'>): boolean
}

const limits: ReadonlySet<TruncateReason> = new Set<TruncateReason>(['maxNodes', 'maxJsonBytes', 'maxTime'])
const isCut = ({ stats }: ParsedSnapshot): boolean => stats.truncateReasons.some(reason => limits.has(reason))

/** undefined if a snapshot contains the whole page. */
export function windowsOf(before: ParsedSnapshot, after: ParsedSnapshot): SnapshotWindows | undefined {
  if (!isCut(before) || !isCut(after)) return undefined
  const scrolled = Math.abs((after.meta.scroll?.y ?? 0) - (before.meta.scroll?.y ?? 0))
  const reach = Math.min(reachOf(before.tree), reachOf(after.tree))
  return {
    areApart: scrolled > reach / 2,
    isInBoth: ({ offset = 0, tag }) => keepDistance(offset, tag) + scrolled < reach,
  }
}

/** How far from the viewport the elements of a snapshot are at most. */
const reachOf = (node: ParsedNode): number =>
  node.children.reduce((most, child) => Math.max(most, reachOf(child)), keepDistance(node.offset ?? 0, node.tag))

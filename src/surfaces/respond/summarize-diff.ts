import { diffLines, type FittedDiff } from '../../render/diff/diff.ts'
import { note, type RefStyle } from '../../render/text/dialect.ts'

const maxVanished = 3

/** The part of a difference that is worth reporting after an action. */
export interface DiffSummary extends FittedDiff {
  /** vanished entries that are only counted */
  readonly vanishedCount: number
}

/**
 * Drops where the focus came from, and that it is on the element of the action. After the first few vanished elements the others are only
 * counted, because nothing can be done with them.
 */
export function summarizeDiff(diff: FittedDiff, actionRef: string | undefined): DiffSummary {
  const entries = diff.entries.filter(({ ref, focus }) => focus !== 'lost' && !(focus === 'gained' && ref === actionRef))
  const vanished = entries.filter(({ kind }) => kind === 'vanished')
  if (vanished.length <= maxVanished + 1) return { ...diff, entries, vanishedCount: 0 }
  const counted = new Set(vanished.slice(maxVanished))
  const { changed, appeared } = diff.omitted
  return {
    ...diff,
    entries: entries.filter(entry => !counted.has(entry)),
    omitted: { changed, appeared, vanished: 0 },
    truncated: changed + appeared > 0,
    vanishedCount: counted.size + diff.omitted.vanished,
  }
}

export const summaryLines = (summary: DiffSummary, refs: RefStyle): readonly string[] => [
  ...diffLines(summary, refs),
  ...(summary.vanishedCount > 0 ? [note(`${summary.vanishedCount} more vanished`)] : []),
]

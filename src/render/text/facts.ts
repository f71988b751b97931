import type { OmittedCounts, SnapshotMeta, TruncateReason } from '../../contract/snapshot.ts'

/** What the header says about a rendering. */
export interface Facts {
  readonly meta: SnapshotMeta
  readonly nodes: number
  readonly emitted: number
  readonly left: number
  readonly places: OmittedCounts
  readonly truncated: boolean
  readonly reasons: readonly TruncateReason[]
  /** nothing is missing: neither cut, folded, shortened nor left out by the page */
  readonly complete: boolean
  readonly maxCharsTotal: number
}

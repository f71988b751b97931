import type { Left, Meta, Reason } from '../../contract/snapshot.ts'

/** What the header says about a rendering. */
export interface Facts {
  readonly meta: Meta
  readonly nodes: number
  readonly emitted: number
  readonly left: number
  readonly places: Left
  readonly truncated: boolean
  readonly reasons: readonly Reason[]
  /** nothing is missing: neither cut, folded, shortened nor left out by the page */
  readonly complete: boolean
  readonly maxCharsTotal: number
}

import type { Failure } from './failures.ts'
import type { TruncateReason } from './snapshot.ts'

export type SnapshotFormat = 'tree' | 'lines' | 'flat' | 'json'

/** How much text a rendering may take, and in which form. */
export interface RenderOptions {
  readonly maxCharsTotal?: number
  readonly maxNodes?: number
  readonly maxDepth?: number
  readonly maxTextPerNode?: number
  /** drop structure that holds neither a ref nor text, unwrap lone wrappers, fold long runs of alike siblings */
  readonly compact?: boolean
  readonly format?: SnapshotFormat
}

export const renderDefaults = {
  maxCharsTotal: 12_000,
  maxNodes: 200,
  maxDepth: 12,
  maxTextPerNode: 200,
  compact: true,
  format: 'tree',
} as const satisfies Required<RenderOptions>

/** below this no header, no line and no footer fit together */
export const minChars = 200
/** no caller, and no model, can ask for more than this in one answer */
export const maxChars = 100_000

export interface RenderResult {
  readonly text: string
  /** the refs that stand in the text, in their order there */
  readonly refs: readonly string[]
  readonly stats: RenderStats
  readonly truncated: boolean
  readonly truncateReasons: readonly TruncateReason[]
  /** there is no page to show: the text says why, and refs are empty */
  readonly error?: Failure
}

export interface RenderStats {
  readonly chars: number
  readonly nodesSeen: number
  readonly nodesRendered: number
  /** nodes that a fold line stands for */
  readonly nodesFolded: number
  /** nodes that no line stands for */
  readonly nodesOmitted: number
}

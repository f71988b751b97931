import type { Failure } from './failures.ts'
import type { TruncateReason } from './snapshot.ts'

/**
 * The forms in which a snapshot is rendered: an indented `tree`, `lines` without levels, a `flat` numbered list, or `json`.
 *
 * @example
 * const format: SnapshotFormat = 'tree' // - button "Save" [ref=e12]
 */
export type SnapshotFormat = 'tree' | 'lines' | 'flat' | 'json'

/**
 * How much text a rendering may take, and in which form.
 *
 * @example
 * AgentBrowser.renderSnapshot(json, { maxCharsTotal: 4_000, format: 'lines' })
 */
export interface RenderOptions {
  /** A hard limit: the text is never longer. @default 12000 */
  readonly maxCharsTotal?: number
  /** @default 200 */
  readonly maxNodes?: number
  /** Deeper nodes are printed at this level. @default 12 */
  readonly maxDepth?: number
  /** @default 200 */
  readonly maxTextPerNode?: number
  /** Drops structure without a ref or text, unwraps wrappers with a single child, and folds long runs of similar siblings. @default true */
  readonly compact?: boolean
  /** @default 'tree' */
  readonly format?: SnapshotFormat
  /** For a first look: the banner, navigation and footer come last if space is short, and named links have no href. @default false */
  readonly summary?: boolean
  /** The first line, with the URL, the title and the counts. JSON always has it. @default true */
  readonly header?: boolean
}

/**
 * The options of a rendering that does not set them.
 *
 * @example
 * const budget = renderDefaults.maxCharsTotal // 12000
 */
export const renderDefaults = {
  maxCharsTotal: 12_000,
  maxNodes: 200,
  maxDepth: 12,
  maxTextPerNode: 200,
  compact: true,
  format: 'tree',
  summary: false,
  header: true,
} as const satisfies Required<RenderOptions>

/**
 * The smallest budget that can be asked for: a header, one line and a footer need about this much.
 *
 * @example
 * const maxCharsTotal = Math.max(minChars, room)
 */
export const minChars = 200

/** Answers with text of the page may always have this many characters: smaller budgets have no room for the fence (TRUST A2). */
export const minFencedChars = 400

/**
 * The largest budget that can be asked for in one call.
 *
 * @example
 * const maxCharsTotal = Math.min(maxChars, room)
 */
export const maxChars = 100_000

/**
 * A snapshot as text for a model.
 *
 * @example
 * const { text, refs, truncated } = AgentBrowser.renderSnapshot(json)
 */
export interface RenderResult {
  readonly text: string
  /** The refs in the text, in the order in which they appear. */
  readonly refs: readonly string[]
  readonly stats: RenderStats
  readonly truncated: boolean
  readonly truncateReasons: readonly TruncateReason[]
  /** Set if there is no page to render; the text then contains the error, and refs is empty. */
  readonly error?: Failure
}

/**
 * Counts of a rendering.
 *
 * @example
 * const { chars, nodesOmitted } = AgentBrowser.renderSnapshot(json).stats
 */
export interface RenderStats {
  readonly chars: number
  readonly nodesSeen: number
  readonly nodesRendered: number
  /** Nodes that are summarized by a fold line. */
  readonly nodesFolded: number
  /** Nodes that do not appear in the text at all. */
  readonly nodesOmitted: number
}

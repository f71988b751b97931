import type { SnapshotFormat } from '../../contract/limits.ts'
import type { AbortSignalLike, AnyRun } from '../../contract/run.ts'
import type { Policy } from '../../policy/command-policy.ts'
import type { Dialect } from '../../render/text/dialect.ts'
import type { Answer, SavedScreenshot } from './answer.ts'
import type { Conversation } from './conversation.ts'

/** Options of `createResponder`. */
export interface ResponderOptions {
  /**
   * `evaluate` runs code of the model in the page
   * @default false
   */
  readonly allowEval?: boolean
  /** refuses the commands that it denies; the tools do not offer them */
  readonly policy?: Policy
  /** saves a screenshot and returns its path */
  readonly saveScreenshot?: (picture: SavedScreenshot, label: string | undefined) => Promise<string>
  /**
   * false: no difference after an action, so no snapshot is taken for it
   * @default true
   */
  readonly diff?: boolean
  /**
   * of snapshots and of the elements that `observe` finds
   * @default 'tree'
   */
  readonly format?: SnapshotFormat
  /** how the caller spells options and refs; default: the names of the command's arguments */
  readonly dialect?: Dialect
  /** the word of each fence; default: random */
  readonly word?: () => string
}

/** Options of one call of a responder. */
export interface RespondOptions {
  readonly signal?: AbortSignalLike | undefined
  /** overrides the format of the responder for a snapshot */
  readonly format?: SnapshotFormat
  /** of a snapshot */
  readonly maxNodes?: number
  /** the caller saves the screenshot itself, to this file */
  readonly screenshotFile?: string
}

/** Everything a formatter needs besides the command and its result. */
export interface ResponseContext {
  readonly run: AnyRun
  readonly conversation: Conversation
  readonly options: ResponderOptions
  readonly request: RespondOptions
  readonly dialect: Dialect
  readonly fenceWord: string
}

export interface FormattedAnswer {
  readonly answer: Answer
  /** equal for answers that say the same: without the fence word, and without the focus that a click merely brings along */
  readonly fingerprint: string
}

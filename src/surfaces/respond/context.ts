import type { SnapshotFormat } from '../../contract/limits.ts'
import type { AbortSignalLike, AnyRun } from '../../contract/run.ts'
import type { RunLimits } from '../../layers/limits.ts'
import type { Policy } from '../../policy/command-policy.ts'
import type { Dialect } from '../../render/text/dialect.ts'
import type { Answer, SavedScreenshot } from './answer.ts'
import type { Conversation } from './conversation.ts'

/**
 * Options of `createResponder`.
 *
 * @example
 * createResponder(session.run, { format: 'flat', diff: false })
 */
export interface ResponderOptions {
  /** Allows `evaluate`, which runs code of the model in the page. @default false */
  readonly allowEval?: boolean
  /** Refuses the commands that it denies. */
  readonly policy?: Policy
  /** Ends the session when it is used up: calls, time, and characters of the answers. @default no limits */
  readonly limits?: RunLimits
  /** Saves a screenshot and returns its path. @default screenshots are not saved */
  readonly saveScreenshot?: (picture: SavedScreenshot, label: string | undefined) => Promise<string>
  /** Reports what an action changed and which page a navigation led to, which costs a snapshot. @default true */
  readonly diff?: boolean
  /** Shortens a repeated answer and refuses an action that was repeated without effect. For models; people repeat on purpose. @default true */
  readonly loopGuard?: boolean
  /** The part of a new page that is described. @default 'all' */
  readonly viewport?: 'all' | 'visible'
  /** The form of snapshots and of the elements that `observe` finds. @default 'tree' */
  readonly format?: SnapshotFormat
  /** What the model is to do. The answer about a new page that is too long names the controls that match it. @default '' */
  readonly task?: string
  /** How the caller spells options and refs. @default the names of the command's arguments */
  readonly dialect?: Dialect
  /** Returns the word of a fence, which the page must not be able to guess. Required for safety where there is no `crypto`. @default 16 random characters */
  readonly word?: () => string
}

/**
 * Options of one call of a responder.
 *
 * @example
 * await respond({ name: 'snapshot' }, { format: 'lines', maxNodes: 50 })
 */
export interface RespondOptions {
  readonly signal?: AbortSignalLike | undefined
  /** The form of a snapshot. @default the format of the responder */
  readonly format?: SnapshotFormat
  /** The maximum number of lines of a snapshot. @default 200 */
  readonly maxNodes?: number
  /** The file to which the caller itself saves a screenshot; the answer names it. */
  readonly screenshotFile?: string
  /** The answer is for a program: it has the data of the result, and a snapshot in the format `json` is JSON without a fence. @default false */
  readonly forProgram?: boolean
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

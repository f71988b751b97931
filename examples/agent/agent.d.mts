import type { Session } from 'pagehand/browser'

export interface PerformOptions {
  /** The base URL of a Chat Completions API (without /chat/completions), a model name and an API key. */
  readonly model: { readonly url: string; readonly name: string; readonly key: string }
  /** The folder for the evidence of runs. */
  readonly folder: string
  /** Maximum number of turns. @default 15 */
  readonly maxSteps?: number
  /** An open session. By default, one is opened and closed. */
  readonly session?: Session
  /** Text that must not appear in the evidence, such as a password in the task. */
  readonly secrets?: readonly string[]
  /** Assertions about the outcome, evaluated while the page is still open. */
  readonly check?: (text: string, session: Session) => Promise<readonly (readonly [assertion: string, holds: boolean])[]>
}

export interface PerformResult {
  readonly text: string
  /** The folder of this run, with events.jsonl, frames, snapshots, meta.json and report.html. */
  readonly folder: string
  readonly report: string
}

export function perform(task: string, options: PerformOptions): Promise<PerformResult>

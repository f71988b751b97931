import type { Session } from 'pagehand/browser'

export interface Performing {
  /** an endpoint that speaks Chat Completions, up to and without /chat/completions */
  readonly model: { readonly url: string; readonly name: string; readonly key: string }
  /** the folder that keeps the evidence of runs */
  readonly shelf: string
  /** turns of the model; 15 unless given */
  readonly maxSteps?: number
  /** opened and closed here unless given */
  readonly session?: Session
  /** words of the task that the evidence must not show, such as a password */
  readonly secrets?: readonly string[]
  /** what must be true in the end, asked while the page is still open */
  readonly check?: (text: string, session: Session) => Promise<readonly (readonly [says: string, held: boolean])[]>
}

export interface Performed {
  readonly text: string
  /** events.jsonl, frames, snapshots, meta.json and report.html */
  readonly folder: string
  readonly report: string
}

export function perform(task: string, performing: Performing): Promise<Performed>

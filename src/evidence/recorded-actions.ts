import type { Failure } from '../contract/failures.ts'
import type { LogEntry } from '../contract/journal.ts'
import { say } from '../contract/message.ts'
import { fail, ok, type Result } from '../contract/run.ts'

interface RecordedAction {
  readonly step: number
  readonly commandHash: string
  result?: LogEntry
}

/** The actions in the log of a run, by id. */
export class RecordedActions {
  readonly #actions = new Map<string, RecordedAction>()
  readonly #bySteps = new Map<unknown, RecordedAction>()
  #lastStep = 0

  add(entry: LogEntry): void {
    // the step of a turn counts answers of the model, not actions
    if (typeof entry.step === 'number' && entry.type !== 'agent.turn') this.#lastStep = Math.max(this.#lastStep, entry.step)
    if (entry.type === 'command') {
      const action: RecordedAction = { step: Number(entry.step), commandHash: String(entry.commandHash ?? '') }
      this.#bySteps.set(entry.step, action)
      if (typeof entry.actionId === 'string') this.#actions.set(entry.actionId, action)
    }
    if (entry.type === 'result') {
      const action = this.#bySteps.get(entry.step)
      if (action) action.result = entry
    }
  }

  /** the number of the next step */
  nextStep(): number {
    return ++this.#lastStep
  }

  get(actionId: string): RecordedAction | undefined {
    return this.#actions.get(actionId)
  }

  resultOf(actionId: string): Result | 'outcome_unknown' | undefined {
    const action = this.#actions.get(actionId)
    if (!action) return undefined
    return action.result ? toResult(action.result) : 'outcome_unknown'
  }
}

/** What the caller got for an action, as far as it is in the log. */
function toResult({ ok: succeeded, page, effect, settled, pending, notes, tabs, value, truncated, error }: LogEntry): Result {
  if (succeeded !== true) {
    const failure = error as Failure | undefined
    return failure ? { ok: false, error: failure } : fail('outcome_unknown', say`The result of this action was not recorded.`)
  }
  const told = Array.isArray(notes) ? notes : []
  return ok({
    ...(effect !== undefined && { effect, trusted: true }),
    ...(settled !== undefined && { settled }),
    ...(pending !== undefined && { pending }),
    ...(tabs !== undefined && { tabs }),
    ...(value !== undefined && { value, truncated: truncated === true }),
    ...(page !== undefined && { page: { ...unknownPage, ...(page as object) } }),
    notes: [...told, 'This action was done earlier in this run; this is its recorded result, and nothing was done now.'],
  })
}

const unknownPage = { title: '', readyState: 'complete', viewport: { width: 0, height: 0 }, scroll: { x: 0, y: 0, height: 0 } }

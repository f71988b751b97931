import type { LogEntry } from '../contract/journal.ts'
import { lostAnswer, type TranscriptCall } from './transcript.ts'

/** What the log says about a call whose process ended before its answer was written. The intent of every action is in it before the action. */
export class OpenCall {
  readonly #call: TranscriptCall
  readonly #begun = new Map<unknown, string>()
  readonly #carriedOut: string[] = []
  #request: string | undefined

  constructor(call: TranscriptCall) {
    this.#call = call
  }

  add(event: LogEntry): void {
    if (event.type === 'command') this.#begun.set(event.step, String(event.verb))
    if (event.type === 'result' && this.#begun.has(event.step)) {
      this.#carriedOut.push(this.#begun.get(event.step) as string)
      this.#begun.delete(event.step)
    }
    if (event.type === 'approval.requested') this.#request = String(event.approval)
    if (event.type === 'command' || event.type === 'approval.decided') this.#request = undefined
  }

  /** Gives a call without an answer one that the model can read instead. */
  endWithProcess(): void {
    this.#call.answer ??= { ok: false, text: this.#answer() }
  }

  #answer(): string {
    if (this.#begun.size > 0) return lostAnswer
    const before = this.#carriedOut.length > 0 ? ` Carried out before: ${this.#carriedOut.slice(-10).join(', ')}.` : ''
    if (this.#request !== undefined)
      return `approval_required: the program ended while a person was asked: request ${this.#request}. The action was not performed.${before}`
    return before ? `${lostAnswer}${before}` : 'aborted: the program ended before the call did anything.'
  }
}

import type { DriverVerb } from '../../../contract/command-inputs.generated.ts'
import { commands } from '../../../contract/commands.ts'
import { createEmitter } from '../emitter.ts'

/** actions of one step of an agent, such as the fields of a form, follow each other faster than this */
const restMs = 100
/** people who watch get pictures after this time, also if actions go on, for at least `showMs` */
const maxBusyMs = 500
const showMs = 200

/** Whether the browser should leave the processor to actions instead of making pictures. */
export class CommandActivity {
  readonly #changes = createEmitter<boolean>()
  #running = 0
  #isBusy = false
  #timer: NodeJS.Timeout | undefined
  #limit: NodeJS.Timeout | undefined
  #shownUntil = Number.NEGATIVE_INFINITY

  /** Whether an action is being carried out, or was a moment ago. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  onChange(listener: (isBusy: boolean) => void): () => void {
    return this.#changes.on(listener)
  }

  async during<Value>(verb: DriverVerb, work: () => Promise<Value>): Promise<Value> {
    // while a page loads or something is awaited, people want to see it; and what they point at is read by commands, too
    if (commands[verb].risk !== 'act') return work()
    this.#begin()
    try {
      return await work()
    } finally {
      this.#end()
    }
  }

  #begin(): void {
    this.#running++
    clearTimeout(this.#timer)
    if (this.#isBusy || performance.now() < this.#shownUntil) return
    this.#set(true)
    this.#limit = setTimeout(() => {
      this.#shownUntil = performance.now() + showMs
      this.#set(false)
    }, maxBusyMs).unref()
  }

  #end(): void {
    if (--this.#running > 0) return
    this.#timer = setTimeout(() => this.#set(false), restMs).unref()
  }

  #set(isBusy: boolean): void {
    clearTimeout(this.#limit)
    if (this.#isBusy === isBusy) return
    this.#isBusy = isBusy
    this.#changes.emit(isBusy)
  }
}

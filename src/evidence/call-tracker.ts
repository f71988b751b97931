import { typedMark } from '../contract/typed-text.ts'
import type { StepEvent } from '../layers/evidence.ts'
import type { ToolEvent } from './tools.ts'

/** Assigns steps to the tool call that caused them, and knows whether the page shows every word that the call typed. */
export class CallTracker {
  #call = 0
  #typed = 0
  #shown = 0

  /** the field that assigns an event to the current call; empty between calls */
  get field(): { readonly call?: number } {
    return this.#call > 0 ? { call: this.#call } : {}
  }

  onToolEvent({ type, call }: ToolEvent): void {
    this.#call = type === 'tool.call' ? call : 0
    this.#typed = 0
    this.#shown = 0
  }

  onStep(event: StepEvent): void {
    if (event.type === 'command' && Object.values(event.arguments).includes(typedMark)) this.#typed++
    // the layer adds the arguments to a result only if the page shows them
    if (event.type === 'result' && event.arguments) this.#shown++
  }

  isShown(call: number): boolean {
    return this.#call === call && this.#typed > 0 && this.#shown === this.#typed
  }
}

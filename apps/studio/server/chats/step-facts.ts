import type { ActionData, PageData, Result } from 'pagehand/tools'
import type { StepOutcome } from 'pagehand/wire'

/** Collects what came of a step: from the results of its commands, and from the text that the model got. */
export class StepFacts {
  #outcome: StepOutcome = {}
  /** the screenshot after its last action */
  frame: string | undefined

  get outcome(): StepOutcome {
    return this.#outcome
  }

  addResult(verb: string, result: Result): void {
    if (!result.ok) return
    const { effect } = (result.data ?? {}) as Partial<ActionData>
    if (effect) {
      const fields = (this.#outcome.fields ?? 0) + (fieldVerbs.has(verb) ? 1 : 0)
      this.#outcome = { ...this.#outcome, effect, ...(fields > 0 && { fields }) }
    }
    const { page } = (result.data ?? {}) as Partial<PageData>
    if (navigationVerbs.has(verb) && page) this.#outcome = { ...this.#outcome, title: page.title || page.url }
  }

  addText(tool: string, text: string): void {
    if (readingTools.has(tool)) this.#outcome = { ...this.#outcome, read: text.length }
  }
}

const fieldVerbs: ReadonlySet<string> = new Set(['fill', 'type', 'select', 'check', 'uncheck'])
const navigationVerbs: ReadonlySet<string> = new Set(['open', 'back', 'forward', 'reload'])
const readingTools: ReadonlySet<string> = new Set(['browser-observe', 'browser-snapshot', 'browser-extract'])

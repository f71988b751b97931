import { say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import type { PageTarget } from './target.ts'

/** Whether the page in a tab has crashed. */
export class Crash {
  /** not reported yet */
  #failure: PagehandError | undefined
  #isCrashed = false

  constructor(target: PageTarget, url: () => string) {
    target.onDisconnect(reason => {
      if (reason.code !== 'page_crashed') return
      this.#isCrashed = true
      this.#failure = new PagehandError('page_crashed', say`The page crashed.`, { page: { url: url() } })
    })
  }

  isCrashed(): boolean {
    return this.#isCrashed
  }

  /** Returns the failure once. */
  take(): PagehandError | undefined {
    const failure = this.#failure
    this.#failure = undefined
    return failure
  }

  /** Call it when the tab shows a document again. */
  end(): void {
    this.#isCrashed = false
  }
}

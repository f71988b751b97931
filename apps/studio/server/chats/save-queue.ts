import { logError } from '../log-error.ts'
/** Stores states one after another. A save that has not begun yet is enough for all calls until then: it stores what is newest. */
export class SaveQueue<Source> {
  readonly #store: (source: Source) => Promise<void>
  #last: Promise<void> = Promise.resolve()
  #next: { readonly source: Source; readonly done: Promise<void> } | undefined

  /** @param store reads the newest state of its source, and stores it */
  constructor(store: (source: Source) => Promise<void>) {
    this.#store = store
  }

  save(source: Source): Promise<void> {
    if (this.#next?.source === source) return this.#next.done
    const done = this.#last
      .then(() => {
        this.#next = undefined
        return this.#store(source)
      })
      // a full disk must not end the run; the next state is stored with everything before it
      .catch((error: unknown) => logError(error, 'the chat could not be stored:'))
    this.#last = done
    this.#next = { source, done }
    return done
  }

  /** Resolves when everything is stored. */
  settled(): Promise<void> {
    return this.#last
  }
}

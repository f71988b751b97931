/** the number of tabs that pages may open during one command */
const maxPopups = 5

/** Counts the tabs that pages open, and reports those that are too many in one note. */
export class PopupLimit {
  readonly #note: (text: () => string) => void
  #opened = 0
  #refused = 0

  constructor(note: (text: () => string) => void) {
    this.#note = note
  }

  reset(): void {
    this.#opened = 0
  }

  /** Counts one more tab; returns false if it must be closed. */
  allows(): boolean {
    if (++this.#opened <= maxPopups) return true
    // the note is written when it is read, so that it has the final number
    if (++this.#refused === 1) this.#note(() => this.#describeRefused())
    return false
  }

  #describeRefused(): string {
    const text = `${this.#refused} more tabs were closed: a page may open ${maxPopups} per action.`
    this.#refused = 0
    return text
  }
}

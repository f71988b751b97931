/** At most so many events in a minute. */
export class RateLimit {
  readonly #max: number
  readonly #times: number[] = []

  constructor(perMinute: number) {
    this.#max = perMinute
  }

  get isReached(): boolean {
    // a clock that cannot be set
    const now = performance.now()
    while ((this.#times[0] ?? now) < now - 60_000) this.#times.shift()
    return this.#times.length >= this.#max
  }

  count(): void {
    this.#times.push(performance.now())
  }
}

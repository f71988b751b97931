/** The longest cycle of calls that is noticed. */
const maxPeriod = 4
/** Repetitions of one call, and of a cycle of several, at which the run ends. */
const maxRepeats = 4
const maxCycles = 3

/** Notices that a run goes in circles: the same calls with the same answers, over and over. */
export class LoopDetector {
  readonly #steps: string[] = []

  /** Adds a call with its answer. `warn`: one more repetition ends the run. */
  add(tool: string, args: unknown, answer: string): 'ok' | 'warn' | 'loop' {
    this.#steps.push(JSON.stringify([tool, sorted(args), comparable(answer)]))
    const repeats = this.#cyclesOf(1)
    if (repeats >= maxRepeats) return 'loop'
    for (let period = 2; period <= maxPeriod; period++) if (this.#cyclesOf(period) >= maxCycles) return 'loop'
    return repeats === maxRepeats - 1 ? 'warn' : 'ok'
  }

  /** How often the last `period` steps follow each other at the end. */
  #cyclesOf(period: number): number {
    let cycles = 1
    for (let end = this.#steps.length - period; end >= period; end -= period) {
      for (let offset = 1; offset <= period; offset++)
        if (this.#steps[end - offset] !== this.#steps[this.#steps.length - offset]) return cycles
      cycles++
    }
    return cycles
  }
}

/** Each answer has another word in its fence, other times, and may count how often it was given. */
const comparable = (answer: string): string =>
  answer
    .replace(/(<\/?page )[\w-]{16}/g, '$1')
    .replace(/\b\d+ ms\b/g, 'ms')
    .replace(/^\[no_progress\].*\n?/gm, '')

/** Arguments in another order are the same arguments. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)])
}

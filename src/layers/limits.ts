import { type Failure, failure } from '../contract/failures.ts'
import { say, term } from '../contract/message.ts'
import type { Layer } from '../contract/run.ts'

/**
 * How much one session may be used; a limit that is absent does not exist.
 *
 * @example
 * const limits: RunLimits = { steps: 50, timeMs: 10 * 60_000, characters: 400_000 }
 */
export interface RunLimits {
  /** calls, except for `status` */
  readonly steps?: number
  /** time since the first call, in milliseconds */
  readonly timeMs?: number
  /** characters of all answers */
  readonly characters?: number
}

const units = { steps: 'steps', timeMs: 'ms', characters: 'characters' } as const
type LimitName = keyof typeof units
const names = Object.keys(units) as LimitName[]
/** the share of a limit at which a note warns of its end */
const warnAt = 0.8

// the types of this room have no globals of a platform
declare const performance: { now(): number } | undefined

/** Not the time of day, which can be set while a session runs (TRUST F6). */
export const monotonicMs = (): number => (typeof performance === 'object' ? performance.now() : Date.now())

/** Counts what a session uses up (TRUST E3). */
export class RunBudget {
  readonly #limits: RunLimits
  readonly #now: () => number
  readonly #warned = new Set<LimitName>()
  #used = { steps: 0, characters: 0 }
  #startedAt: number | undefined

  constructor(limits: RunLimits, now = monotonicMs) {
    for (const name of names)
      if (limits[name] !== undefined && !(Number.isFinite(limits[name]) && Number(limits[name]) > 0))
        throw new TypeError(`limits.${name} must be a number above 0`)
    this.#limits = limits
    this.#now = now
  }

  /** Counts a step; returns the failure if a limit is used up. */
  take(): Failure | undefined {
    this.#startedAt ??= this.#now()
    const name = names.find(each => this.#usedOf(each) >= (this.#limits[each] ?? Number.POSITIVE_INFINITY))
    if (name)
      return failure(
        'budget_exhausted',
        say`this session may use ${this.#limits[name] ?? 0} ${term(units[name])} and has used ${this.#usedOf(name)}. Nothing was done. Status can still be read; only the person who started the session can raise the limit.`,
      )
    this.#used.steps++
    return undefined
  }

  addCharacters(count: number): void {
    this.#used.characters += count
  }

  /** What is used so far, for `status`. */
  status(): { readonly [name in LimitName]?: { readonly used: number; readonly limit: number } } {
    const given = names.filter(name => this.#limits[name] !== undefined)
    return Object.fromEntries(given.map(name => [name, { used: this.#usedOf(name), limit: this.#limits[name] as number }]))
  }

  /** A sentence for each limit that is nearly used up, once. */
  warnings(): string[] {
    return names.flatMap(name => {
      const limit = this.#limits[name]
      const used = this.#usedOf(name)
      if (limit === undefined || this.#warned.has(name) || used < warnAt * limit) return []
      this.#warned.add(name)
      return [`${used} of ${limit} ${units[name]} of this session are used; it ends there.`]
    })
  }

  #usedOf(name: LimitName): number {
    if (name !== 'timeMs') return this.#used[name]
    return this.#startedAt === undefined ? 0 : Math.round(this.#now() - this.#startedAt)
  }
}

/**
 * Ends a run at its limits: further commands fail with `budget_exhausted`, except for `status`. Every command is a step, and the strings in
 * results are its characters. Tools count their calls and the text of their answers instead: give them `limits`.
 *
 * @example
 * const run = wrap(session.run, limitsLayer({ steps: 50, timeMs: 600_000 }))
 */
export function limitsLayer(limits: RunLimits, now?: () => number): Layer {
  const budget = new RunBudget(limits, now)
  return next => async (command, signal) => {
    if (command.name === 'status') {
      const result = await next(command, signal)
      return result.ok ? { ok: true, data: { ...(result.data as object), limits: budget.status() } } : result
    }
    const error = budget.take()
    if (error) return { ok: false, error }
    const result = await next(command, signal)
    budget.addCharacters(countCharacters(result))
    if (!result.ok || typeof result.data !== 'object' || result.data === null) return result
    const warnings = budget.warnings()
    if (warnings.length === 0) return result
    const { notes = [] } = result.data as { readonly notes?: readonly string[] }
    return { ok: true, data: { ...result.data, notes: [...notes, ...warnings] } }
  }
}

/** The characters of all strings in a JSON value except image data. */
function countCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [key, inner]) => (key === 'base64' ? sum : sum + countCharacters(inner)), 0)
}

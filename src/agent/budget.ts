import type { AgentUsage, StopReason } from '../contract/agent-run.ts'

/**
 * How much a run of the agent may use. A limit that is absent does not exist.
 *
 * @example
 * const limits: AgentLimits = { steps: 20, cost: 0.5, timeMs: 5 * 60_000 }
 */
export interface AgentLimits {
  /** Turns of the model. @default 15 */
  readonly steps?: number
  /** Input and output tokens together. */
  readonly tokens?: number
  /** Money, in the currency of `prices`. */
  readonly cost?: number
  /** Time in milliseconds, without the time in which the run waits for a person. */
  readonly timeMs?: number
  /** Characters of all answers of tools. */
  readonly characters?: number
}

/**
 * Prices for a million tokens, by the id of the model.
 *
 * @example
 * const prices: PriceTable = { 'my-model': { input: 1.25, cachedInput: 0.13, output: 10 } }
 */
export interface PriceTable {
  readonly [modelId: string]: {
    readonly input: number
    readonly output: number
    /** @default the price of input */
    readonly cachedInput?: number
  }
}

/** The tokens of one call of a model. */
export interface StepTokens {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
}

export const defaultSteps = 15
/** the share of a limit at which the model is warned */
const warnAt = 0.8

const none: AgentUsage = { steps: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: 0, activeMs: 0, characters: 0 }

interface BudgetOptions {
  readonly limits?: AgentLimits | undefined
  readonly prices?: PriceTable | undefined
  /** what the run used before this process took it over */
  readonly used?: AgentUsage | undefined
  readonly now?: (() => number) | undefined
}

type LimitName = 'steps' | 'tokens' | 'cost' | 'timeMs' | 'characters'
const reasons: { readonly [name in LimitName]: StopReason } = {
  steps: 'max_steps',
  tokens: 'max_cost',
  cost: 'max_cost',
  timeMs: 'max_time',
  characters: 'max_cost',
}
const units: { readonly [name in LimitName]: string } = {
  steps: 'steps',
  tokens: 'tokens',
  cost: 'of the cost',
  timeMs: 'ms',
  characters: 'characters',
}
const names = Object.keys(reasons) as LimitName[]

/** Counts what a run uses. The clock stops while the run waits for a person. */
export class AgentBudget {
  readonly limits: AgentLimits & { readonly steps: number }
  readonly #prices: PriceTable
  readonly #now: () => number
  readonly #warned = new Set<LimitName>()
  #used: AgentUsage
  #runningSince: number | undefined
  #parked = 0

  constructor({ limits = {}, prices = {}, used = none, now = () => performance.now() }: BudgetOptions = {}) {
    for (const name of names)
      if (limits[name] !== undefined && !(Number.isFinite(limits[name]) && Number(limits[name]) > 0))
        throw new TypeError(`limits.${name} must be a number above 0`)
    this.limits = { ...limits, steps: limits.steps ?? defaultSteps }
    this.#prices = prices
    this.#used = used
    this.#now = now
  }

  /** Throws if money is limited but the model has no price: the limit would never be reached. */
  assertPriced(modelId: string): void {
    if (this.limits.cost !== undefined && !Object.hasOwn(this.#prices, modelId))
      throw new TypeError(`limits.cost needs a price for the model ${modelId}: give it in prices`)
  }

  start(): void {
    if (this.#parked === 0) this.#runningSince ??= this.#now()
  }

  /** Stops the clock while a person is asked. */
  async whileParked<T>(work: () => Promise<T>): Promise<T> {
    this.pause()
    this.#parked++
    try {
      return await work()
    } finally {
      this.#parked--
      this.start()
    }
  }

  pause(): void {
    this.#used = this.used
    this.#runningSince = undefined
  }

  addStep(modelId: string, { inputTokens, outputTokens, cachedTokens }: StepTokens): void {
    const price = Object.hasOwn(this.#prices, modelId) ? this.#prices[modelId] : undefined
    const cost = price
      ? ((inputTokens - cachedTokens) * price.input + cachedTokens * (price.cachedInput ?? price.input) + outputTokens * price.output) / 1e6
      : 0
    const used = this.#used
    this.#used = {
      ...used,
      steps: used.steps + 1,
      inputTokens: used.inputTokens + inputTokens,
      outputTokens: used.outputTokens + outputTokens,
      cachedTokens: used.cachedTokens + cachedTokens,
      cost: used.cost + cost,
    }
  }

  addCharacters(count: number): void {
    this.#used = { ...this.#used, characters: this.#used.characters + count }
  }

  get used(): AgentUsage {
    const running = this.#runningSince === undefined ? 0 : this.#now() - this.#runningSince
    return { ...this.#used, activeMs: Math.round(this.#used.activeMs + running) }
  }

  /** The time that is left, in milliseconds. */
  get msLeft(): number {
    return this.limits.timeMs === undefined ? Number.POSITIVE_INFINITY : Math.max(0, this.limits.timeMs - this.used.activeMs)
  }

  get stepsLeft(): number {
    return this.limits.steps - this.#used.steps
  }

  /** The reason for which the run must end now. */
  exhausted(): StopReason | undefined {
    const name = names.find(each => this.#usedOf(each) >= (this.limits[each] ?? Number.POSITIVE_INFINITY))
    return name && reasons[name]
  }

  /** A sentence for each limit that is nearly used up, once. */
  warnings(): string[] {
    return names.flatMap(name => {
      const limit = this.limits[name]
      const used = this.#usedOf(name)
      if (limit === undefined || this.#warned.has(name) || used < warnAt * limit) return []
      this.#warned.add(name)
      return [`${round(used)} of ${limit} ${units[name]} are used; close before the rest is.`]
    })
  }

  #usedOf(name: LimitName): number {
    const { inputTokens, outputTokens, activeMs, ...used } = this.used
    if (name === 'tokens') return inputTokens + outputTokens
    return name === 'timeMs' ? activeMs : used[name]
  }
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000

/** A plan was approved with its limits, so no option can exceed them. */
export const strictestLimits = (limits: AgentLimits = {}, planned: AgentLimits = {}): AgentLimits => ({
  ...limits,
  ...Object.fromEntries(
    Object.entries(planned).map(([name, value]) => [name, Math.min(value, limits[name as keyof AgentLimits] ?? Number.POSITIVE_INFINITY)]),
  ),
})

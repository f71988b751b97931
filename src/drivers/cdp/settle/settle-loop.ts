// Decides when an action, or a navigation, has settled. The loop knows nothing of CDP: settle.ts connects it to a page, and
// test/drivers/cdp/settle.test.ts runs it on fake timelines.
import type { Effect } from '../../../contract/page-api.ts'
import type { NetworkRequest } from '../page/network.ts'
import type { TimerState } from './timers.ts'

/** The state of the page when it settled, or when the time was up. */
export interface SettleResult {
  readonly effect: Effect
  readonly settled: boolean
  /** what was still going on, in words for the caller: "navigation", "fetch https://…", "timer in 800 ms" */
  readonly pending: readonly string[]
  /** false if the page rejected or reverted the value that was set */
  readonly committed: boolean
}

/** A document that the loop can ask whether it has settled. */
export interface SettleDocument {
  /** waits for the document itself: its load, DOM changes and animations; undefined if the document is gone */
  settle(ms: number): Promise<DocumentState | undefined>
  /** waits for the timers that are due within `ms` */
  timers(ms: number): Promise<TimerState>
  /** the effect with the refs of the session instead of those of the document */
  effectWithRefs(effect: Effect): Effect
}

export interface DocumentState {
  readonly pending: readonly string[]
  readonly effect: Effect
  readonly committed: boolean
}

/** What the loop observes. Each `wait…` returns after `ms` at the latest. */
export interface SettleInputs {
  /** the document that the action was started in; undefined if only the next document counts */
  readonly document: SettleDocument | undefined
  /** how long to wait, and how long if a request or a navigation is open */
  limits(): { readonly capMs: number; readonly networkMs: number }
  now(): number
  /** attaches to the document that the page shows now */
  followNavigation(): Promise<SettleDocument>
  isNavigating(): boolean
  /** the number of documents that the page has committed since the watch began */
  commits(): number
  waitForNavigation(ms: number): Promise<void>
  openRequests(): readonly NetworkRequest[]
  /** when the last request ended; 0 before the first */
  lastRequestEndedAt(): number
  waitForRequest(ms: number): Promise<void>
  url(): Promise<string>
}

/** when the time is up, the document still gets enough time for two animation frames */
const minDocumentMs = 150
/** a page may poll without end */
const maxRoundsAfterRequests = 2
const maxNamedRequests = 5
const maxNamedTimers = 3

interface Observation {
  readonly document: DocumentState
  readonly timers: TimerState
  readonly requests: readonly NetworkRequest[]
  /** a request ended in this round: the page may not have read its response yet */
  readonly hasResponse: boolean
}

/**
 * Each round follows a navigation, lets the document settle, waits for its timers and looks at the open requests. Any of them can start
 * another (a timer sends a request, its response navigates), so the page has settled only when a whole round finds nothing.
 */
export class SettleLoop {
  readonly #inputs: SettleInputs
  #document: SettleDocument | undefined
  /** the value of `commits()` when a navigation was last followed */
  #followedCommits = 0
  #hasLeftDocument = false
  #startedAt = 0
  #capMs = 0
  #networkMs = 0
  #roundsAfterRequests = 0

  constructor(inputs: SettleInputs) {
    this.#inputs = inputs
    this.#document = inputs.document
  }

  async run(): Promise<SettleResult> {
    const { capMs, networkMs } = this.#inputs.limits()
    this.#startedAt = this.#inputs.now()
    this.#capMs = capMs
    this.#networkMs = networkMs
    for (;;) {
      // first of all, because timers that the new document sets before it is watched are missed
      const document = this.#isBehind() || !this.#document ? await this.#follow() : this.#document
      if (this.#inputs.isNavigating()) {
        if ((await this.#waitForNavigation()) === 'changed') continue
        // the browser holds back all calls to a page that waits for the server of the next document
        if (this.#inputs.isNavigating() && !this.#isBehind()) return this.#result(unansweredState(this.#inputs.openRequests()))
      }
      const observation = await this.#observe(document)
      if (!this.#isBusy(observation) || this.#remainingMs() === 0) return this.#result(observation)
      if (observation.requests.length) await this.#waitForRequest()
    }
  }

  /** a document was committed that has not been followed yet */
  #isBehind(): boolean {
    return this.#inputs.commits() > this.#followedCommits
  }

  async #follow(): Promise<SettleDocument> {
    this.#hasLeftDocument = true
    this.#followedCommits = this.#inputs.commits()
    this.#document = await this.#inputs.followNavigation()
    return this.#document
  }

  async #waitForNavigation(): Promise<'changed' | 'timeout'> {
    this.#extendCap()
    await this.#inputs.waitForNavigation(this.#remainingMs())
    return this.#remainingMs() > 0 ? 'changed' : 'timeout'
  }

  async #waitForRequest(): Promise<void> {
    this.#extendCap()
    await this.#inputs.waitForRequest(this.#remainingMs())
  }

  async #observe(asked: SettleDocument): Promise<Observation> {
    const from = this.#inputs.now()
    const state = await asked.settle(Math.max(this.#remainingMs(), minDocumentMs))
    const current = state ? asked : await this.#follow()
    const timers = await current.timers(this.#remainingMs())
    return {
      document: state ?? { pending: ['navigation'], effect: {}, committed: true },
      timers,
      requests: this.#inputs.openRequests(),
      hasResponse: this.#inputs.lastRequestEndedAt() > from && this.#roundsAfterRequests++ < maxRoundsAfterRequests,
    }
  }

  #isBusy({ document, timers, requests, hasResponse }: Observation): boolean {
    return (
      hasResponse || timers.waited || requests.length > 0 || this.#inputs.isNavigating() || document.pending.length > 0 || this.#isBehind()
    )
  }

  async #result({ document, timers, requests }: Observation): Promise<SettleResult> {
    const pending = [
      ...(this.#inputs.isNavigating() ? ['navigation'] : []),
      ...requests.slice(0, maxNamedRequests).map(describeRequest),
      ...timers.left.slice(0, maxNamedTimers).map(ms => `timer in ${ms} ms`),
      ...(timers.isStuck ? ['scripts'] : []),
      ...document.pending,
    ]
    return {
      effect: await this.#effect(document.effect),
      settled: !pending.length,
      pending: [...new Set(pending)],
      committed: document.committed,
    }
  }

  /** The effect was observed in the first document; once that is gone, only the URL of its successor is known. */
  async #effect(effect: Effect): Promise<Effect> {
    if (!this.#hasLeftDocument && this.#document) return this.#document.effectWithRefs(effect)
    return this.#inputs.commits() ? { url: await this.#inputs.url() } : { gone: true }
  }

  /** requests and navigations are waited for longer than scripts */
  #extendCap(): void {
    this.#capMs = Math.max(this.#networkMs, this.#capMs)
  }

  #remainingMs(): number {
    return Math.max(this.#startedAt + this.#capMs - this.#inputs.now(), 0)
  }
}

const unansweredState = (requests: readonly NetworkRequest[]): Observation => ({
  document: { pending: ['navigation'], effect: {}, committed: true },
  timers: { waited: false, left: [] },
  requests,
  hasResponse: false,
})

function describeRequest({ type, url }: NetworkRequest): string {
  return `${type.toLowerCase()} ${url.length > 80 ? `${url.slice(0, 79)}…` : url}`
}

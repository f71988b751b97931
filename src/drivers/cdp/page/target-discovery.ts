// New tabs in a browser that pagehand did not launch.
import type { CdpConnection } from '../connection/connection.ts'
import type { EventPayload } from '../connection/protocol.ts'
import { withTimeout } from '../timeout.ts'
import type { PageTarget } from './target.ts'

export type TargetInfo = EventPayload<'Target.targetCreated'>['targetInfo']

interface DiscoveryOptions {
  /** a relay reports only tabs that were lent to this session, so nothing has to be hidden */
  readonly isAlwaysOn: boolean
  /** receives every tab that is reported, also those of others */
  onTarget(info: TargetInfo): void
}

/** how long to watch after the last window of this session was opened: a popup may open another one while it loads */
const watchMs = 2_000
/** how long a window that a page asked for may take to be reported: some are blocked, and never are */
const reportMs = 1_000

/** how many sessions of a connection watch at the moment */
const watchers = new WeakMap<CdpConnection, number>()

/**
 * Reports the tabs that pages of this session open. Chromium can only report the tabs of its user along with them, by URL and title, so it is
 * asked only for a moment after a page of this session has opened a window.
 */
export class TargetDiscovery {
  readonly #connection: CdpConnection
  readonly #options: DiscoveryOptions
  readonly #unsubscribe: () => void
  #timer: NodeJS.Timeout | undefined
  /** windows that pages asked for and that were not reported yet: each resolves when it is, or after a while */
  readonly #expected = new Map<() => void, Promise<unknown>>()
  #isOn = false
  #isEnded = false

  constructor(connection: CdpConnection, options: DiscoveryOptions) {
    this.#connection = connection
    this.#options = options
    this.#unsubscribe = connection.on('Target.targetCreated', ({ targetInfo }) => this.#isOn && options.onTarget(targetInfo))
  }

  async start(): Promise<void> {
    if (this.#options.isAlwaysOn) await this.#turnOn()
  }

  /** Watches for the windows that a page opens. */
  watch(target: PageTarget): void {
    target.on('Page.windowOpen', () => {
      this.extend()
      this.#expect()
    })
  }

  /** Call it when a window that a page opened was reported. */
  onWindow(): void {
    const [first] = this.#expected.keys()
    first?.()
  }

  /** Resolves when the windows that pages asked for were reported. */
  async windows(): Promise<void> {
    await Promise.all(this.#expected.values())
  }

  /** Watches for a moment, or for a moment longer. */
  extend(): void {
    if (this.#options.isAlwaysOn || this.#isEnded) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#turnOff(), watchMs)
    this.#timer.unref()
    this.#turnOn().catch(() => {}) // the browser is gone
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    this.#unsubscribe()
    this.#turnOff()
  }

  #expect(): void {
    let onReport = () => {}
    const reported = new Promise<void>(resolve => {
      onReport = resolve
    })
    this.#expected.set(
      onReport,
      withTimeout(reportMs, reported).finally(() => this.#expected.delete(onReport)),
    )
  }

  async #turnOn(): Promise<void> {
    if (this.#isOn) return
    this.#isOn = true
    watchers.set(this.#connection, (watchers.get(this.#connection) ?? 0) + 1)
    // also if another session has turned it on: the tabs that were reported before are reported again
    await this.#connection.send('Target.setDiscoverTargets', { discover: true })
  }

  #turnOff(): void {
    if (!this.#isOn) return
    this.#isOn = false
    const left = (watchers.get(this.#connection) ?? 1) - 1
    watchers.set(this.#connection, left)
    if (left === 0) this.#connection.send('Target.setDiscoverTargets', { discover: false }).catch(() => {}) // the browser is gone
  }
}

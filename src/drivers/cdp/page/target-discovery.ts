// New tabs in a browser that pagehand did not launch.
import { setTimeout as delay } from 'node:timers/promises'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { CdpConnection } from '../connection/connection.ts'
import type { EventPayload } from '../connection/protocol.ts'
import { withTimeout } from '../timeout.ts'

export type TargetInfo = EventPayload<'Target.targetCreated'>['targetInfo']

interface DiscoveryOptions {
  /** a relay reports only tabs that were lent to this session, so nothing has to be hidden */
  readonly isAlwaysOn: boolean
  /** receives every tab that is reported, also those of others */
  onTarget(info: TargetInfo): void
}

/** A window that a page asked for. */
interface ExpectedWindow {
  readonly url: string
  readonly openerId: string
  /** resolves when the window is reported, or after a while */
  readonly reported: Promise<unknown>
  onReport(): void
}

/** how long to watch after the last window of this session was opened: a popup may open another one while it loads */
const watchMs = 2_000
/** how long a window that a page asked for may take to be reported: some are blocked, and never are */
const reportMs = 1_000
/** how often a relay that does not report tabs is asked for an expected one */
const pollMs = 100

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
  /** windows that pages asked for and that were not reported yet */
  readonly #expected = new Set<ExpectedWindow>()
  #isOn = false
  #isEnded = false
  #hasReported = false

  constructor(connection: CdpConnection, options: DiscoveryOptions) {
    this.#connection = connection
    this.#options = options
    this.#unsubscribe = connection.on('Target.targetCreated', ({ targetInfo }) => {
      this.#hasReported = true
      if (this.#isOn) options.onTarget(targetInfo)
    })
  }

  async start(): Promise<void> {
    if (this.#options.isAlwaysOn) await this.#turnOn()
  }

  /** Watches for the windows that the documents of a session open; `openerId` is their tab. */
  watch(session: CdpSession, openerId: string): void {
    session.on('Page.windowOpen', ({ url }) => {
      this.extend()
      this.#expect(url, openerId)
    })
  }

  /** Call it when a window that a page opened was reported. */
  onWindow(): void {
    const [first] = this.#expected
    first?.onReport()
  }

  /** Resolves when the windows that pages asked for were reported. */
  async windows(): Promise<void> {
    await this.#refresh()
    while (this.#isSilent() && this.#expected.size > 0) {
      await delay(pollMs)
      await this.#refresh()
    }
    await Promise.all([...this.#expected].map(({ reported }) => reported))
  }

  /** The tab whose page asked for a window that is reported without its opener. */
  openerOf({ openerId, url }: TargetInfo): string | undefined {
    if (openerId !== undefined || !this.#isSilent()) return openerId
    return [...this.#expected].find(expected => expected.url === url || /^(about:blank)?$/.test(url))?.openerId
  }

  /** Whether it is a relay that lists its tabs but does not report them, such as OpenClaw's. */
  #isSilent(): boolean {
    return this.#options.isAlwaysOn && !this.#hasReported
  }

  async #refresh(): Promise<void> {
    if (!this.#isSilent()) return
    const { targetInfos } = await this.#connection.send('Target.getTargets')
    for (const info of targetInfos) this.#options.onTarget(info)
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

  #expect(url: string, openerId: string): void {
    let onReport = () => {}
    const isReported = new Promise<void>(resolve => {
      onReport = resolve
    })
    const reported = withTimeout(reportMs, isReported).finally(() => this.#expected.delete(expected))
    const expected: ExpectedWindow = { url, openerId, reported, onReport }
    this.#expected.add(expected)
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

// Stops and resumes the scripts of a page: one that is stuck is read without them, and a refused one must not go on speaking.
import type { CdpSession } from '../connection/cdp-session.ts'
import { withTimeout } from '../timeout.ts'
import type { PageTarget } from './target.ts'

interface ScriptExecutionOptions {
  readonly target: PageTarget
  /** the sessions of the page and of its frames in other processes */
  sessions(): readonly CdpSession[]
  /** whether the page shows a refused document, whose scripts were ended */
  isRefused(): boolean
  /** waits for an answer of the page; fails if it does not come in time */
  waitForAnswer(answer: Promise<unknown>, withinMs: number): Promise<unknown>
}

/** how long a page gets to disable its scripts before it is left */
const stopMs = 1_000
/** a stuck page is reported within 6 s: after 5 s without an answer it has this time to stop */
const maxStopMs = 800

export class ScriptExecution {
  readonly #options: ScriptExecutionOptions
  #state: 'running' | 'stopped' = 'running'
  /** a document that begins before this is settled has its scripts disabled if those of the last one were */
  #lastSwitch: Promise<unknown> = Promise.resolve()

  constructor(options: ScriptExecutionOptions) {
    this.#options = options
  }

  state(): 'running' | 'stopped' {
    return this.#state
  }

  /** Stops a page that is stuck; its scripts stay disabled until it is left. Returns false if the page did not react. */
  async stop(): Promise<boolean> {
    this.#state = 'stopped'
    const stopping = this.#options
      .sessions()
      .flatMap(session => [
        session.send('Emulation.setScriptExecutionDisabled', { value: true }),
        session.send('Runtime.terminateExecution'),
      ])
    const stopped = Promise.allSettled(stopping) // a frame may be gone meanwhile
    return this.#options.waitForAnswer(stopped, maxStopMs).then(
      () => true,
      () => false,
    )
  }

  /** Call it before the page is left. */
  async resume(): Promise<void> {
    if (this.#state === 'running' && !this.#options.isRefused()) {
      await withTimeout(stopMs, this.#lastSwitch)
      return
    }
    this.#state = 'running'
    const resuming = this.#options.sessions().map(session => session.send('Emulation.setScriptExecutionDisabled', { value: false }))
    await withTimeout(stopMs, Promise.allSettled(resuming)) // a page that does not react is replaced with its tab
  }

  /** Call it when a document has replaced a refused one. */
  resumeAfterRefusal(): void {
    if (this.#state === 'running') this.#enable(true)
  }

  /** Resolves when no script can start any more, and the running one has ended. */
  async end(): Promise<void> {
    const { target } = this.#options
    let hasEnded = false
    const end = () => {
      hasEnded = true
    }
    // the first call is handled while a script runs, the second after it
    const ended = this.#enable(false)
      .then(() => target.send('Runtime.evaluate', { expression: '0' }))
      .then(end, end)
    await withTimeout(stopMs, ended)
    if (hasEnded) return
    target.send('Runtime.terminateExecution').catch(() => {}) // the tab may be gone
    await withTimeout(stopMs, ended)
  }

  #enable(enabled: boolean): Promise<unknown> {
    this.#lastSwitch = this.#options.target.send('Emulation.setScriptExecutionDisabled', { value: !enabled }).catch(() => {}) // the tab may be gone
    return this.#lastSwitch
  }
}

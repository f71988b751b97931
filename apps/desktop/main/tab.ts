import { openSession, type Session, type SessionOptions } from 'pagehand/browser'
import type { AnyCommand, AnyRun, Result } from 'pagehand/tools'
import { refuse } from './failure.ts'
import type { TabView } from './ports.ts'

type Signal = Parameters<AnyRun>[1]

/** One tab: its view, and the session over the debugger of the view. */
export class Tab {
  readonly id: string
  readonly view: TabView
  readonly #options: SessionOptions
  readonly #onReopened: () => void
  #session: Promise<Session> | undefined
  #targetId: Promise<string> | undefined
  #wasReopened = false
  #isClosed = false

  constructor(id: string, view: TabView, options: SessionOptions, onReopened: () => void) {
    this.id = id
    this.view = view
    this.#options = options
    this.#onReopened = onReopened
  }

  /** The session of the tab. It is opened again if the debugger was detached, as when somebody opened DevTools. */
  session(): Promise<Session> {
    this.#session = this.#reopen(this.#session)
    return this.#session
  }

  async run(command: AnyCommand, signal: Signal): Promise<Result> {
    // the page may go away before the app is told
    const session = await this.session().catch(() => undefined)
    if (!session) return refuse('target_closed', 'The tab is closed.')
    const result = await (session.run as AnyRun)(command, signal)
    if (!this.#wasReopened || !result.ok || typeof result.data !== 'object' || result.data === null) return result
    this.#wasReopened = false
    const { notes = [] } = result.data as { readonly notes?: readonly string[] }
    return {
      ok: true,
      data: { ...result.data, notes: [...notes, 'The connection to the tab was lost and restored: older refs are gone.'] },
    }
  }

  /** The id of the page in CDP; it stays the same when the page goes to another site, in another process. */
  targetId(): Promise<string> {
    // asked once: a page that crashed does not answer
    this.#targetId ??= this.#readTargetId().catch((error: unknown) => {
      this.#targetId = undefined
      throw error
    })
    return this.#targetId
  }

  /** Ends the session and closes the view. */
  async close(): Promise<void> {
    await this.endSession()
    this.view.close()
  }

  /** For a view that is closed already. */
  async endSession(): Promise<void> {
    this.#isClosed = true
    const session = await this.#session?.catch(() => undefined)
    await session?.close()
  }

  async #readTargetId(): Promise<string> {
    await this.session()
    const { frameTree } = (await this.view.debugger.sendCommand('Page.getFrameTree')) as { frameTree: { frame: { id: string } } }
    return frameTree.frame.id
  }

  async #reopen(before: Promise<Session> | undefined): Promise<Session> {
    const session = await before?.catch(() => undefined)
    if (session?.status().running) return session
    await session?.close()
    if (this.#isClosed) throw new Error('the tab is closed')
    const opened = await openSession({ ...this.#options, debugger: this.view.debugger })
    if (session) {
      this.#wasReopened = true
      this.#onReopened()
    }
    return opened
  }
}

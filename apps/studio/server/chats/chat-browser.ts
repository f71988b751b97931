import { type ActionTarget, type LiveFrame, openSession, type Session, type SessionOptions } from 'pagehand/browser'
import type { Layer, Result } from 'pagehand/tools'
import type { LiveController, LivePageMessage, LiveRef, LiveServerMessage, LiveTab, StudioProblem } from 'pagehand/wire'

/** What a browser must offer to be operated by an agent and a person in turns. */
export type SharedSession = Pick<Session, 'run' | 'live' | 'close'>

/** The browser of one chat: the agent's commands, a person's input, and who of them has the page. */
export class ChatBrowser<S extends SharedSession = Session> {
  readonly session: S
  readonly #viewers = new Set<(message: LiveServerMessage) => void>()
  /** the viewer that has taken over */
  #person: ((message: LiveServerMessage) => void) | undefined
  #isAgentWorking = false
  #handBack: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined
  #wasTaken = false
  #step = 0
  #stopMarks = () => {}

  constructor(session: S) {
    this.session = session
  }

  #taken = 0

  /** The files that pages have given since the last time. */
  takeDownloads(this: ChatBrowser): readonly { readonly name: string }[] {
    const { downloads } = this.session.status()
    if (!Array.isArray(downloads)) return []
    const fresh = downloads.slice(this.#taken)
    this.#taken = downloads.length
    return fresh as readonly { readonly name: string }[]
  }

  static async open(options: SessionOptions): Promise<ChatBrowser> {
    return new ChatBrowser(await openSession(options))
  }

  /** Call it when a run begins and ends. */
  setAgentWorking(isWorking: boolean): void {
    this.#isAgentWorking = isWorking
    this.#announceController()
  }

  get controller(): LiveController {
    return this.#person ? 'person' : this.#isAgentWorking ? 'agent' : 'nobody'
  }

  isTakenBy(viewer: (message: LiveServerMessage) => void): boolean {
    return this.#person === viewer
  }

  /** Commands of the agent wait while a person has the page; the first result after the hand-back says so. */
  readonly gate: Layer = next => async (command, signal) => {
    if (command.name === 'status') return next(command, signal)
    while (this.#handBack) await Promise.race([this.#handBack.promise, aborted(signal)])
    return this.#addNote(await next(command, signal))
  }

  /** A failure has no notes, so the note waits for the next result. */
  #addNote(result: Result): Result {
    // a command that had begun before may end while the person still has the page
    const isHandedBack = this.#wasTaken && !this.#handBack
    if (!isHandedBack || !result.ok || typeof result.data !== 'object' || result.data === null) return result
    this.#wasTaken = false
    const { notes = [] } = result.data as { readonly notes?: readonly string[] }
    return { ok: true, data: { ...result.data, notes: [...notes, personNote] } }
  }

  addViewer(viewer: (message: LiveServerMessage) => void): void {
    if (this.#viewers.size === 0) this.#stopMarks = this.session.live().onTarget(target => this.#mark(target))
    this.#viewers.add(viewer)
    this.#announceController()
  }

  removeViewer(viewer: (message: LiveServerMessage) => void): void {
    this.#viewers.delete(viewer)
    if (this.#viewers.size === 0) this.#stopMarks()
    // a window that is closed does not keep the page for ever
    if (this.#person === viewer) this.give(viewer)
    this.#announceController()
  }

  /** Gives the page to a person; false if another one has it. */
  take(viewer: (message: LiveServerMessage) => void): boolean {
    if (this.#person && this.#person !== viewer) return false
    this.#person = viewer
    this.#wasTaken = true
    if (!this.#handBack) {
      let resolve = () => {}
      const promise = new Promise<void>(done => {
        resolve = done
      })
      this.#handBack = { promise, resolve }
    }
    this.#announceController()
    return true
  }

  give(viewer: (message: LiveServerMessage) => void): void {
    if (this.#person !== viewer) return
    this.#person = undefined
    this.#handBack?.resolve()
    this.#handBack = undefined
    this.#announceController()
  }

  watch(onFrame: (frame: LiveFrame) => void): { ready(): void; stop(): void } {
    return this.session.live().watch(onFrame)
  }

  /** The address of the selected tab; undefined if nothing is open yet. */
  async url(): Promise<string | undefined> {
    const { url } = await this.pageMessage()
    return url !== '' && url !== 'about:blank' ? url : undefined
  }

  async pageMessage(): Promise<LivePageMessage> {
    try {
      const listed = await this.session.live().tabs()
      const tabs = listed.map(({ tab, url, title, selected }): LiveTab => ({ id: tab, url, title, selected }))
      const { url = '', title = '', loading = false } = listed.find(each => each.selected) ?? {}
      return { type: 'page', url, title, loading, tabs, live: tabs.length > 0 }
    } catch (error) {
      // the browser is gone
      return { type: 'page', url: '', title: '', loading: false, tabs: [], live: false, problem: toProblem(error) }
    }
  }

  /** The elements with refs in view, with their boxes. */
  async refs(): Promise<readonly LiveRef[]> {
    const seen = await this.session.run({ name: 'snapshot', viewport: 'visible' })
    return seen.ok ? refsIn(seen.data.tree as unknown as TreeNode) : []
  }

  async close(): Promise<void> {
    this.#handBack?.resolve()
    await this.session.close()
  }

  #announceController(): void {
    for (const viewer of this.#viewers)
      viewer({ type: 'controller', controller: this.controller, you: this.#person === viewer, viewers: this.#viewers.size })
  }

  /** Marks the target of an action in the picture. */
  #mark({ verb, ref, role, name, box }: ActionTarget): void {
    const element = { role, name: name || ref }
    const step = ++this.#step
    for (const viewer of this.#viewers) viewer({ type: 'target', verb, element, box, step })
  }
}

interface TreeNode {
  readonly ref?: string
  readonly role: string
  readonly name?: string
  readonly interactive?: boolean
  readonly box?: readonly [number, number, number, number]
  readonly children?: readonly TreeNode[]
}

function refsIn(node: TreeNode): LiveRef[] {
  const { ref, role, name = '', box, interactive, children = [] } = node
  const own = ref && box && interactive ? [{ ref, role, name, box: { x: box[0], y: box[1], width: box[2], height: box[3] } }] : []
  return [...own, ...children.flatMap(refsIn)]
}

const personNote = 'A person operated the page in between: look at it before you act.'

/** An error with its code, if it has one. */
export const toProblem = (error: unknown): StudioProblem => ({
  code: String((error as { readonly code?: unknown } | null)?.code ?? 'error'),
  message: error instanceof Error ? error.message : String(error),
})

const aborted = (signal: { addEventListener?(type: 'abort', listener: () => void): void } | undefined): Promise<void> =>
  new Promise((_, reject) => signal?.addEventListener?.('abort', () => reject(new Error('aborted'))))

import { type LiveFrame, openSession, type Session, type SessionOptions } from 'pagehand/browser'
import type { AnyCommand, AnyRun, Layer, Result } from 'pagehand/tools'
import type { Box, LiveController, LiveRef, LiveServerMessage, LiveTab } from 'pagehand/wire'

export interface ActionMark {
  readonly verb: string
  readonly label: string
  readonly box: Box
}

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
  /** notes that came with the marks of targets: a driver reports each only once */
  #notes: readonly string[] = []
  #step = 0
  /** the element that was inspected last: approvals inspect the target of an action before it */
  #inspected: { readonly ref: unknown; readonly result: Result } | undefined

  constructor(session: S) {
    this.session = session
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
    const mark = await this.#markTarget(command, next)
    if (mark) this.#send({ type: 'target', ...mark, step: ++this.#step })
    const result = await next(command, signal)
    if (command.name === 'inspect') this.#inspected = { ref: command.ref, result }
    if (isTabCommand(command)) this.announcePage().catch(() => {}) // the tab is gone
    return this.#addNotes(result)
  }

  /** Adds what the agent does not know yet. A failure has no notes, so they wait for the next result. */
  #addNotes(result: Result): Result {
    // a command that had begun before may end while the person still has the page
    const isHandedBack = this.#wasTaken && !this.#handBack
    const unread = [...this.#notes, ...(isHandedBack ? [personNote] : [])]
    if (unread.length === 0 || !result.ok || typeof result.data !== 'object' || result.data === null) return result
    this.#notes = []
    if (isHandedBack) this.#wasTaken = false
    return { ok: true, data: { ...result.data, notes: [...new Set([...notesOf(result), ...unread])] } }
  }

  addViewer(viewer: (message: LiveServerMessage) => void): void {
    this.#viewers.add(viewer)
    this.#announceController()
  }

  removeViewer(viewer: (message: LiveServerMessage) => void): void {
    this.#viewers.delete(viewer)
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

  async announcePage(): Promise<void> {
    this.#send(await this.pageMessage())
  }

  /** The address of the selected tab; undefined if nothing is open yet. */
  async url(): Promise<string | undefined> {
    const message = await this.pageMessage()
    return message.type === 'page' && message.url !== '' && message.url !== 'about:blank' ? message.url : undefined
  }

  async pageMessage(): Promise<LiveServerMessage> {
    const listed = await this.session.run({ name: 'tabs', operation: 'list' })
    if (!listed.ok) return { type: 'page', url: '', title: '', loading: false, tabs: [], live: false, reason: listed.error.message }
    const tabs = listed.data.tabs.map(({ tab, url, title, selected }): LiveTab => ({ id: tab, url, title, selected }))
    const selected = tabs.find(each => each.selected)
    return { type: 'page', url: selected?.url ?? '', title: selected?.title ?? '', loading: false, tabs, live: selected !== undefined }
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

  #send(message: LiveServerMessage): void {
    for (const viewer of this.#viewers) viewer(message)
  }

  /** Where an action is about to happen. */
  async #markTarget(command: AnyCommand, next: AnyRun): Promise<ActionMark | undefined> {
    const { name, ref } = command
    if (this.#viewers.size === 0 || typeof ref !== 'string' || name === 'query' || name === 'inspect') return undefined
    const facts = this.#inspected?.ref === ref ? this.#inspected.result : await next({ name: 'inspect', ref })
    this.#inspected = undefined
    const queried = await next({ name: 'query', ref, kind: 'box' })
    this.#notes = [...this.#notes, ...notesOf(queried), ...notesOf(facts)]
    const box = queried.ok ? boxOf(queried) : undefined
    const { role = '', name: words = '' } = facts.ok ? (facts.data as { readonly role?: string; readonly name?: string }) : {}
    return box && { verb: name, label: [role, words && JSON.stringify(words)].filter(Boolean).join(' ') || ref, box }
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

function boxOf(result: Result & { readonly ok: true }): Box | undefined {
  try {
    const { value } = result.data as { readonly value?: unknown }
    const box = (typeof value === 'string' ? JSON.parse(value) : value) as Partial<Box>
    const { x, y, width, height } = box
    return [x, y, width, height].every(Number.isFinite) ? (box as Box) : undefined
  } catch {
    return undefined
  }
}

const personNote = 'A person operated the page in between: look at it before you act.'

const notesOf = (result: Result): readonly string[] =>
  result.ok ? ((result.data as { readonly notes?: readonly string[] } | null)?.notes ?? []) : []

const isTabCommand = ({ name }: AnyCommand): boolean => ['open', 'back', 'forward', 'reload', 'tabs', 'click', 'press'].includes(name)

const aborted = (signal: { addEventListener?(type: 'abort', listener: () => void): void } | undefined): Promise<void> =>
  new Promise((_, reject) => signal?.addEventListener?.('abort', () => reject(new Error('aborted'))))

import { randomUUID } from 'node:crypto'
import type { LiveTabInfo, LiveView, SessionOptions } from 'pagehand/browser'
import { type AnyCommand, type AnyRun, commands, parseCommand, type Result, type Run, type TabInfo, wrap } from 'pagehand/tools'
import { refuse } from './failure.ts'
import { followLive } from './live-follow.ts'
import type { TabHost, TabView, TabViewEvents } from './ports.ts'
import { Tab } from './tab.ts'
import type { TabPolicy } from './tab-policy.ts'

export interface ChatTabsOptions {
  readonly host: TabHost
  readonly policy: TabPolicy
  readonly session: SessionOptions
  /** Called when the tabs, their addresses or the tab in front have changed. */
  onChange(): void
  /** Whether windows that pages open stay in the background. */
  isAgentWorking(): boolean
}

type Signal = Parameters<AnyRun>[1]

const maxTabs = 20
/** windows that pages may open within ten seconds */
const maxWindows = 5

/** The browser of one chat: a view per tab, operated like one session. */
export class ChatTabs {
  /** names this browser: a command for one that was closed must not reach its successor */
  readonly viewKey = randomUUID()
  readonly #options: ChatTabsOptions
  /** cookies and storage of this browser; without a name on disk, so they are gone when it is closed */
  readonly #partition = `pagehand-${this.viewKey}`
  readonly #tabs = new Map<string, Tab>()
  /** called when another tab is in front */
  readonly #listeners = new Set<() => void>()
  /** called when anything about the tabs has changed */
  readonly #changeListeners = new Set<() => void>()
  /** where an agent that began in a tab is now: it may select another one */
  readonly #moves = new Map<string, string>()
  readonly #live: LiveView
  #selectedId: string | undefined
  #lastNumber = 0
  /** when pages have opened windows lately */
  #windowTimes: number[] = []
  #notes: string[] = []
  #isClosed = false

  constructor(options: ChatTabsOptions) {
    this.#options = options
    this.#live = followLive({
      current: async () => this.selected && { id: this.selected.id, live: (await this.selected.session()).live() },
      tabs: () => this.#listForPeople(),
      onChanged: listener => subscribe(this.#changeListeners, listener),
      onMoved: listener => subscribe(this.#listeners, listener),
    })
  }

  /** The tab in front. */
  get selected(): Tab | undefined {
    return this.#selectedId === undefined ? undefined : this.#tabs.get(this.#selectedId)
  }

  get views(): readonly TabView[] {
    return [...this.#tabs.values()].map(({ view }) => view)
  }

  /** Commands of a person, for the tab in front. */
  readonly run: Run = wrap((command, signal) => this.#execute(this.#selectedId ?? '', command, signal))

  live(): LiveView {
    return this.#live
  }

  /** A command for the tab in which a run began, or the one that the run has selected since. */
  async runIn(startId: string, command: AnyCommand, signal: Signal): Promise<Result> {
    const result = await this.#execute(startId, command, signal)
    if (this.#notes.length === 0 || !result.ok || typeof result.data !== 'object' || result.data === null) return result
    const { notes = [] } = result.data as { readonly notes?: readonly string[] }
    return { ok: true, data: { ...result.data, notes: [...notes, ...this.#notes.splice(0)] } }
  }

  /** The tab with this id, if it still shows this target. */
  async has(tabId: string, cdpTargetId: string): Promise<boolean> {
    const tab = this.#tabs.get(tabId)
    return tab !== undefined && (await tab.targetId()) === cdpTargetId
  }

  async openTab(): Promise<Tab> {
    if (this.#isClosed) throw new Error('the browser of this chat is closed')
    const { host, policy } = this.#options
    const [id, events] = this.#nextEvents()
    const view = await host.open({ partition: this.#partition, policy, events })
    return this.#add(id, view)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const tabs = [...this.#tabs.values()]
    this.#tabs.clear()
    this.#select(undefined)
    await Promise.all(tabs.map(tab => tab.close()))
  }

  #execute(startId: string, command: AnyCommand, signal: Signal): Promise<Result> {
    return command.name === 'tabs' ? this.#runTabs(startId, command, signal) : this.#runInTab(startId, command, signal)
  }

  async #runInTab(startId: string, command: AnyCommand, signal: Signal): Promise<Result> {
    const tab = this.#tabs.get(this.#moves.get(startId) ?? startId)
    return tab ? tab.run(command, signal) : refuse('target_closed', 'The tab is closed.')
  }

  async #runTabs(startId: string, given: AnyCommand, signal: Signal): Promise<Result> {
    const parsed = parseCommand(given, { accept: commands })
    if (!parsed.ok) return parsed
    const { operation, tab: id, url } = parsed.value as { readonly operation: string; readonly tab?: string; readonly url?: string }
    if (operation === 'new' && this.#tabs.size >= maxTabs) return refuse('disabled', `There are ${maxTabs} tabs already: close one.`)
    const named = id === undefined ? undefined : this.#tabs.get(id)
    if ((operation === 'select' || operation === 'close') && !named)
      return refuse('invalid_input', `tab: name one of ${[...this.#tabs.keys()].join(', ')}.`)
    const target = operation === 'new' ? await this.openTab() : named
    if (operation === 'close') await target?.close()
    if (operation === 'new' || operation === 'select') {
      this.#moves.set(startId, target?.id ?? startId)
      this.#select(target?.id)
      const opened = url === undefined ? undefined : await this.#runInTab(startId, { name: 'open', url }, signal)
      if (opened?.ok === false) return opened
    }
    return { ok: true, data: { tabs: this.#list() } }
  }

  #list(): readonly TabInfo[] {
    return [...this.#tabs.values()].map(({ id, view }) => ({
      tab: id,
      url: view.url().slice(0, 500),
      title: view.title().slice(0, 200),
      selected: id === this.#selectedId,
    }))
  }

  /** The session of the tab in front knows whether it is loading, and its URL as it is with pictures. */
  async #listForPeople(): Promise<readonly LiveTabInfo[]> {
    const front = await (await this.selected?.session())?.live().tabs()
    return this.#list().map(info => ({ ...info, loading: false, ...(info.selected && front?.[0] && pick(front[0])) }))
  }

  #add(id: string, view: TabView): Tab {
    const { session, policy } = this.#options
    const tab = new Tab(id, view, { ...session, hosts: policy.hosts }, () => this.#announce())
    this.#tabs.set(id, tab)
    if (this.#selectedId === undefined) this.#select(id)
    else this.#announce()
    return tab
  }

  #nextEvents(): [id: string, events: TabViewEvents] {
    const id = `t${++this.#lastNumber}`
    const { policy } = this.#options
    return [
      id,
      {
        changed: () => this.#onChange(),
        closed: () => this.#onClosed(id),
        allowsWindow: url => (url === '' || policy.allowsDocument(url)) && this.#allowsWindow(),
        windowOpened: view => this.#onWindow(view),
      },
    ]
  }

  #allowsWindow(): boolean {
    const now = Date.now()
    this.#windowTimes = this.#windowTimes.filter(time => now - time < 10_000)
    if (this.#isClosed || this.#tabs.size >= maxTabs || this.#windowTimes.length >= maxWindows) return false
    this.#windowTimes.push(now)
    return true
  }

  #onWindow(view: TabView): TabViewEvents {
    const [id, events] = this.#nextEvents()
    this.#add(id, view)
    if (this.#options.isAgentWorking()) this.#notes.push(`Tab ${id} opened. It is not in front; select it to go on there.`)
    else this.#select(id)
    return events
  }

  #onClosed(id: string): void {
    const tab = this.#tabs.get(id)
    if (!tab) return
    this.#tabs.delete(id)
    void tab.endSession()
    if (this.#selectedId === id) this.#select([...this.#tabs.keys()].at(-1))
    else this.#onChange()
  }

  #select(id: string | undefined): void {
    this.#selectedId = id
    this.#announce()
  }

  #announce(): void {
    for (const listener of [...this.#listeners]) listener()
    this.#onChange()
  }

  #onChange(): void {
    for (const listener of [...this.#changeListeners]) listener()
    this.#options.onChange()
  }
}

const pick = ({ url, loading }: LiveTabInfo) => ({ url, loading })

function subscribe(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

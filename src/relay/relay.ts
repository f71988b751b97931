// The relay: clients that speak CDP on one side, the extension in the browser of the user on the other. It knows which tab belongs to which
// client, and nothing of any other tab.
import type { WebSocket } from 'ws'
import { browserAwayReason, takenBackReason } from '../contract/relay-reasons.ts'
import { originOf } from './allowed-commands.ts'
import { CdpError } from './cdp-error.ts'
import { RelayClient } from './client.ts'
import { type ExtensionEvent, ExtensionLink } from './extension-link.ts'
import type { GoneReason, SharedTab } from './protocol.ts'
import { RelayTab } from './relay-tab.ts'

export interface RelayOptions {
  /**
   * How long a tab may be without a command before the debugger is detached, in milliseconds.
   * @default 20_000
   */
  readonly idleMs?: number
  /**
   * How long a command waits for an extension that has not been connected yet, in milliseconds. Chrome starts a stopped extension at most
   * every 30 s.
   * @default 40_000
   */
  readonly waitMs?: number
  /**
   * How long after the extension was connected last a command waits for it, in milliseconds; then its browser counts as closed.
   * @default 3_000
   */
  readonly awayMs?: number
}

interface LinkWait {
  resolve(link: ExtensionLink): void
  reject(error: Error): void
}

/** The state of a relay, for `pagehand relay` and `pagehand doctor`. */
export interface RelayStatus {
  /** the browser of the extension; undefined if it is not connected */
  readonly browser: string | undefined
  readonly tabs: readonly { readonly title: string; readonly url: string; readonly kind: SharedTab['kind']; readonly client?: string }[]
  readonly clients: readonly string[]
}

const goneReasons: { readonly [reason in GoneReason]: string } = {
  closed: 'The tab was closed.',
  returned: takenBackReason,
  replaced: 'Chrome replaced the tab by another one, such as after it was put to sleep.',
}

export class Relay {
  readonly #idleMs: number
  readonly #waitMs: number
  readonly #awayMs: number
  readonly #tabs = new Map<number, RelayTab>()
  readonly #owners = new Map<RelayTab, RelayClient>()
  readonly #clients = new Set<RelayClient>()
  /** the origins that the tabs of a client have shown */
  readonly #shown = new WeakMap<RelayClient, Set<string>>()
  #link: ExtensionLink | undefined
  /** the user has disconnected a program: no tab is opened until the user lends one again */
  #isDisconnected = false
  /** whether the extension has told which tabs it shares */
  #isSynced = false
  #waiting: LinkWait[] = []
  /** since when the extension is not connected any more, and the browser probably closed */
  #awayTimer: NodeJS.Timeout | undefined
  #isAway = false

  constructor({ idleMs = 20_000, waitMs = 40_000, awayMs = 3_000 }: RelayOptions = {}) {
    this.#idleMs = idleMs
    this.#awayMs = awayMs
    this.#waitMs = waitMs
  }

  /** Takes an extension that has proved its key; it replaces the one before. */
  acceptExtension(socket: WebSocket, userAgent: string): void {
    const link = new ExtensionLink(socket, userAgent, event => this.#link === link && this.#onEvent(event))
    this.#link?.close()
    this.#link = link
    this.#isSynced = false
    clearTimeout(this.#awayTimer)
    this.#isAway = false
    socket.on('close', () => {
      if (this.#link !== link) return
      this.#link = undefined
      for (const tab of this.#tabs.values()) tab.onDetached()
      this.#awayTimer = setTimeout(() => this.#onAway(), this.#awayMs)
      this.#awayTimer.unref()
    })
    for (const tab of this.#tabs.values()) tab.onDetached()
    this.#reportClients()
  }

  acceptClient(socket: WebSocket, name: string): void {
    const client: RelayClient = new RelayClient(socket, name, {
      tabs: () => this.#tabsOf(client),
      version: async () => versionOf((await this.#waitForLink()).userAgent),
      open: () => this.#open(client),
      close: tab => this.#close(tab),
    })
    this.#clients.add(client)
    this.#shown.set(client, new Set())
    socket.on('close', () => this.#removeClient(client))
    // tabs that were lent before anyone could use them
    for (const tab of this.#tabs.values()) if (!this.#owners.has(tab)) this.#assign(tab, client)
    this.#reportClients()
  }

  status(): RelayStatus {
    return {
      browser: this.#link && versionOf(this.#link.userAgent).product,
      clients: [...this.#clients].map(({ name }) => name),
      tabs: [...this.#tabs.values()].map(tab => {
        const { title, url, kind } = tab.info
        const client = this.#owners.get(tab)?.name
        return { title, url, kind, ...(client !== undefined && { client }) }
      }),
    }
  }

  clientCount(): number {
    return this.#clients.size
  }

  close(): void {
    clearTimeout(this.#awayTimer)
    for (const client of this.#clients) client.disconnect()
    this.#link?.close()
  }

  #tabsOf(client: RelayClient): readonly RelayTab[] {
    return [...this.#tabs.values()].filter(tab => this.#owners.get(tab) === client)
  }

  #onEvent(event: ExtensionEvent): void {
    if (event.on === 'tabs') this.#onTabs(event.tabs)
    else if (event.on === 'tab') this.#onTab(event.tab, event.isAttached)
    else if (event.on === 'disconnect') this.#disconnect(event.client)
    else {
      const tab = this.#tabs.get(event.tab)
      if (tab) this.#onTabEvent(tab, event)
    }
  }

  /** The program may connect again at once, so more than the connection has to end. */
  #disconnect(clientId: string): void {
    this.#isDisconnected = true
    for (const client of this.#clients) if (client.id === clientId) client.disconnect()
  }

  #onTabEvent(tab: RelayTab, event: Extract<ExtensionEvent, { readonly tab: number }>): void {
    if (event.on === 'gone') this.#removeTab(tab, event.reason)
    if (event.on === 'detached') tab.onDetached()
    if (event.on === 'event') {
      this.#remember(tab, event)
      tab.onEvent(event, event.session)
    }
    if (event.on === 'assign') this.#reassign(tab, event.client)
  }

  /** The first message of an extension: what it still shares after it, or the relay, was stopped. */
  #onTabs(shared: readonly SharedTab[]): void {
    const present = new Set(shared.map(({ tab }) => tab))
    for (const [id, tab] of this.#tabs) if (!present.has(id)) this.#removeTab(tab, 'closed')
    for (const info of shared) {
      // tabs of clients that are gone with a relay before this one
      if (info.kind === 'opened' && !this.#tabs.has(info.tab))
        this.#link?.request({ do: 'close', tab: info.tab }).catch(() => {}) // closed already
      else this.#onTab(info)
    }
    this.#isSynced = true
    const waiting = this.#waiting.splice(0)
    if (this.#link) for (const { resolve } of waiting) resolve(this.#link)
    this.#reportClients()
  }

  #onTab(info: SharedTab, isAttached = false): void {
    const known = this.#tabs.get(info.tab)
    if (known) {
      known.info = info
      return
    }
    if (info.kind === 'lent') this.#isDisconnected = false
    const tab = this.#createTab(info)
    if (isAttached) tab.onAttached()
    const opener = info.opener === undefined ? undefined : this.#tabs.get(info.opener)
    const owner = (opener && this.#owners.get(opener)) ?? [...this.#clients].at(-1)
    if (owner) this.#assign(tab, owner, opener)
    this.#reportClients()
  }

  #createTab(info: SharedTab): RelayTab {
    const tab: RelayTab = new RelayTab(info, {
      link: () => this.#waitForLink(),
      deliver: (event, session) => this.#owners.get(tab)?.deliver(tab, event, session),
      isShown: origin => this.#shownBy(tab)?.has(origin) === true,
      idleMs: this.#idleMs,
    })
    this.#tabs.set(info.tab, tab)
    return tab
  }

  #assign(tab: RelayTab, client: RelayClient, opener?: RelayTab): void {
    this.#owners.set(tab, client)
    this.#shown.get(client)?.add(originOf(tab.info.url))
    client.addTab(tab, opener)
  }

  #reassign(tab: RelayTab, clientId: string): void {
    const client = [...this.#clients].find(({ id }) => id === clientId)
    const owner = this.#owners.get(tab)
    if (!client || client === owner) return
    tab.release().catch(() => {}) // the extension is gone
    this.#owners.delete(tab)
    owner?.removeTab(tab, 'The user gave the tab to another program.')
    this.#assign(tab, client)
    this.#reportClients()
  }

  async #open(client: RelayClient): Promise<RelayTab> {
    if (this.#isDisconnected) throw new CdpError('The user disconnected the programs; ask the user to lend a tab')
    const link = await this.#waitForLink()
    const info = (await link.request({ do: 'open', client: client.name })) as SharedTab
    const tab = this.#createTab(info)
    this.#assign(tab, client)
    this.#reportClients()
    return tab
  }

  async #close(tab: RelayTab): Promise<void> {
    const { kind, tab: id } = tab.info
    // at once: a page with a dialog closes late, and the next client must not get it
    this.#removeTab(tab, kind === 'lent' ? 'returned' : 'closed')
    // an extension that is stopped announces what it still shares when it starts: tabs that were opened are closed then
    await this.#link?.request({ do: kind === 'lent' ? 'return' : 'close', tab: id })
  }

  #removeTab(tab: RelayTab, reason: GoneReason): void {
    if (!this.#tabs.delete(tab.info.tab)) return
    tab.end()
    this.#owners.get(tab)?.removeTab(tab, goneReasons[reason])
    this.#owners.delete(tab)
    this.#reportClients()
  }

  /** The tabs that a client opened go with it; those that were lent wait for the next one. */
  #removeClient(client: RelayClient): void {
    this.#clients.delete(client)
    for (const tab of this.#tabsOf(client)) {
      this.#owners.delete(tab)
      const ended = tab.info.kind === 'opened' ? this.#close(tab) : tab.release()
      ended.catch(() => {}) // the extension is gone
    }
    this.#reportClients()
  }

  #remember(tab: RelayTab, { method, params }: { readonly method: string; readonly params: unknown }): void {
    if (method !== 'Page.frameNavigated') return
    const { frame } = params as { frame: { url: string; parentId?: string } }
    if (frame.parentId === undefined) this.#shownBy(tab)?.add(originOf(frame.url))
  }

  #shownBy(tab: RelayTab): Set<string> | undefined {
    const owner = this.#owners.get(tab)
    return owner && this.#shown.get(owner)
  }

  #reportClients(): void {
    const clients = [...this.#clients].map(client => ({
      id: client.id,
      name: client.name,
      tabs: this.#tabsOf(client).map(({ info }) => info.tab),
    }))
    this.#link?.notify({ do: 'clients', clients })
  }

  #waitForLink(): Promise<ExtensionLink> {
    if (this.#link && this.#isSynced) return Promise.resolve(this.#link)
    if (this.#isAway) return Promise.reject(new CdpError(browserAwayReason))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter(each => each !== wait)
        reject(new CdpError('The extension of pagehand is not connected to the relay'))
      }, this.#waitMs)
      const ended =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer)
          then(value)
        }
      const wait: LinkWait = { resolve: ended(resolve), reject: ended(reject) }
      this.#waiting.push(wait)
    })
  }

  /** An extension that was only restarted is back by now. */
  #onAway(): void {
    this.#isAway = true
    for (const { reject } of this.#waiting.splice(0)) reject(new CdpError(browserAwayReason))
  }
}

/** The product as CDP names it: Chrome/147.0.0.0. The name says that only some tabs are here. */
function versionOf(userAgent: string): { readonly product: string; readonly userAgent: string } {
  const [product = 'Chrome'] = /Chrome\/[\d.]+/.exec(userAgent) ?? []
  return { product: `${product} (pagehand relay)`, userAgent }
}

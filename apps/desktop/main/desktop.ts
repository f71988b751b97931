import type { SessionOptions } from 'pagehand/browser'
import { type AnyRun, type Result, wrap } from 'pagehand/tools'
import type { Box, BrowserPlace, DesktopCommand } from 'pagehand/wire'
import { ChatBrowser } from '../../studio/server/index.ts'
import { ChatTabs } from './chat-tabs.ts'
import { CommandMemory } from './command-memory.ts'
import { refuse } from './failure.ts'
import type { TabHost } from './ports.ts'
import { createTabPolicy } from './tab-policy.ts'

export interface DesktopOptions {
  /** names this app to the server: new at each start, since commands for an earlier one are lost */
  readonly clientId: string
  readonly host: TabHost
  /** the address of the studio that the window shows */
  readonly studio: URL
  /** how sessions of new tabs are opened: hosts, secrets */
  session(): Promise<SessionOptions>
}

/** The browser of one chat. */
export interface DesktopBrowser {
  readonly tabs: ChatTabs
  /** who has the page: the agent or a person */
  readonly shared: ChatBrowser<ChatTabs>
  /** runs commands of the agent, which wait while a person has the page */
  run(tabId: string): AnyRun
}

/** The browsers of all chats, and the commands that are carried out in them. */
export class Desktop {
  readonly #options: DesktopOptions
  readonly #browsers = new Map<string, Promise<DesktopBrowser>>()
  readonly #memory = new CommandMemory()
  #shown: { readonly chatId: string; readonly box: Box } | undefined
  #isClosed = false

  constructor(options: DesktopOptions) {
    this.#options = options
  }

  /** The browser of a chat, with at least one tab. */
  async browser(chatId: string): Promise<DesktopBrowser> {
    if (this.#isClosed) throw new Error('the app is closing')
    const pending = this.#browsers.get(chatId) ?? this.#create()
    this.#browsers.set(chatId, pending)
    pending.catch(() => this.#browsers.delete(chatId))
    const browser = await pending
    if (!browser.tabs.selected) await browser.tabs.openTab()
    return browser
  }

  async openBrowser(chatId: string): Promise<BrowserPlace> {
    const { tabs } = await this.browser(chatId)
    const tab = tabs.selected
    if (!tab) throw new Error('the tab was closed')
    return { clientId: this.#options.clientId, tabId: tab.id, viewKey: tabs.viewKey, cdpTargetId: await tab.targetId() }
  }

  /** Carries out a command at most once, and only in the tab that all its ids name. */
  runBrowserCommand(command: DesktopCommand): Promise<Result> {
    return this.#memory.execute(command, async signal => {
      const { sessionId, tabId, viewKey, cdpTargetId } = command
      const browser = await this.#browsers.get(sessionId)
      if (!browser || browser.tabs.viewKey !== viewKey) return refuse('target_closed', 'The browser of this chat is closed.')
      if (!(await browser.tabs.has(tabId, cdpTargetId))) return refuse('target_closed', 'The tab of this command is closed.')
      if (signal.aborted) return refuse('aborted', 'The run was stopped before the command began.')
      browser.shared.setAgentWorking(true)
      return browser.run(tabId)(command.command, signal)
    })
  }

  async setAgentWorking(chatId: string, isWorking: boolean): Promise<void> {
    if (!isWorking) this.#memory.stop(chatId)
    const browser = await this.#browsers.get(chatId)
    browser?.shared.setAgentWorking(isWorking)
  }

  async closeBrowser(chatId: string): Promise<void> {
    const browser = this.#browsers.get(chatId)
    this.#browsers.delete(chatId)
    this.#memory.stop(chatId)
    await (await browser?.catch(() => undefined))?.shared.close()
  }

  /** Shows the tab in front of a chat at a place of the window; null: shows none. */
  async placeBrowser(chatId: string, box: Box | null): Promise<void> {
    if (box) this.#shown = { chatId, box }
    else if (this.#shown?.chatId === chatId) this.#shown = undefined
    await this.#layOut()
  }

  /** Opens a link of the studio's page as a tab of the chat on display. */
  async openLink(url: string): Promise<void> {
    const chatId = this.#shown?.chatId
    if (chatId === undefined) return
    const { shared, tabs } = await this.browser(chatId)
    if (shared.controller !== 'agent') await tabs.run({ name: 'tabs', operation: 'new', url })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#browsers.keys()].map(chatId => this.closeBrowser(chatId)))
  }

  async #create(): Promise<DesktopBrowser> {
    const { host, studio } = this.#options
    const session = await this.#options.session()
    const policy = createTabPolicy({ studio, ...(session.hosts && { hosts: session.hosts }) })
    const onChange = () => void this.#layOut()
    const isAgentWorking = () => shared.controller === 'agent'
    const tabs = new ChatTabs({ host, policy, session: { fileRoots: [], uploadRoots: [], ...session }, onChange, isAgentWorking })
    const shared = new ChatBrowser(tabs)
    await tabs.openTab()
    return { tabs, shared, run: tabId => wrap((command, signal) => tabs.runIn(tabId, command, signal), shared.gate) }
  }

  async #layOut(): Promise<void> {
    const shown = this.#shown
    for (const [chatId, pending] of this.#browsers) {
      const { tabs } = await pending
      const front = shown?.chatId === chatId ? tabs.selected?.view : undefined
      for (const view of tabs.views) view.place(view === front && shown ? shown.box : null)
    }
  }
}

import type { SharedTab } from '../../src/relay/protocol.ts'

/** The tabs that are shared, kept while the browser runs: Chrome stops the service worker at any time. */
export class SharedTabs {
  readonly #onChange: () => void
  readonly #tabs = new Map<number, SharedTab>()
  readonly loaded: Promise<void>

  constructor(onChange: () => void) {
    this.#onChange = onChange
    this.loaded = this.#load()
  }

  all(): readonly SharedTab[] {
    return [...this.#tabs.values()]
  }

  get(tabId: number | undefined): SharedTab | undefined {
    return tabId === undefined ? undefined : this.#tabs.get(tabId)
  }

  set(tab: SharedTab): void {
    this.#tabs.set(tab.tab, tab)
    this.#save()
  }

  delete(tabId: number): boolean {
    const isShared = this.#tabs.delete(tabId)
    if (isShared) this.#save()
    return isShared
  }

  async #load(): Promise<void> {
    const { tabs } = await chrome.storage.session.get('tabs')
    for (const tab of (tabs ?? []) as SharedTab[]) {
      // it may have been closed while the service worker was stopped
      if (await chrome.tabs.get(tab.tab).catch(() => undefined)) this.#tabs.set(tab.tab, tab)
    }
    this.#onChange()
  }

  #save(): void {
    void chrome.storage.session.set({ tabs: this.all() })
    this.#onChange()
  }
}

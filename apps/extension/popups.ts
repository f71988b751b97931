/** how long after a page asked for a window its tab may appear */
const expectMs = 5_000

/**
 * Tells the tabs that pages in shared tabs open from those that the user opens there, with Control+click or the context menu of a link: then
 * the page did not ask for a window.
 */
export class Popups {
  /** when pages asked for windows, by tab */
  readonly #expected = new Map<number, number[]>()
  /** the active tab of each window, and the one before */
  readonly #active = new Map<number, { readonly current: number; readonly previous: number | undefined }>()

  /** the windows before the last input in a tab: only input lets a page open a window, which Chrome brings to the front */
  #windows: Promise<readonly chrome.windows.Window[]> = Promise.resolve([])

  /** Call it before a click or a key is sent to a tab. Nothing has to be awaited: Chrome carries out calls in order. */
  rememberWindows(): void {
    this.#windows = chrome.windows.getAll()
  }

  /** Call it when the page of a shared tab asks for a window. */
  expect(tabId: number): void {
    this.#expected.set(tabId, [...this.#recent(tabId), performance.now()])
  }

  /** Whether the page of a tab has asked for a window that has not appeared yet. */
  take(tabId: number): boolean {
    const [first, ...others] = this.#recent(tabId)
    this.#expected.set(tabId, others)
    return first !== undefined
  }

  onActivated({ tabId, windowId }: { readonly tabId: number; readonly windowId: number }): void {
    this.#active.set(windowId, { current: tabId, previous: this.#active.get(windowId)?.current })
  }

  /** Shows the tab again that the user was looking at, unless that was the one that opened the popup, and gives the focus back. */
  async keepFocus(tabId: number, openerId: number): Promise<void> {
    const tab = await chrome.tabs.get(tabId).catch(() => undefined) // closed meanwhile
    if (!tab) return
    const { current, previous } = this.#active.get(tab.windowId) ?? {}
    if (current === tabId && previous !== undefined && previous !== openerId)
      await chrome.tabs.update(previous, { active: true }).catch(() => {}) // closed meanwhile
    await this.#restoreWindow(tab.windowId).catch(() => {}) // closed meanwhile
  }

  async #restoreWindow(windowId: number): Promise<void> {
    const windows = await this.#windows
    const before = windows.find(({ id }) => id === windowId)
    if (before?.state === 'minimized') await chrome.windows.update(windowId, { state: 'minimized' })
    // not possible with every window manager
    else if (windows.length > 0 && !windows.some(({ focused }) => focused)) await chrome.windows.update(windowId, { focused: false })
  }

  #recent(tabId: number): number[] {
    return (this.#expected.get(tabId) ?? []).filter(at => performance.now() - at < expectMs)
  }
}

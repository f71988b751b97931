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

  /** Shows the tab again that the user was looking at, unless that was the one that opened the popup. */
  async keepFocus(tabId: number, openerId: number): Promise<void> {
    const tab = await chrome.tabs.get(tabId).catch(() => undefined) // closed meanwhile
    const { current, previous } = (tab && this.#active.get(tab.windowId)) ?? {}
    if (current !== tabId || previous === undefined || previous === openerId) return
    await chrome.tabs.update(previous, { active: true }).catch(() => {}) // closed meanwhile
  }

  #recent(tabId: number): number[] {
    return (this.#expected.get(tabId) ?? []).filter(at => performance.now() - at < expectMs)
  }
}

import type { SharedTab } from '../../src/relay/protocol.ts'

/** how long after a page asked for a window its tab may appear */
const expectMs = 5_000

/**
 * Finds tabs that pages in shared tabs open. A tab that the user opens from a shared tab, with Control+T or a middle click, has the same
 * opener, but its page did not ask for a window.
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

  /** The shared tab whose page opened a new tab. */
  async openerOf(tab: chrome.Tab, shared: readonly SharedTab[]): Promise<SharedTab | undefined> {
    const candidates = shared.filter(({ tab: id }) => this.#recent(id).length > 0)
    const opener =
      tab.openerTabId === undefined
        ? (await isPopupWindow(tab.windowId)) && candidates.at(-1)
        : candidates.find(({ tab: id }) => id === tab.openerTabId)
    if (!opener) return undefined
    this.#expected.set(opener.tab, this.#recent(opener.tab).slice(1))
    return opener
  }

  onActivated({ tabId, windowId }: { readonly tabId: number; readonly windowId: number }): void {
    this.#active.set(windowId, { current: tabId, previous: this.#active.get(windowId)?.current })
  }

  /** Shows the tab again that the user was looking at, unless that was the one that opened the popup. */
  async keepFocus({ id, windowId }: chrome.Tab, opener: SharedTab): Promise<void> {
    const { current, previous } = this.#active.get(windowId) ?? {}
    if (current !== id || previous === undefined || previous === opener.tab) return
    await chrome.tabs.update(previous, { active: true }).catch(() => {}) // closed meanwhile
  }

  #recent(tabId: number): number[] {
    return (this.#expected.get(tabId) ?? []).filter(at => performance.now() - at < expectMs)
  }
}

const isPopupWindow = async (windowId: number): Promise<boolean> =>
  (await chrome.windows.get(windowId).catch(() => undefined))?.type === 'popup'

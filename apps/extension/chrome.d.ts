// The part of the extension API that is used: https://developer.chrome.com/docs/extensions/reference/api
declare namespace chrome {
  export interface Event<Listener> {
    addListener(listener: Listener): void
    removeListener(listener: Listener): void
  }
  export interface Tab {
    readonly id?: number
    readonly windowId: number
    readonly active: boolean
    readonly discarded: boolean
    /** only of tabs that the user has just pointed the extension to */
    readonly title?: string
    readonly url?: string
  }
  export namespace tabs {
    const onUpdated: Event<(tabId: number, change: { readonly status?: string }) => void>
    const onRemoved: Event<(tabId: number) => void>
    const onReplaced: Event<(addedTabId: number, removedTabId: number) => void>
    const onActivated: Event<(info: { readonly tabId: number; readonly windowId: number }) => void>
    function query(query: { active?: boolean; currentWindow?: boolean; lastFocusedWindow?: boolean }): Promise<Tab[]>
    function get(tabId: number): Promise<Tab>
    function create(options: { url: string; active: boolean; windowId?: number }): Promise<Tab>
    function update(tabId: number, options: { url?: string; active?: boolean; autoDiscardable?: boolean }): Promise<Tab>
    function reload(tabId: number): Promise<void>
    function remove(tabId: number): Promise<void>
    function group(options: { tabIds: number[]; groupId?: number; createProperties?: { windowId: number } }): Promise<number>
    function ungroup(tabIds: number[]): Promise<void>
  }
  export namespace webNavigation {
    const onCreatedNavigationTarget: Event<(details: { readonly sourceTabId: number; readonly tabId: number }) => void>
  }
  export namespace tabGroups {
    function query(query: { title: string; windowId: number }): Promise<{ readonly id: number }[]>
    function update(groupId: number, options: { title: string; color: 'blue' }): Promise<unknown>
  }
  export namespace windows {
    interface Window {
      readonly id?: number
      readonly tabs?: Tab[]
      readonly focused: boolean
      readonly state?: string
    }
    function getAll(): Promise<Window[]>
    function update(windowId: number, options: { focused: false } | { state: 'minimized' }): Promise<Window>
    function getLastFocused(query: { windowTypes: ['normal'] }): Promise<Window>
    function create(options: { focused: boolean; url: string }): Promise<Window>
  }
  namespace tabDebugger {
    interface Debuggee {
      readonly tabId: number
      readonly sessionId?: string
    }
    type Source = { readonly tabId?: number; readonly sessionId?: string }
    const onEvent: Event<(source: Source, method: string, params?: object) => void>
    const onDetach: Event<(source: Source, reason: string) => void>
    function attach(target: Debuggee, version: string): Promise<void>
    function detach(target: Debuggee): Promise<void>
    function sendCommand(target: Debuggee, method: string, params?: object): Promise<object | undefined>
  }
  export namespace storage {
    interface Area {
      get(key: string): Promise<Record<string, unknown>>
      set(values: Record<string, unknown>): Promise<void>
      remove(key: string): Promise<void>
    }
    const local: Area
    const session: Area
  }
  export namespace alarms {
    const onAlarm: Event<(alarm: { readonly name: string }) => void>
    function get(name: string): Promise<{ readonly name: string } | undefined>
    function create(name: string, options: { periodInMinutes: number }): Promise<void>
  }
  export namespace contextMenus {
    const onClicked: Event<(info: { readonly menuItemId: string }, tab?: Tab) => void>
    function create(options: { id: string; title: string; contexts: string[] }, done?: () => void): void
    function update(id: string, options: { title: string }): Promise<void>
  }
  export namespace action {
    function setBadgeText(options: { text: string; tabId?: number }): Promise<void>
    function setBadgeBackgroundColor(options: { color: string }): Promise<void>
    function setTitle(options: { title: string; tabId?: number }): Promise<void>
  }
  export namespace runtime {
    interface Port {
      readonly name: string
      readonly onMessage: Event<(message: unknown) => void>
      readonly onDisconnect: Event<() => void>
      postMessage(message: unknown): void
    }
    const lastError: { readonly message: string } | undefined
    const onInstalled: Event<() => void>
    const onStartup: Event<() => void>
    const onConnect: Event<(port: Port) => void>
    function connect(options: { name: string }): Port
  }
  // a keyword cannot name a namespace
  export { tabDebugger as debugger }
}

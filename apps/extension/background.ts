// The service worker: shares tabs that the user lends, and nothing else. Chrome may stop it at any time; every listener is added at once, so
// that an event starts it again.
import type { ClientInfo, ExtensionMessage, RelayMessage, SharedTab } from '../../src/relay/protocol.ts'
import { openInBackground } from './agent-tabs.ts'
import type { PopupRequest, PopupState } from './messages.ts'
import { Popups } from './popups.ts'
import { RelayConnection } from './relay-connection.ts'
import { SharedTabs } from './shared-tabs.ts'
import { attach, attachNew, describe, detach, forgetAttached, isAttached, sendCommand } from './tab-debugger.ts'

let clients: readonly ClientInfo[] = []
let error = ''
const popupPorts = new Set<chrome.runtime.Port>()
const tabs = new SharedTabs(() => show())
const popups = new Popups()
/** the events of tabs that are about to be shared, by tab */
const early = new Map<number, ExtensionMessage[]>()
const relay = new RelayConnection({
  onReady: () => void tabs.loaded.then(() => relay.send({ on: 'tabs', tabs: tabs.all() })),
  onMessage: message => void handle(message),
  onChange: () => {
    // the programs are those of the relay
    if (relay.state !== 'connected') clients = []
    show()
  },
})

/** Shares the tab with the programs that use the relay. */
async function lend(tabId: number): Promise<void> {
  await tabs.loaded
  if (tabs.get(tabId)) return
  const found = await attach(tabId)
  // the bar of the debugger is shown only while the tab is in use
  await detach(tabId)
  await chrome.tabs.update(tabId, { autoDiscardable: false })
  share({ tab: tabId, kind: 'lent', ...found })
}

function share(tab: SharedTab, { isAttached = false } = {}): void {
  tabs.set(tab)
  relay.send({ on: 'tab', tab, isAttached })
}

async function takeBack(tabId: number): Promise<void> {
  await tabs.loaded
  if (!tabs.delete(tabId)) return
  relay.send({ on: 'gone', tab: tabId, reason: 'returned' })
  await detach(tabId)
  await chrome.tabs.update(tabId, { autoDiscardable: true }).catch(() => {}) // closed already
}

async function handle(message: RelayMessage): Promise<void> {
  if (message.do === 'pong') return
  if (message.do === 'clients') {
    clients = message.clients
    return show()
  }
  const { id } = message
  await tabs.loaded
  const answer = await carryOut(message).then(
    (result): ExtensionMessage => ({ id, result }),
    (failed: Error & { code?: number }): ExtensionMessage => ({
      id,
      error: { message: failed.message, ...(failed.code !== undefined && { code: failed.code }) },
    }),
  )
  relay.send(answer)
}

async function carryOut(request: Extract<RelayMessage, { readonly id: number }>): Promise<unknown> {
  if (request.do === 'open') {
    const tabId = await openInBackground(request.client)
    const tab: SharedTab = { tab: tabId, kind: 'opened', ...(await attach(tabId)) }
    tabs.set(tab)
    return tab
  }
  // the relay asks only for tabs that are shared; this is the place where it is enforced
  const tab = tabs.get(request.tab)
  if (!tab) throw new Error('This tab is not shared')
  switch (request.do) {
    case 'command':
      if (isInput(request)) popups.rememberWindows()
      return sendCommand(
        { tabId: tab.tab, ...(request.session !== undefined && { sessionId: request.session }) },
        request.method,
        request.params as object,
      )
    case 'attach': {
      const shared = { ...tab, ...(await attach(tab.tab)) }
      tabs.set(shared)
      return shared
    }
    case 'detach':
      await detach(tab.tab)
      return show()
    case 'return':
      return takeBack(tab.tab)
    case 'close':
      if (tab.kind === 'lent') throw new Error('Only the user closes a tab that was lent')
      tabs.delete(tab.tab)
      forgetAttached(tab.tab)
      return chrome.tabs.remove(tab.tab)
    case 'navigate':
      return navigate(tab.tab, request.url)
  }
}

/** Whether a command is a click or a key, after which a page may open a window. */
const isInput = ({ method, params }: { readonly method: string; readonly params?: unknown }): boolean =>
  /^Input\.dispatch/.test(method) &&
  /^(mousePressed|mouseReleased|keyDown|keyUp|touchEnd)$/.test(String((params as { type?: unknown })?.type))

/** Resolves when the page is shown. */
async function navigate(tabId: number, url: string): Promise<void> {
  await new Promise<void>(resolve => {
    const onUpdated = (updatedId: number, { status }: { readonly status?: string }) => {
      if (updatedId !== tabId || status !== 'complete') return
      chrome.tabs.onUpdated.removeListener(onUpdated)
      resolve()
    }
    chrome.tabs.onUpdated.addListener(onUpdated)
    void chrome.tabs.update(tabId, { url })
  })
}

/** events after which a tab may have another title or URL */
const navigationEvents = new Set(['Page.frameNavigated', 'Page.navigatedWithinDocument', 'Page.loadEventFired'])

async function refresh(tabId: number): Promise<void> {
  const found = await describe(tabId).catch(() => undefined) // detached meanwhile
  const known = tabs.get(tabId)
  if (found && known && (found.title !== known.title || found.url !== known.url)) share({ ...known, ...found })
}

chrome.debugger.onEvent.addListener(async ({ tabId, sessionId }, method, params) => {
  await tabs.loaded
  const held = tabId === undefined ? undefined : early.get(tabId)
  if (tabId === undefined || (!tabs.get(tabId) && !held)) return
  if (method === 'Page.windowOpen') popups.expect(tabId)
  if (sessionId === undefined && !held && navigationEvents.has(method)) void refresh(tabId)
  const event = { on: 'event', tab: tabId, method, params: params ?? {}, ...(sessionId !== undefined && { session: sessionId }) } as const
  if (held) held.push(event)
  else relay.send(event)
})

chrome.debugger.onDetach.addListener(async ({ tabId }, reason) => {
  await tabs.loaded
  if (tabId === undefined) return
  forgetAttached(tabId)
  // the button on the bar of the debugger
  if (reason === 'canceled_by_user') return takeBack(tabId)
  if (tabs.get(tabId)) relay.send({ on: 'detached', tab: tabId })
  show()
})

chrome.tabs.onRemoved.addListener(async tabId => {
  await tabs.loaded
  forgetAttached(tabId)
  if (tabs.delete(tabId)) relay.send({ on: 'gone', tab: tabId, reason: 'closed' })
})

chrome.tabs.onReplaced.addListener(async (addedId, removedId) => {
  await tabs.loaded
  const shared = tabs.get(removedId)
  if (!shared) return
  // in this order, so that a program that has no other tab goes on in the new one
  const found = await attach(addedId).catch(() => undefined) // closed meanwhile
  if (found) share({ ...shared, ...found, tab: addedId }, { isAttached: true })
  tabs.delete(removedId)
  relay.send({ on: 'gone', tab: removedId, reason: 'replaced' })
})

// tabs.onCreated would name the active tab of the window as the opener, whichever tab it was
chrome.webNavigation.onCreatedNavigationTarget.addListener(async ({ sourceTabId, tabId }) => {
  await tabs.loaded
  if (!tabs.get(sourceTabId) || !popups.take(sourceTabId)) return
  const events: ExtensionMessage[] = []
  early.set(tabId, events)
  const found = await attachNew(tabId).catch(() => undefined) // closed already, or not a page
  early.delete(tabId)
  if (!found) return
  share({ tab: tabId, kind: 'opened', opener: sourceTabId, ...found }, { isAttached: true })
  for (const event of events) relay.send(event)
  void refresh(tabId)
  await popups.keepFocus(tabId, sourceTabId)
})

chrome.tabs.onActivated.addListener(info => {
  popups.onActivated(info)
  void tabs.loaded.then(() => showMenu(info.tabId))
})

const menuId = 'lend'
const showMenu = (tabId: number) =>
  chrome.contextMenus
    .update(menuId, { title: tabs.get(tabId) ? 'Take this tab back from pagehand' : 'Lend this tab to pagehand' })
    .catch(() => {}) // not created yet

chrome.contextMenus.onClicked.addListener(async ({ menuItemId }, tab) => {
  await tabs.loaded
  if (menuItemId !== menuId || tab?.id === undefined) return
  await attempt(tabs.get(tab.id) ? takeBack(tab.id) : lend(tab.id))
  await showMenu(tab.id)
})

chrome.runtime.onConnect.addListener(port => {
  popupPorts.add(port)
  port.onDisconnect.addListener(() => popupPorts.delete(port))
  port.onMessage.addListener(message => void answerPopup(message as PopupRequest))
  error = ''
  void tabs.loaded.then(() => relay.connect()).then(() => show())
})

async function answerPopup(request: PopupRequest): Promise<void> {
  await tabs.loaded
  error = ''
  if (request.do === 'lend') await attempt(lend(request.tab))
  if (request.do === 'take back') await attempt(takeBack(request.tab))
  if (request.do === 'show') await chrome.tabs.update(request.tab, { active: true })
  if (request.do === 'assign') relay.send({ on: 'assign', tab: request.tab, client: request.client })
  if (request.do === 'disconnect all') {
    for (const { tab } of tabs.all()) await takeBack(tab)
    for (const { id } of clients) relay.send({ on: 'disconnect', client: id })
  }
  if (request.do === 'pair') error = await relay.pair(request.code, request.port)
  if (request.do === 'unpair') await relay.unpair()
  if (request.do === 'connect') await relay.connect()
  show()
}

/** The user sees the reason in the popup. */
async function attempt(work: Promise<unknown>): Promise<void> {
  await work.catch((failed: Error) => {
    error = failed.message
  })
}

function show(): void {
  const shared = tabs.all().map(tab => ({ ...tab, isAttached: isAttached(tab.tab) }))
  const state: PopupState = { connection: relay.state, tabs: shared, clients, error }
  for (const port of popupPorts) port.postMessage(state)
  void chrome.action.setBadgeText({ text: shared.length === 0 ? '' : String(shared.length) })
  void chrome.action.setBadgeBackgroundColor({ color: relay.state === 'connected' ? '#0f766e' : '#6b7280' })
  const names = clients.filter(client => client.tabs.length > 0).map(({ name }) => name)
  const users = names.length === 0 ? '' : `, used by ${names.join(', ')}`
  const count = `${shared.length} ${shared.length === 1 ? 'tab' : 'tabs'} shared`
  void chrome.action.setTitle({ title: shared.length === 0 ? 'pagehand: lend this tab' : `pagehand: ${count}${users}` })
}

const alarm = 'connect'
chrome.alarms.onAlarm.addListener(({ name }) => void (name === alarm && relay.connect()))
// whenever the service worker starts: onInstalled is lost if Chrome stops it too early, and nothing would start it again
void chrome.alarms.get(alarm).then(async known => {
  // 30 s is the shortest period: https://developer.chrome.com/docs/extensions/reference/api/alarms
  if (!known) await chrome.alarms.create(alarm, { periodInMinutes: 0.5 })
})
const onStart = () =>
  chrome.contextMenus.create({ id: menuId, title: 'Lend this tab to pagehand', contexts: ['page', 'action'] }, () => {
    void chrome.runtime.lastError // it exists already
  })
chrome.runtime.onInstalled.addListener(onStart)
chrome.runtime.onStartup.addListener(onStart)
void relay.connect()

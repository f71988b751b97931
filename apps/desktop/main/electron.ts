// The program, and the only file of the main process that knows Electron: it connects Electron's objects to the interfaces of ports.ts.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { app, BrowserWindow, ipcMain, type Session, session, type WebContents, WebContentsView, type WebPreferences } from 'electron'
import type { Box } from 'pagehand/wire'
import { clientArgument } from '../channels.ts'
import { Desktop } from './desktop.ts'
import { handleCalls } from './ipc.ts'
import type { Ipc, OpenTabOptions, TabHost, TabView, TabViewEvents } from './ports.ts'
import { openStudio, parseFlags } from './studio.ts'
import type { TabPolicy } from './tab-policy.ts'

declare const __VERSION__: string

/** Beside the window rather than hidden: a hidden page stops drawing, and the agent needs its pictures. */
const outOfSight = -20_000

const safe = { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false } as const satisfies WebPreferences

/** Camera, location, notifications, devices, other programs: nothing that a page could ask for is granted. */
function denyPermissions(given: Session): void {
  given.setPermissionRequestHandler((_, __, answer) => answer(false))
  given.setPermissionCheckHandler(() => false)
  given.setDevicePermissionHandler(() => false)
  given.setDisplayMediaRequestHandler((_, answer) => answer(null))
}

function guardTabs(tabs: Session, policy: TabPolicy): void {
  denyPermissions(tabs)
  tabs.on('will-download', event => event.preventDefault())
  tabs.webRequest.onBeforeRequest(({ url, resourceType }, answer) => {
    const isDocument = resourceType === 'mainFrame' || resourceType === 'subFrame'
    answer({ cancel: !(isDocument ? policy.allowsDocument(url) : policy.allowsResource(url)) })
  })
}

class ElectronTabView implements TabView {
  readonly #window: BrowserWindow
  readonly #view: WebContentsView
  /** the same object, also when the page is gone and Electron no longer gives it out */
  readonly debugger: WebContents['debugger']

  constructor(window: BrowserWindow, view: WebContentsView) {
    this.#window = window
    this.#view = view
    this.debugger = view.webContents.debugger
    window.contentView.addChildView(view)
    view.setBounds({ x: outOfSight, y: 0, width: 1280, height: 800 })
  }

  url = () => (this.#isGone ? '' : this.#view.webContents.getURL())
  title = () => (this.#isGone ? '' : this.#view.webContents.getTitle())

  place(box: Box | null): void {
    if (this.#isGone || this.#window.isDestroyed()) return
    const { width, height } = this.#view.getBounds()
    if (!box) {
      this.#view.setBounds({ x: outOfSight, y: 0, width, height })
      return
    }
    // the page of the studio measures in its own pixels
    const zoom = this.#window.webContents.getZoomFactor()
    const [x, y, w, h] = [box.x, box.y, box.width, box.height].map(each => Math.round(each * zoom)) as [number, number, number, number]
    this.#view.setBounds({ x, y, width: w, height: h })
  }

  close(): void {
    if (!this.#window.isDestroyed()) this.#window.contentView.removeChildView(this.#view)
    if (!this.#isGone) this.#view.webContents.close({ waitForBeforeUnload: false })
  }

  get #isGone(): boolean {
    return !this.#view.webContents || this.#view.webContents.isDestroyed()
  }
}

class ElectronTabHost implements TabHost {
  readonly #window: BrowserWindow

  constructor(window: BrowserWindow) {
    this.#window = window
  }

  async open({ partition, policy, events }: OpenTabOptions): Promise<TabView> {
    const tabs = session.fromPartition(partition)
    guardTabs(tabs, policy)
    // backgroundThrottling: an agent works in tabs that nobody looks at
    const view = new WebContentsView({ webPreferences: { ...safe, session: tabs, backgroundThrottling: false } })
    const tabView = new ElectronTabView(this.#window, view)
    this.#connect(view.webContents, policy, events)
    await view.webContents.loadURL('about:blank')
    return tabView
  }

  #connect(contents: WebContents, policy: TabPolicy, events: TabViewEvents): void {
    const guard = (details: { readonly url: string; preventDefault(): void }) => {
      if (!policy.allowsDocument(details.url)) details.preventDefault()
    }
    contents.on('will-frame-navigate', guard)
    contents.on('will-redirect', guard)
    contents.on('will-attach-webview', event => event.preventDefault())
    contents.on('page-title-updated', events.changed)
    contents.on('did-navigate', events.changed)
    contents.on('did-navigate-in-page', events.changed)
    contents.on('destroyed', events.closed)
    contents.setWindowOpenHandler(({ url }) => {
      if (!events.allowsWindow(url)) return { action: 'deny' }
      return {
        action: 'allow',
        outlivesOpener: true,
        overrideBrowserWindowOptions: { webPreferences: { ...safe, backgroundThrottling: false } },
        createWindow: options => {
          const view = new WebContentsView(options)
          this.#connect(view.webContents, policy, events.windowOpened(new ElectronTabView(this.#window, view)))
          return view.webContents
        },
      }
    })
  }
}

/** The window with the page of the studio: the only one with the preload script, and it never shows another origin. */
function openWindow(clientId: string, studio: URL, onLink: (url: string) => void): BrowserWindow {
  const own = session.fromPartition('persist:pagehand-studio')
  denyPermissions(own)
  const preload = join(import.meta.dirname, 'preload.cjs')
  const webPreferences = { ...safe, session: own, preload, additionalArguments: [clientArgument + clientId] }
  const window = new BrowserWindow({ width: 1440, height: 900, title: 'pagehand', webPreferences })
  const stay = (details: { readonly url: string; preventDefault(): void }) => {
    if (!URL.canParse(details.url) || new URL(details.url).origin !== studio.origin) details.preventDefault()
  }
  window.webContents.on('will-frame-navigate', stay)
  window.webContents.on('will-redirect', stay)
  window.webContents.on('will-attach-webview', event => event.preventDefault())
  window.webContents.setWindowOpenHandler(({ url }) => {
    onLink(url)
    return { action: 'deny' }
  })
  return window
}

const createIpc = (window: BrowserWindow): Ipc => ({
  handle: (channel, listener) =>
    ipcMain.handle(channel, ({ sender, senderFrame }, ...given) =>
      listener(
        {
          isStudioView: !window.isDestroyed() && sender === window.webContents,
          // null if the frame has gone elsewhere since it sent the message
          isMainFrame: senderFrame !== null && senderFrame === sender.mainFrame,
          origin: senderFrame?.origin ?? '',
        },
        ...given,
      ),
    ),
  send: (channel, ...given) => {
    if (!window.isDestroyed()) window.webContents.send(channel, ...given)
  },
})

async function main(): Promise<void> {
  const studio = await openStudio({
    flags: parseFlags(process.argv.slice(app.isPackaged ? 1 : 2)),
    dataFolder: join(app.getPath('userData'), 'studio'),
    webFolder: join(import.meta.dirname, '../studio/web'),
    version: __VERSION__,
  })
  const clientId = `desktop-${randomUUID()}`
  const window: BrowserWindow = openWindow(clientId, studio.link, url => void desktop.openLink(url).catch(() => {})) // it was closed
  const host = new ElectronTabHost(window)
  const desktop: Desktop = new Desktop({ clientId, host, studio: studio.link, session: () => studio.session() })
  const endLiveViews = handleCalls({ ipc: createIpc(window), desktop, studio: studio.link })
  window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => isMainFrame && !isSameDocument && endLiveViews())
  window.webContents.on('render-process-gone', endLiveViews)
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore()
    window.focus()
  })
  app.on('window-all-closed', () => app.quit())
  let isClosing = false
  app.on('before-quit', event => {
    if (isClosing) return
    isClosing = true
    event.preventDefault()
    const closed = desktop.close().then(() => studio.close())
    // a page or a run that does not end must not keep the app
    const late = new Promise<void>(resolve => setTimeout(resolve, 10_000))
    void Promise.race([closed.catch((error: unknown) => console.error(error)), late]).then(() => app.exit(0))
  })
  await window.loadURL(studio.link.href)
}

// two apps on one data folder would write to one database
if (!app.requestSingleInstanceLock()) app.quit()
else {
  app.enableSandbox()
  app
    .whenReady()
    .then(main)
    .catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error)
      app.exit(1)
    })
}

import { once } from 'node:events'
import type { Box } from 'pagehand/wire'
import { WebSocket } from 'ws'
import type { OpenTabOptions, TabHost, TabView, TabViewEvents } from '../../apps/desktop/main/ports.ts'
import { PageDebugger, startUserBrowser, type UserBrowser } from './user-browser.ts'

interface TargetInfo {
  readonly targetId: string
  readonly type: string
  readonly title: string
  readonly url: string
  readonly openerId?: string
}

/** A page of a real Chromium in the place of a WebContentsView. */
export class ChromiumTabView implements TabView {
  readonly debugger: PageDebugger
  readonly targetId: string
  readonly #host: ChromiumTabs
  info: TargetInfo
  /** where the app has placed it last */
  box: Box | null = null

  constructor(host: ChromiumTabs, info: TargetInfo) {
    this.#host = host
    this.info = info
    this.targetId = info.targetId
    this.debugger = new PageDebugger(`ws://127.0.0.1:${host.port}/devtools/page/${info.targetId}`)
  }

  url = () => this.info.url
  title = () => this.info.title

  place(box: Box | null): void {
    this.box = box
  }

  close(): void {
    this.#host.send('Target.closeTarget', { targetId: this.targetId }).catch(() => {}) // closed already
  }
}

/** The tabs of the desktop app in a real Chromium. What Electron does by itself for windows that pages open is done here. */
export class ChromiumTabs implements TabHost {
  readonly views = new Map<string, ChromiumTabView>()
  readonly #events = new Map<string, TabViewEvents>()
  readonly #contexts = new Map<string, Promise<string>>()
  readonly #browser: UserBrowser
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, { resolve(result: never): void; reject(error: Error): void }>()
  #lastId = 0

  private constructor(browser: UserBrowser, socket: WebSocket) {
    this.#browser = browser
    this.#socket = socket
    socket.on('message', data => this.#receive(JSON.parse(String(data))))
  }

  static async start(): Promise<ChromiumTabs> {
    const browser = await startUserBrowser(['--site-per-process'])
    const { webSocketDebuggerUrl } = (await (await fetch(`http://127.0.0.1:${browser.port}/json/version`)).json()) as {
      webSocketDebuggerUrl: string
    }
    const socket = new WebSocket(webSocketDebuggerUrl)
    await once(socket, 'open')
    const tabs = new ChromiumTabs(browser, socket)
    await tabs.send('Target.setDiscoverTargets', { discover: true })
    return tabs
  }

  get port(): number {
    return this.#browser.port
  }

  async open({ partition, events }: OpenTabOptions): Promise<TabView> {
    const context =
      this.#contexts.get(partition) ??
      this.send<{ browserContextId: string }>('Target.createBrowserContext').then(made => made.browserContextId)
    this.#contexts.set(partition, context)
    const { targetId } = await this.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
      browserContextId: await context,
    })
    return this.#add({ targetId, type: 'page', title: '', url: 'about:blank' }, () => events)
  }

  send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#lastId
    this.#socket.send(JSON.stringify({ id, method, params }))
    return new Promise<T>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close()
    await this.#browser[Symbol.asyncDispose]()
  }

  #add(info: TargetInfo, connect: (view: ChromiumTabView) => TabViewEvents): ChromiumTabView {
    const view = new ChromiumTabView(this, info)
    this.views.set(info.targetId, view)
    this.#events.set(info.targetId, connect(view))
    return view
  }

  #receive({ id, result, error, method, params }: { id?: number; result?: never; error?: Error; method?: string; params?: never }): void {
    if (id !== undefined) {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error) waiting?.reject(new Error(error.message))
      else waiting?.resolve(result as never)
    }
    if (method === 'Target.targetCreated') this.#onCreated((params as unknown as { targetInfo: TargetInfo }).targetInfo)
    if (method === 'Target.targetInfoChanged') this.#onChanged((params as unknown as { targetInfo: TargetInfo }).targetInfo)
    if (method === 'Target.targetDestroyed') this.#onDestroyed((params as unknown as { targetId: string }).targetId)
  }

  /** Electron asks before it creates the window; Chromium tells afterwards. */
  #onCreated(info: TargetInfo): void {
    const opener = info.openerId === undefined ? undefined : this.#events.get(info.openerId)
    if (!opener || info.type !== 'page' || this.views.has(info.targetId)) return
    // the address comes with the next message
    if (info.url === '') return
    if (opener.allowsWindow(info.url)) this.#add(info, view => opener.windowOpened(view))
    else this.send('Target.closeTarget', { targetId: info.targetId }).catch(() => {})
  }

  #onChanged(info: TargetInfo): void {
    const view = this.views.get(info.targetId)
    if (!view) {
      this.#onCreated(info)
      return
    }
    view.info = info
    this.#events.get(info.targetId)?.changed()
  }

  #onDestroyed(targetId: string): void {
    this.views.get(targetId)?.debugger.destroy()
    this.views.delete(targetId)
    this.#events.get(targetId)?.closed()
    this.#events.delete(targetId)
  }
}

import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { Debugger } from '../../src/browser.ts'
import { findBrowser } from '../../src/drivers/cdp/browser/find.ts'
import { endGroup, until } from './processes.ts'

/** A running browser of a user, with a debugging port. */
export interface UserBrowser {
  readonly pid: number
  readonly port: number
  /** the user data folder, which contains the DevToolsActivePort file */
  readonly folder: string
  targets(): Promise<{ readonly id: string; readonly type: string; readonly url: string; readonly webSocketDebuggerUrl: string }[]>
  [Symbol.asyncDispose](): Promise<void>
}

interface UserBrowserOptions {
  readonly executablePath?: string
  /** @default true */
  readonly headless?: boolean
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv
}

export async function startUserBrowser(args: readonly string[] = [], options: UserBrowserOptions = {}): Promise<UserBrowser> {
  const { headless = true } = options
  const { executablePath, libraryPath, fontsFile } = await findBrowser({ executablePath: options.executablePath, headless })
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-daily-'))
  const env = {
    ...(options.env ?? process.env),
    ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }),
    ...(fontsFile && { FONTCONFIG_FILE: fontsFile }),
  }
  const flags = [
    ...(headless ? ['--headless=new'] : []),
    '--no-sandbox',
    // the pages of the tests open windows without a click, which the headless shell never blocks
    '--disable-popup-blocking',
    '--remote-debugging-port=0',
    `--user-data-dir=${folder}`,
    ...args,
    'about:blank',
  ]
  const child = spawn(executablePath, flags, { env, detached: true, stdio: 'ignore' })
  const active = () => readFile(join(folder, 'DevToolsActivePort'), 'utf8').catch(() => '')
  await until(async () => (await active()).includes('/devtools/'), { withinMs: 30_000, what: 'a debugging port' })
  const port = Number((await active()).split('\n')[0])
  return {
    pid: child.pid ?? 0,
    port,
    folder,
    targets: async () => (await fetch(`http://127.0.0.1:${port}/json/list`)).json() as never,
    async [Symbol.asyncDispose]() {
      await endGroup(child.pid ?? 0)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The API of Electron's `webContents.debugger` for a page of a real browser: commands and events of the page only. */
export class PageDebugger extends EventEmitter implements Debugger {
  readonly calls: string[] = []
  readonly #url: string
  #socket: WebSocket | undefined
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  #lastId = 0
  #isDestroyed = false

  constructor(webSocketDebuggerUrl: string) {
    super()
    this.#url = webSocketDebuggerUrl
  }

  isAttached(): boolean {
    this.#requireWindow()
    return this.#socket !== undefined
  }

  attach(): void {
    if (this.isAttached()) throw new Error('Debugger is already attached to the target')
    const socket = new WebSocket(this.#url)
    this.#socket = socket
    socket.on('message', data => this.#socket === socket && this.#receive(JSON.parse(String(data))))
    socket.on('close', () => this.#socket === socket && this.end('target closed'))
    socket.on('error', () => {}) // closed next
  }

  detach(): void {
    this.#requireWindow()
    this.end('target closed')
  }

  /** Ends the connection as the browser does: the page was closed, or DevTools took its place. */
  end(reason: string): void {
    const socket = this.#socket
    if (!socket) return
    this.#socket = undefined
    socket.close()
    for (const { reject } of this.#waiting.values()) reject(new Error('target closed while handling command'))
    this.#waiting.clear()
    this.emit('detach', {}, reason)
  }

  /** The window is gone: from now on every method throws, as in Electron. */
  destroy(): void {
    this.end('target closed')
    this.#isDestroyed = true
  }

  sendCommand(method: string, params?: unknown, sessionId?: string): Promise<unknown> {
    this.#requireWindow()
    const socket = this.#socket
    if (!socket) return Promise.reject(new Error('No target available'))
    this.calls.push(method)
    const id = ++this.#lastId
    const message = JSON.stringify({ id, method, params: params ?? {}, ...(sessionId && { sessionId }) })
    if (socket.readyState === WebSocket.CONNECTING) socket.once('open', () => socket.send(message))
    else socket.send(message)
    return new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #receive({ id, result, error, method, params, sessionId }: CdpMessage): void {
    if (id === undefined) return void this.emit('message', {}, method, params, sessionId ?? '')
    if (error) this.#waiting.get(id)?.reject(new Error(error.message))
    else this.#waiting.get(id)?.resolve(result)
    this.#waiting.delete(id)
  }

  #requireWindow(): void {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed')
  }
}

interface CdpMessage {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
  readonly method?: string
  readonly params?: unknown
  readonly sessionId?: string
}

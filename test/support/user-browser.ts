import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
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

export async function startUserBrowser(args: readonly string[] = []): Promise<UserBrowser> {
  const { executablePath, libraryPath, fontsFile } = await findBrowser()
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-daily-'))
  const env = { ...process.env, ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }), ...(fontsFile && { FONTCONFIG_FILE: fontsFile }) }
  const flags = ['--headless=new', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${folder}`, ...args, 'about:blank']
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
export async function openDebugger(webSocketDebuggerUrl: string): Promise<Debugger & { readonly calls: string[] }> {
  const wire = new WebSocket(webSocketDebuggerUrl)
  await once(wire, 'open')
  const events = new EventEmitter()
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  const calls: string[] = []
  let lastId = 0
  let isAttached = false
  wire.on('message', data => {
    const { id, result, error, method, params, sessionId } = JSON.parse(String(data))
    if (id === undefined) return isAttached && events.emit('message', {}, method, params, sessionId ?? '')
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result)
    return waiting.delete(id)
  })
  wire.on('close', () => isAttached && events.emit('detach', {}, 'target closed'))
  return Object.assign(events, {
    calls,
    isAttached: () => isAttached,
    attach() {
      isAttached = true
    },
    detach() {
      isAttached = false
      wire.close()
    },
    sendCommand(method: string, params?: unknown, sessionId?: string) {
      calls.push(method)
      const id = ++lastId
      wire.send(JSON.stringify({ id, method, params: params ?? {}, ...(sessionId && { sessionId }) }))
      return new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
    },
  })
}

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Ipc, IpcSender } from '../../apps/desktop/main/ports.ts'
import { buildDesktop } from '../../scripts/programs.mjs'

type Listener = (sender: IpcSender, ...given: unknown[]) => unknown

/**
 * The messages between the main process and a page, with the real preload script: what Electron does for both, over a page of a real browser.
 * Unlike in Electron, the preload script shares the world of the page.
 */
export class PageIpc implements Ipc {
  readonly #page: Page
  readonly #listeners = new Map<string, Listener>()

  private constructor(page: Page) {
    this.#page = page
  }

  static async connect(page: Page, clientId: string): Promise<PageIpc> {
    const ipc = new PageIpc(page)
    await page.exposeBinding('ipcInvoke', ({ page: from, frame }, channel: string, given: unknown[]) => {
      const origin = new URL(frame.url()).origin
      return ipc.#listeners.get(channel)?.({ isStudioView: from === page, isMainFrame: frame === from.mainFrame(), origin }, ...given)
    })
    await page.addInitScript({ content: inPage(await preloadScript(), clientId) })
    return ipc
  }

  handle(channel: string, listener: Listener): void {
    this.#listeners.set(channel, listener)
  }

  send(channel: string, ...given: unknown[]): void {
    const deliver = ([to, values]: readonly [string, unknown[]]) =>
      (window as unknown as { ipcDeliver?(channel: string, given: unknown[]): void }).ipcDeliver?.(to, values)
    this.#page.evaluate(deliver, [channel, given] as const).catch(() => {}) // the page is being reloaded
  }
}

async function preloadScript(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-desktop-'))
  await buildDesktop(folder)
  const script = await readFile(join(folder, 'preload.cjs'), 'utf8')
  await rm(folder, { recursive: true })
  return script
}

const inPage = (preload: string, clientId: string): string => `(() => {
  const listeners = new Map()
  window.ipcDeliver = (channel, given) => listeners.get(channel)?.({}, ...given)
  const electron = {
    contextBridge: { exposeInMainWorld: (name, api) => { window[name] = Object.freeze(api) } },
    ipcRenderer: {
      invoke: (channel, ...given) => window.ipcInvoke(channel, given),
      on: (channel, listener) => listeners.set(channel, listener),
    },
  }
  const process = { argv: ['--pagehand-client=${clientId}'] }
  const require = () => electron
  const module = { exports: {} }
  ${preload}
})()`

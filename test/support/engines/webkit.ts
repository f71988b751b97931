import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../processes.ts'
import type { Engine } from './engine.ts'
import { findExecutable, startProcess } from './process.ts'

export interface WebKit {
  readonly driver: string
  readonly browser: string
  readonly screen: string
}

/** WebKitGTK as packaged by Debian: the driver, the MiniBrowser of the library, and a virtual display. */
export function findWebKit(): WebKit | undefined {
  const driver = findExecutable('WebKitWebDriver')
  const browser = findExecutable(...folders('/usr/lib').map(folder => `${folder}/webkit2gtk-4.1/MiniBrowser`))
  const screen = findExecutable('Xvfb')
  return driver && browser && screen ? { driver, browser, screen } : undefined
}

/** https://w3c.github.io/webdriver/, with the options of WebKitGTK */
export async function openWebKit({ driver, browser, screen }: WebKit): Promise<Engine> {
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const home = await mkdtemp(join(tmpdir(), 'pagehand-webkit-'))
    undo.push(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
    const xvfb = await startProcess(screen, ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'])
    undo.push(() => xvfb.end())
    const [display] = await xvfb.waitForOutput(/^\d+(?=\n)/)
    const port = await freePort()
    const webdriver = await startProcess(driver, [`--port=${port}`], {
      ...process.env,
      ...{ DISPLAY: `:${display}`, HOME: home, XDG_RUNTIME_DIR: home, GDK_BACKEND: 'x11' },
      // without a GPU, a session bus or settings
      ...{ LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1', NO_AT_BRIDGE: '1', GSETTINGS_BACKEND: 'memory' },
    })
    undo.push(() => webdriver.end())
    const root = `http://127.0.0.1:${port}`
    await until(
      () =>
        ask(`${root}/status`).then(
          () => true,
          () => false,
        ),
      { what: 'the start of WebKitWebDriver', withinMs: 20_000 },
    )

    const { sessionId, capabilities } = await ask<Session>(`${root}/session`, {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } } },
    })
    const session = `${root}/session/${sessionId}`
    undo.push(() => ask(session, undefined, 'DELETE').catch(() => {})) // the session may have ended; its processes are killed next
    await ask(`${session}/window/rect`, { x: 0, y: 0, width: 1280, height: 800 })
    return {
      name: 'WebKit',
      version: capabilities.browserVersion,
      goto: async url => void (await ask(`${session}/url`, { url })),
      // the driver runs a function body, but the expression may be any program text
      evaluate: expression => ask<string>(`${session}/execute/sync`, { script: 'return (0, eval)(arguments[0])', args: [expression] }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Session {
  readonly sessionId: string
  readonly capabilities: { readonly browserVersion: string }
}

async function ask<T>(url: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(30_000) })
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function folders(root: string): string[] {
  try {
    return readdirSync(root).map(name => join(root, name))
  } catch {
    return [] // another system
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { buildExtension } from '../../scripts/build-extension.mjs'
import { connect } from '../../src/browser.ts'
import type { CdpConnection } from '../../src/drivers/cdp/connection/connection.ts'
import { extensionId } from '../../src/relay/protocol.ts'
import { endGroup, until } from './processes.ts'

/** A complete Chromium: the headless shell has no extensions, and Chrome itself ignores --load-extension since version 137. */
export function findExtensionBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const names = ['chromium', 'chromium-browser'].flatMap(name => (env.PATH ?? '').split(delimiter).map(folder => join(folder, name)))
  return [env.PAGEHAND_EXTENSION_CHROME ?? '', ...names].find(path => path && existsSync(path))
}

/** why tests with the extension are skipped */
export const noExtensionBrowser = 'no Chromium with extensions is installed: install Chromium, or set PAGEHAND_EXTENSION_CHROME'

/** The browser of a user with the extension, operated as the user would. */
export interface ExtensionBrowser {
  readonly pid: number
  readonly port: number
  /** sees everything in the browser; for the test only */
  readonly connection: CdpConnection
  /** Enters the code in the popup. */
  pair(code: string, relayPort: number): Promise<void>
  /** Opens a tab as the user does, in the foreground. */
  openTab(url: string): Promise<UserTab>
  /** Clicks "Lend this tab" in the popup. */
  lend(tab: UserTab): Promise<void>
  /** Clicks "Take this tab back" in the popup. */
  takeBack(tab: UserTab): Promise<void>
  /** Opens the popup for a tab. */
  openPopup(tab?: UserTab): Promise<Popup>
  /** evaluates in the service worker */
  evaluate<T>(body: string): Promise<T>
  /** ends the service worker, as Chrome does to save memory */
  stopWorker(): Promise<void>
  tabs(): Promise<UserTab[]>
  [Symbol.asyncDispose](): Promise<void>
}
export interface UserTab {
  readonly targetId: string
  readonly tabId: number
  readonly url: string
  readonly isAttached: boolean
}
export interface Popup {
  text(): Promise<string>
  /** evaluates in the popup */
  evaluate<T>(expression: string): Promise<T>
  click(label: string): Promise<void>
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

// global, so that all files of a worker build it once
const built = globalThis as { pagehandExtension?: Promise<string> }

export interface ExtensionBrowserOptions {
  readonly args?: readonly string[]
  /** folders of other extensions to load */
  readonly extensions?: readonly string[]
  /** the environment with a display, for a browser with windows */
  readonly desktop?: NodeJS.ProcessEnv
}

export async function startExtensionBrowser({
  args = [],
  extensions = [],
  desktop,
}: ExtensionBrowserOptions = {}): Promise<ExtensionBrowser> {
  const executable = findExtensionBrowser()
  if (executable === undefined) throw new Error(noExtensionBrowser)
  built.pagehandExtension ??= mkdtemp(join(tmpdir(), 'pagehand-extension-')).then(buildExtension)
  const extension = await built.pagehandExtension
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-daily-'))
  const flags = [
    ...(desktop ? ['--disable-gpu'] : ['--headless=new']),
    '--no-sandbox',
    '--no-first-run',
    '--remote-debugging-port=0',
    `--user-data-dir=${folder}`,
    `--load-extension=${[extension, ...extensions].join(',')}`,
    '--disable-features=DisableLoadExtensionCommandLineSwitch',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ...args,
    'about:blank',
  ]
  const child: ChildProcess = spawn(executable, flags, { detached: true, stdio: 'ignore', env: desktop ?? process.env })
  const active = () => readFile(join(folder, 'DevToolsActivePort'), 'utf8').catch(() => '')
  await until(async () => (await active()).includes('/devtools/'), { withinMs: 30_000, what: 'a debugging port' })
  const port = Number((await active()).split('\n')[0])
  const { connection } = await connect({ endpoint: folder })
  const browser = operate(connection, { pid: child.pid ?? 0, port })
  // a service worker to which a test attaches while Chrome installs it ends; the popup shows something when it runs
  const popup = await browser.openPopup()
  await popup.close()
  return {
    ...browser,
    async [Symbol.asyncDispose]() {
      connection.close()
      await endGroup(child.pid ?? 0)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function operate(
  connection: CdpConnection,
  { pid, port }: { pid: number; port: number },
): Omit<ExtensionBrowser, typeof Symbol.asyncDispose> {
  const workerUrl = `chrome-extension://${extensionId}/background.js`
  const evaluateIn = async <T>(sessionId: string, expression: string): Promise<T> => {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await connection.send('Runtime.evaluate', options, sessionId)
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value as T
  }
  const withTarget = async <T>(targetId: string, work: (sessionId: string) => Promise<T>): Promise<T> => {
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true })
    try {
      return await work(sessionId)
    } finally {
      await connection.send('Target.detachFromTarget', { sessionId }).catch(() => {}) // closed by the work
    }
  }
  const targets = async () => (await connection.send('Target.getTargets')).targetInfos
  const findWorker = async () => {
    await until(async () => (await targets()).some(({ url }) => url === workerUrl), { withinMs: 60_000, what: 'the service worker' })
    return (await targets()).find(({ url }) => url === workerUrl)?.targetId ?? ''
  }
  const evaluate = async <T>(body: string): Promise<T> =>
    withTarget(await findWorker(), session => evaluateIn<T>(session, `(async () => { ${body} })()`))

  const tabs = async (): Promise<UserTab[]> => {
    const known = await evaluate<{ id: string; tabId?: number }[]>('return chrome.debugger.getTargets()')
    return (await targets()).flatMap(({ targetId, type, url, attached }) => {
      const tabId = known.find(({ id }) => id === targetId)?.tabId
      return type === 'page' && tabId !== undefined ? [{ targetId, tabId, url, isAttached: attached }] : []
    })
  }
  const openTab = async (url: string): Promise<UserTab> => {
    const { targetId } = await connection.send('Target.createTarget', { url })
    let opened: UserTab | undefined
    await until(
      async () => {
        opened = (await tabs()).find(tab => tab.targetId === targetId)
        return opened?.url === url
      },
      { what: 'the tab' },
    )
    return opened as UserTab
  }
  const openPopup = async (tab?: UserTab): Promise<Popup> => {
    const url = `chrome-extension://${extensionId}/popup.html${tab ? `?tab=${tab.tabId}` : ''}`
    const { targetId } = await connection.send('Target.createTarget', { url, background: true })
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true })
    const run = <T>(expression: string) => evaluateIn<T>(sessionId, expression)
    await until(() => run<boolean>('!!document.querySelector("#status")?.textContent').catch(() => false), { what: 'the popup' })
    const button = (label: string) =>
      `[...document.querySelectorAll('button')].find(each => each.checkVisibility() && each.textContent === ${JSON.stringify(label)})`
    return {
      evaluate: run,
      text: () => run<string>('document.body.innerText'),
      async click(label) {
        await until(() => run<boolean>(`!!${button(label)}`), { what: `the button ${label}` })
        await run(`${button(label)}.click()`)
      },
      async screenshot() {
        const { width, height } = await run<{ width: number; height: number }>(
          '({ width: document.body.offsetWidth, height: document.body.offsetHeight })',
        )
        await connection.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 2, mobile: false }, sessionId)
        return Buffer.from((await connection.send('Page.captureScreenshot', { format: 'png' }, sessionId)).data, 'base64')
      },
      close: async () => void (await connection.send('Target.closeTarget', { targetId })),
    }
  }
  const clickInPopup = async (tab: UserTab, label: string, after: string) => {
    const popup = await openPopup(tab)
    try {
      await popup.click(label)
      await until(async () => (await popup.text()).includes(after), { what: after })
    } finally {
      await popup.close()
    }
  }
  return {
    pid,
    port,
    connection,
    evaluate,
    tabs,
    openTab,
    openPopup,
    lend: tab => clickInPopup(tab, 'Lend this tab', 'Take this tab back'),
    takeBack: tab => clickInPopup(tab, 'Take this tab back', 'Lend this tab'),
    async pair(code, relayPort) {
      const popup = await openPopup()
      try {
        await popup.evaluate(`document.querySelector('#code').value = ${JSON.stringify(code)};
          document.querySelector('#port').value = ${relayPort}; document.querySelector('#pairing').requestSubmit()`)
        await until(async () => (await popup.text()).includes('Connected'), { what: 'the pairing' })
      } finally {
        await popup.close()
      }
    },
    async stopWorker() {
      const { sessionId } = await connection.send('Target.attachToTarget', { targetId: await findWorker(), flatten: true })
      const { targetInfo } = await connection.send('Target.getTargetInfo', { targetId: await findWorker() })
      await connection.send('Target.closeTarget', { targetId: targetInfo.targetId })
      await connection.send('Target.detachFromTarget', { sessionId }).catch(() => {}) // gone with the worker
    },
  }
}

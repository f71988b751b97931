import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Chromium, launch } from '../../src/drivers/cdp/browser/launch.ts'
import { openTarget, type PageTarget } from '../../src/drivers/cdp/page/target.ts'
import { openSite, type Site } from './site.ts'

export interface TestPage {
  readonly url: string
  readonly tab: PageTarget
  /** evaluates in the main world of the page */
  evaluate<T>(expression: string): Promise<T>
  reload(): Promise<void>
  navigate(url: string): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface PageOptions {
  /** served at `url`, in a folder of its own */
  readonly html?: string
  /** opened instead of `html`, relative to the folder: `url: 'a.html'` opens one of `files` */
  readonly url?: string
  /** other files in the folder, by path */
  readonly files?: Readonly<Record<string, string>>
  readonly viewport?: { readonly width: number; readonly height: number }
  /** a script that runs in every document before the scripts of the page */
  readonly atDocumentStart?: string
  /** false disables the scripts of the page */
  readonly scripts?: boolean
}

/** Opens a tab in the browser that this worker shares: `await using page = await openPage({ html })`. */
export async function openPage(options: PageOptions = {}): Promise<TestPage> {
  const { html = '<!doctype html>', viewport = { width: 1280, height: 720 }, atDocumentStart, scripts = true, files = {} } = options
  const { chromium, site } = await sharedBrowser()
  const folder = site.add({ '': html, ...files })
  const url = new URL(options.url ?? '', folder.url).href

  const tab = await openTarget(chromium.connection)
  const close = async () => {
    folder.remove()
    await tab.close()
  }
  try {
    await tab.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false })
    if (!scripts) await tab.send('Emulation.setScriptExecutionDisabled', { value: true })
    if (atDocumentStart) await tab.addScript(atDocumentStart)
    await tab.navigate(url)
  } catch (error) {
    await close()
    throw error
  }
  return {
    url,
    tab,
    evaluate: <T>(expression: string) => tab.evaluate(expression) as Promise<T>,
    reload: () => tab.reload(),
    navigate: to => tab.navigate(new URL(to, url).href),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The same URL with the host name localhost: another origin and another site. */
export const otherOrigin = (url: string): string => url.replace('//127.0.0.1:', '//localhost:')

interface SharedBrowser {
  readonly chromium: Chromium
  readonly site: Site
}

// global, so that all files of a worker share it; the browser ends when the worker's end of the pipe does, and clean-up.ts
// removes what is left
const shared = globalThis as { pagehandGround?: Promise<SharedBrowser> | undefined }

/** the browser and the site that this worker shares */
export function sharedBrowser(): Promise<SharedBrowser> {
  shared.pagehandGround ??= openSharedBrowser()
  return shared.pagehandGround
}

async function openSharedBrowser(): Promise<SharedBrowser> {
  const [chromium, site] = await Promise.all([launch({ args: [offline], proxied: true }), openSite()])
  // a test may have crashed the browser; the next page gets a new one
  chromium.connection.onDisconnect(() => {
    shared.pagehandGround = undefined
  })
  if (basename(tmpdir()).startsWith('pagehand-run-')) await writeFile(join(tmpdir(), `running-${chromium.pid}`), '')
  return { chromium, site }
}

// requests of a fixture to other hosts fail at once, the same way on every machine
const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'

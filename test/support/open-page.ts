import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Chromium, launch } from '../../src/drivers/cdp/browser/launch.ts'
import { openTarget, type PageTarget } from '../../src/drivers/cdp/page/target.ts'
import { openSite, type Site } from './site.ts'

export interface TestPage {
  readonly url: string
  readonly tab: PageTarget
  /** in the page's main world */
  evaluate<T>(expression: string): Promise<T>
  reload(): Promise<void>
  navigate(url: string): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface PageOptions {
  /** served at `url` below a path of this page's own */
  readonly html?: string
  /** opened instead of `html`; relative to this page's own path, so `url: 'a.html'` opens one of `files` */
  readonly url?: string
  /** other paths of the same page, by name: { 'a.html': '<p>…' } is at `a.html` beside the html */
  readonly files?: Readonly<Record<string, string>>
  readonly viewport?: { readonly width: number; readonly height: number }
  /** script source that runs in every document before the page's own */
  readonly atDocumentStart?: string
  /** false: the page's own scripts do not run */
  readonly scripts?: boolean
}

/** A tab of its own in the browser that this worker shares: `await using page = await openPage({ html })`. */
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

/** The same address under the other name of this machine: another origin, and another site, than the page's own. */
export const otherOrigin = (url: string): string => url.replace('//127.0.0.1:', '//localhost:')

interface SharedBrowser {
  readonly chromium: Chromium
  readonly site: Site
}

// kept where all files of a worker find it; the browser ends when the worker's end of the pipe does, and clean-up.ts
// sweeps up after both
const shared = globalThis as { pagehandGround?: Promise<SharedBrowser> | undefined }

/** the browser and the server that this worker shares */
export function sharedBrowser(): Promise<SharedBrowser> {
  shared.pagehandGround ??= openSharedBrowser()
  return shared.pagehandGround
}

async function openSharedBrowser(): Promise<SharedBrowser> {
  const [chromium, site] = await Promise.all([launch({ args: [offline] }), openSite()])
  // a test may have brought the browser down; the next page gets a new one
  chromium.connection.onLost(() => {
    shared.pagehandGround = undefined
  })
  if (basename(tmpdir()).startsWith('pagehand-run-')) await writeFile(join(tmpdir(), `running-${chromium.pid}`), '')
  return { chromium, site }
}

// whatever a fixture asks of the world fails at once, and the same way on every machine
const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'

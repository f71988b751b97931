import { messageOf } from '../../../contract/error-message.ts'
import { embed } from '../../../webview/embed.ts'
import { type BrowserConnection, contextOf } from '../browser/acquire.ts'
import type { Params, ReturnValue } from '../connection/protocol.ts'
import { cut } from '../cut.ts'
import type { Pages } from '../page/pages.ts'
import type { PageTarget } from '../page/target.ts'
import { dumpJs, restoreJs } from './storage-scripts.ts'

type Cookie = ReturnValue<'Storage.getCookies'>['cookies'][number]

/** Cookies and stored data of the origins that a session has visited: plain JSON, to be kept and given to another session. */
export interface StorageState {
  readonly cookies: readonly Cookie[]
  readonly origins: readonly StoredOrigin[]
  /** what could be had of each origin, and what could not */
  readonly report: readonly OriginReport[]
}

export interface StoredOrigin {
  readonly origin: string
  readonly localStorage: readonly (readonly [name: string, value: string])[]
  readonly indexedDB: readonly unknown[]
}

export interface OriginReport {
  readonly origin: string
  readonly localStorage: number
  /** records */
  readonly indexedDB: number
  /** what was left out, and why */
  readonly missing?: string
}

interface Standing {
  readonly ground: BrowserConnection
  readonly tabs: Pages
}

const mostOrigins = 50

export async function saveState({ ground, tabs }: Standing, visited: readonly string[]): Promise<StorageState> {
  const origins: StoredOrigin[] = []
  const report: OriginReport[] = []
  for (const origin of visited.slice(0, mostOrigins)) {
    try {
      const dumped = await at(tabs, origin, dumpJs)
      const { localStorage, indexedDB, records, missing } = JSON.parse(dumped) as StoredOrigin & { records: number; missing: string }
      if (localStorage.length || indexedDB.length) origins.push({ origin, localStorage, indexedDB })
      report.push({ origin, localStorage: localStorage.length, indexedDB: records, ...(missing && { missing }) })
    } catch (error) {
      report.push({ origin, localStorage: 0, indexedDB: 0, missing: whyNot(error) })
    }
  }
  return { cookies: await cookiesOf({ ground, tabs }, visited), origins, report }
}

export async function loadState(
  { ground, tabs }: Standing,
  { cookies = [], origins = [] }: StorageState,
): Promise<readonly OriginReport[]> {
  // what a cookie was measured to be is told when it is read, and refused when it is set
  const settable = cookies.map(({ size: _, session: __, ...cookie }) => cookie) as Params<'Storage.setCookies'>['cookies']
  if (settable.length && isOurs(ground)) await ground.connection.send('Storage.setCookies', { cookies: settable, ...contextOf(ground) })
  else if (settable.length) await tabs.current().target.send('Network.setCookies', { cookies: settable })
  const report: OriginReport[] = []
  for (const stored of origins.slice(0, mostOrigins)) {
    const { origin, localStorage } = stored
    try {
      const { records, missing } = JSON.parse(await at(tabs, origin, `(${restoreJs})(${embed(stored)})`)) as {
        records: number
        missing: string
      }
      report.push({ origin, localStorage: localStorage.length, indexedDB: records, ...(missing && { missing }) })
    } catch (error) {
      report.push({ origin, localStorage: 0, indexedDB: 0, missing: whyNot(error) })
    }
  }
  return report
}

const whyNot = (error: unknown) => cut(messageOf(error), 200)
const isOurs = ({ kind }: BrowserConnection) => kind === 'launched' || kind === 'shared'

/** Of somebody's own browser only those of the pages that were visited: the others are none of our business. */
async function cookiesOf({ ground, tabs }: Standing, visited: readonly string[]): Promise<readonly Cookie[]> {
  if (isOurs(ground)) return (await ground.connection.send('Storage.getCookies', contextOf(ground))).cookies
  return (await tabs.current().target.send('Network.getCookies', { urls: [...visited] })).cookies
}

/** Runs a script on an empty page of an origin: the server is not asked, and no script of its runs. */
async function at(tabs: Pages, origin: string, script: string): Promise<string> {
  const tab: PageTarget = await tabs.aside()
  try {
    await tab.send('Network.enable')
    await tab.send('Network.setBypassServiceWorker', { bypass: true })
    tab.on('Fetch.requestPaused', ({ requestId }) => {
      const empty = { requestId, responseCode: 200, responseHeaders: [{ name: 'content-type', value: 'text/html' }] }
      tab.send('Fetch.fulfillRequest', empty).catch(() => {}) // the tab is closed meanwhile
    })
    await tab.send('Fetch.enable', {})
    await tab.navigate(`${origin}/`, { timeoutMs: 10_000 })
    const { result, exceptionDetails } = await tab.send('Runtime.evaluate', {
      expression: script,
      awaitPromise: true,
      returnByValue: true,
      timeout: 10_000,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return String(result.value)
  } finally {
    await tab.close()
  }
}

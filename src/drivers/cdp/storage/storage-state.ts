import { messageOf } from '../../../contract/error-message.ts'
import { say } from '../../../contract/message.ts'
import { cut } from '../../../render/text/quote.ts'
import { embed } from '../../../webview/embed.ts'
import { type BrowserConnection, contextOf } from '../browser/acquire.ts'
import type { Params, ReturnValue } from '../connection/protocol.ts'
import { PagehandError } from '../errors.ts'
import type { Pages } from '../page/pages.ts'
import { restoreStorage, saveStorage } from '../script.js'
import type { RunningBrowser } from '../status.ts'

type Cookie = ReturnValue<'Storage.getCookies'>['cookies'][number]

/**
 * Cookies and stored data of the origins that a session has visited. Plain JSON: save it, and give it to another session.
 *
 * @example
 * const storageState: StorageState = await session.storageState()
 * await using next = await openSession({ storageState })
 */
export interface StorageState {
  readonly cookies: readonly Cookie[]
  readonly origins: readonly StoredOrigin[]
  /** what was saved of each origin, and what was not */
  readonly report: readonly OriginReport[]
}

export interface StoredOrigin {
  readonly origin: string
  readonly localStorage: readonly (readonly [name: string, value: string])[]
  readonly indexedDB: readonly unknown[]
}

export interface OriginReport {
  readonly origin: string
  /** the number of entries */
  readonly localStorage: number
  /** the number of records */
  readonly indexedDB: number
  /** what was left out, and why */
  readonly missing?: string
}

type StorageAccess = Pick<RunningBrowser, 'browser' | 'pages'>

const maxOrigins = 50
const maxErrorChars = 200

export async function saveState({ browser, pages }: StorageAccess, visited: readonly string[]): Promise<StorageState> {
  const origins: StoredOrigin[] = []
  const report: OriginReport[] = []
  for (const origin of visited.slice(0, maxOrigins)) {
    try {
      const json = await evaluateAt(pages, origin, `(${saveStorage})()`)
      const { localStorage, indexedDB, records, missing } = JSON.parse(json) as StoredOrigin & { records: number; missing: string }
      if (localStorage.length || indexedDB.length) origins.push({ origin, localStorage, indexedDB })
      report.push({ origin, localStorage: localStorage.length, indexedDB: records, ...(missing && { missing }) })
    } catch (error) {
      report.push({ origin, localStorage: 0, indexedDB: 0, missing: cut(messageOf(error), maxErrorChars) })
    }
  }
  return { cookies: await cookiesOf({ browser, pages }, visited), origins, report }
}

export async function loadState(
  { browser, pages }: StorageAccess,
  { cookies = [], origins = [] }: StorageState,
): Promise<readonly OriginReport[]> {
  // `size` and `session` are returned by getCookies, but rejected by setCookies
  if (cookies.length && browser.lendsTabs) throw ownLoginsError()
  const settable = cookies.map(({ size: _, session: __, ...cookie }) => cookie) as Params<'Storage.setCookies'>['cookies']
  if (settable.length && isOurs(browser)) await browser.connection.send('Storage.setCookies', { cookies: settable, ...contextOf(browser) })
  else if (settable.length) await pages.current().target.send('Network.setCookies', { cookies: settable })
  const report: OriginReport[] = []
  for (const stored of origins.slice(0, maxOrigins)) {
    const { origin, localStorage } = stored
    try {
      const json = await evaluateAt(pages, origin, `(${restoreStorage})(${embed(stored)})`)
      const { records, missing } = JSON.parse(json) as { records: number; missing: string }
      report.push({ origin, localStorage: localStorage.length, indexedDB: records, ...(missing && { missing }) })
    } catch (error) {
      report.push({ origin, localStorage: 0, indexedDB: 0, missing: cut(messageOf(error), maxErrorChars) })
    }
  }
  return report
}

const ownLoginsError = () =>
  new PagehandError(
    'disabled',
    say`The tabs of this browser have the logins of its user, and a stored state would replace them; use a browser of its own for it.`,
  )

const isOurs = ({ kind }: BrowserConnection) => kind === 'launched' || kind === 'shared'

/** Of a browser that is not ours, only the cookies of visited origins are read. */
async function cookiesOf({ browser, pages }: StorageAccess, visited: readonly string[]): Promise<readonly Cookie[]> {
  if (isOurs(browser)) return (await browser.connection.send('Storage.getCookies', contextOf(browser))).cookies
  return (await pages.current().target.send('Network.getCookies', { urls: [...visited] })).cookies
}

/** Evaluates a script on an empty page of an origin, without a request to its server. */
async function evaluateAt(pages: Pages, origin: string, script: string): Promise<string> {
  const target = await pages.openHiddenTarget()
  try {
    await target.send('Network.enable')
    await target.send('Network.setBypassServiceWorker', { bypass: true })
    target.on('Fetch.requestPaused', ({ requestId }) => {
      const emptyPage = { requestId, responseCode: 200, responseHeaders: [{ name: 'content-type', value: 'text/html' }] }
      target.send('Fetch.fulfillRequest', emptyPage).catch(() => {}) // the tab was closed meanwhile
    })
    await target.send('Fetch.enable', {})
    await target.navigate(`${origin}/`, { timeoutMs: 10_000 })
    const { result, exceptionDetails } = await target.send('Runtime.evaluate', {
      expression: script,
      awaitPromise: true,
      returnByValue: true,
      timeout: 10_000,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return String(result.value)
  } finally {
    await target.close()
  }
}

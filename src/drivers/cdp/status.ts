import type { CommandData } from '../../contract/results.ts'
import { proxyUrlWithoutLogin } from '../../policy/proxy-url.ts'
import { cut } from '../../render/text/quote.ts'
import { secretNames } from '../../secrets/named-secrets.ts'
import type { BrowserConnection } from './browser/acquire.ts'
import type { SessionOptions } from './options.ts'
import type { Page } from './page/page.ts'
import type { Pages } from './page/pages.ts'
import type { Downloads } from './storage/downloads.ts'
import type { OriginReport } from './storage/storage-state.ts'

/** The browser of a session while it runs. */
export interface RunningBrowser {
  readonly browser: BrowserConnection
  readonly pages: Pages
  readonly downloads: Downloads
}

interface SessionState {
  readonly running: RunningBrowser | undefined
  readonly options: SessionOptions
  readonly restored: readonly OriginReport[] | undefined
}

/** The result of `status`, made without a call to the page. */
export function describeStatus({ running, options, restored }: SessionState): CommandData['status'] {
  const page = running && activePageOf(running.pages)
  return {
    running: running !== undefined,
    ...(running && describeBrowser(running, options)),
    downloads: options.downloads ? (running?.downloads.done.map(({ name, bytes }) => ({ name, bytes })) ?? []) : 'off',
    evaluate: options.allowEval === true,
    ...(options.hosts && { hosts: options.hosts }),
    ...(running && options.hosts && { checked: isOurs(running) ? 'every request' : 'documents only: the browser is not ours' }),
    ...(options.proxy && { proxy: proxyUrlWithoutLogin(options.proxy.server) }),
    ...(secretNames(options.secrets).length > 0 && { secrets: secretNames(options.secrets) }),
    ...(restored && { storage: restored }),
    ...(page && describePage(page)),
  }
}

/** The selected page, if there is one. */
export function activePageOf(pages: Pages): Page | undefined {
  try {
    return pages.current()
  } catch {
    return undefined // all tabs were closed
  }
}

const isOurs = ({ browser }: RunningBrowser): boolean => browser.kind === 'launched' || browser.kind === 'shared'

const describeBrowser = ({ browser, pages }: RunningBrowser, options: SessionOptions) => ({
  mode: browser.kind,
  profile: options.profile ?? (browser.kind === 'attached' ? 'chrome' : 'temporary'),
  ...browser.statusFields,
  tabs: pages.all().length,
})

function describePage(page: Page) {
  const dialog = page.dialogs.pending()
  const loadedBy = page.document.loadedBy()
  return {
    tab: page.id,
    url: cut(page.url(), 500),
    ...(loadedBy && { loadedBy }),
    scripts: page.scripts.state(),
    ...(page.crash.isCrashed() && { crashed: true }),
    ...(dialog && { dialog: { type: dialog.type, message: dialog.message } }),
    errors: page.console.documentEntries().filter(({ level }) => level === 'error').length,
  }
}

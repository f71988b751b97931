import type { CdpConnection } from '../connection/connection.ts'
import type { Debugger } from '../connection/electron.ts'
import { debuggerConnection } from '../connection/electron.ts'
import type { SessionOptions } from '../options.ts'
import { type ConnectedBrowser, connect } from './connect.ts'
import { type Chromium, launch, type Size } from './launch.ts'
import { namedProfile } from './profile.ts'

/** What a session stands on: a browser of its own, a part of a shared one, somebody's daily one, or one page of another program. */
export interface BrowserConnection {
  readonly kind: 'launched' | 'shared' | 'attached' | 'page'
  readonly connection: CdpConnection
  /** the browser context whose tabs are all ours; undefined where others have theirs in it too */
  readonly contextId: string | undefined
  /** a tab that is there already and ours */
  readonly firstTab: string | undefined
  /** of its tabs; undefined where that is another program's matter */
  readonly viewport: Size | undefined
  /** what `status` tells of it */
  readonly facts: { readonly [fact: string]: unknown }
  /** tabs of ours are closed before this is called */
  close(): Promise<void>
}

/** Finds or starts what the options ask for. */
export async function acquireBrowser({
  browser,
  debugger: debug,
  profile = 'openclaw',
  profiles,
  launch: launching,
  attach: attaching,
}: SessionOptions): Promise<BrowserConnection> {
  if (debug) return foreignPage(debug)
  if (browser) return 'pid' in browser ? sharedBrowser(browser) : attachedBrowser(browser, { isOurs: false })
  if (profile === 'chrome') return attachedBrowser(await connect(attaching), { isOurs: true })
  const folder = profile === 'openclaw' ? {} : { profileDir: await namedProfile(profile, { listed: profiles ?? [] }) }
  return ownBrowser(await launch({ ...launching, ...folder }), { headless: launching?.headless ?? true })
}

/** Who asks for the camera, the place or the clipboard hears no; in somebody's own browser its owner is asked. */
export async function refusePermissions({ kind, connection: port, contextId }: BrowserConnection): Promise<void> {
  if (kind !== 'launched' && kind !== 'shared') return
  await port.send('Browser.grantPermissions', { permissions: [], ...contextOf({ kind, contextId }) })
}

/** How the context is named in what is sent. The one that a browser begins with must not be named: Chromium before 150 knows no such id. */
export const contextOf = ({ kind, contextId }: Pick<BrowserConnection, 'kind' | 'contextId'>): { readonly browserContextId?: string } =>
  kind !== 'shared' || contextId === undefined ? {} : { browserContextId: contextId }

/** The whole browser is ours: its default context keeps what the profile keeps. */
async function ownBrowser(chromium: Chromium, facts: BrowserConnection['facts']): Promise<BrowserConnection> {
  const { targetInfos } = await chromium.connection.send('Target.getTargets')
  const first = targetInfos.find(({ type }) => type === 'page')
  return {
    kind: 'launched',
    connection: chromium.connection,
    contextId: first?.browserContextId,
    firstTab: first?.targetId,
    viewport: chromium.viewport,
    facts: { ...facts, ...launchedFacts(chromium) },
    close: () => chromium.close(),
  }
}

/** One of many sessions in a browser: cookies, storage and tabs of its own. */
async function sharedBrowser(chromium: Chromium): Promise<BrowserConnection> {
  const { connection: port } = chromium
  const { browserContextId } = await port.send('Target.createBrowserContext', { disposeOnDetach: true })
  return {
    kind: 'shared',
    connection: port,
    contextId: browserContextId,
    firstTab: undefined,
    viewport: chromium.viewport,
    facts: launchedFacts(chromium),
    close: async () => {
      await port.send('Target.disposeBrowserContext', { browserContextId }).catch(() => {}) // gone with its browser
    },
  }
}

/** Somebody's own browser: a tab of ours beside theirs, and nothing of theirs is touched. */
const attachedBrowser = (
  { connection: port, endpoint, product, close }: ConnectedBrowser,
  { isOurs }: { isOurs: boolean },
): BrowserConnection => ({
  kind: 'attached',
  connection: port,
  contextId: undefined,
  firstTab: undefined,
  viewport: undefined,
  facts: { endpoint, browser: product },
  close: async () => {
    if (isOurs) close()
  },
})

/** One page in a window of another program. */
function foreignPage(debug: Debugger): BrowserConnection {
  const port = debuggerConnection(debug)
  return {
    kind: 'page',
    connection: port,
    contextId: undefined,
    firstTab: undefined,
    viewport: undefined,
    facts: {},
    close: async () => port.close(),
  }
}

const launchedFacts = ({ pid, sandbox, found, product }: Chromium) => ({ browser: product, pid, sandbox, executable: found.executablePath })

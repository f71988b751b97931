import { quoted, say } from '../../../contract/message.ts'
import type { CdpConnection } from '../connection/connection.ts'
import { type Debugger, debuggerConnection } from '../connection/electron.ts'
import { createEgressRules } from '../egress/egress-rules.ts'
import { type EgressProxyOptions, startEgressProxy } from '../egress/proxy.ts'
import { createResolver } from '../egress/resolver.ts'
import { parseProxyOptions } from '../egress/upstream.ts'
import { PagehandError } from '../errors.ts'
import type { SessionOptions } from '../options.ts'
import type { ConnectedBrowser } from './connect.ts'
import { connectForSession } from './consent.ts'
import { proxyBypassList, resolverRulesIn } from './flags.ts'
import { type Chromium, launchWithEgress, type Size } from './launch.ts'
import { namedProfileFolder } from './profile.ts'

/** The browser of a session. */
export interface BrowserConnection {
  /**
   * launched: started for this session; shared: a browser context in a browser that was passed in;
   * attached: tabs in a browser that was started by someone else; page: one page of another program
   */
  readonly kind: 'launched' | 'shared' | 'attached' | 'page'
  readonly connection: CdpConnection
  /** a relay, which shows only the tabs that its user lends to this session */
  readonly lendsTabs?: boolean
  /** the browser context that belongs to the session alone; undefined if it is shared with others */
  readonly contextId: string | undefined
  /** a tab of the session that exists already */
  readonly firstTargetId: string | undefined
  /** undefined if the viewport is not ours to set */
  readonly viewport: Size | undefined
  /** fields of the result of `status` */
  readonly statusFields: { readonly [field: string]: unknown }
  /** the tabs of the session are closed before */
  close(): Promise<void>
}

/** Starts or connects to the browser that the options ask for. `egress`: its requests go through a proxy of this process. */
export async function acquireBrowser(options: SessionOptions, egress: EgressProxyOptions | undefined): Promise<BrowserConnection> {
  const { browser, debugger: debug, attach, profile = attach ? 'chrome' : 'temporary' } = options
  if (debug) return connectPage(debug)
  if (browser) return 'pid' in browser ? shareBrowser(browser, egress) : attachBrowser(browser, { closes: false })
  if (attach && profile !== 'chrome')
    throw new PagehandError(
      'invalid_input',
      say`attach connects to a running browser, which has its own profile: omit profile ${quoted(profile, 40)}.`,
    )
  if (profile === 'chrome') return attachBrowser(await connectForSession(attach ?? {}), { closes: true })
  const folder =
    profile === 'temporary' ? {} : { profileDir: await namedProfileFolder(profile, { create: options.createProfile === true }) }
  return ownBrowser(await launchWithEgress({ ...options.launch, ...folder }, egress), { headless: options.launch?.headless ?? true })
}

/**
 * The rules for all requests of a session, and the proxy of the user behind them; undefined if there are neither. A browser that was
 * started by someone else has its own network settings, and only its documents are checked.
 */
export function egressOf(options: SessionOptions): EgressProxyOptions | undefined {
  const { browser, debugger: debug, profile, hosts, launch } = options
  const isOurs = !debug && (browser ? 'pid' in browser : profile !== 'chrome' && !options.attach)
  const proxy = options.proxy ?? launch?.proxy ?? (browser && 'pid' in browser ? browser.proxy : undefined)
  if (!isOurs && options.proxy)
    throw new PagehandError('invalid_input', say`proxy is for a browser that pagehand launches; a running browser has its own settings.`)
  if (!isOurs || !(hosts || options.proxy || launch?.proxy)) return undefined
  const args = browser && 'pid' in browser ? browser.args : (launch?.args ?? [])
  return {
    rules: hosts && createEgressRules(hosts, createResolver({ rules: resolverRulesIn(args) })),
    upstream: proxy && parseProxyOptions(proxy),
  }
}

/** Denies permissions such as camera, location and clipboard; a browser that is not ours asks its user. */
export async function refusePermissions({ kind, connection, contextId }: BrowserConnection): Promise<void> {
  if (kind !== 'launched' && kind !== 'shared') return
  await connection.send('Browser.grantPermissions', { permissions: [], ...contextOf({ kind, contextId }) })
}

/** The context as a CDP parameter. The default context must not be named: Chromium before 150 rejects its id. */
export const contextOf = ({ kind, contextId }: Pick<BrowserConnection, 'kind' | 'contextId'>): { readonly browserContextId?: string } =>
  kind !== 'shared' || contextId === undefined ? {} : { browserContextId: contextId }

/** A browser for this session alone, in its default context, which persists with the profile. */
async function ownBrowser(chromium: Chromium, fields: BrowserConnection['statusFields']): Promise<BrowserConnection> {
  const { targetInfos } = await chromium.connection.send('Target.getTargets')
  const first = targetInfos.find(({ type }) => type === 'page')
  return {
    kind: 'launched',
    connection: chromium.connection,
    contextId: first?.browserContextId,
    firstTargetId: first?.targetId,
    viewport: chromium.viewport,
    statusFields: { ...fields, ...chromiumFields(chromium) },
    close: () => chromium.close(),
  }
}

/** A new browser context: separate cookies, storage and tabs. */
async function shareBrowser(chromium: Chromium, egress: EgressProxyOptions | undefined): Promise<BrowserConnection> {
  const { connection, viewport } = chromium
  if (egress && !chromium.proxied)
    throw new PagehandError('invalid_input', say`A session with hosts or a proxy needs a browser that was launched with proxied: true.`)
  const proxy = egress && (await startEgressProxy(egress))
  const proxyParams = proxy && { proxyServer: proxy.server, proxyBypassList }
  const context = connection.send('Target.createBrowserContext', { disposeOnDetach: true, ...proxyParams })
  const { browserContextId } = await context.catch(async (error: Error) => {
    await proxy?.close()
    throw error
  })
  return {
    kind: 'shared',
    connection,
    contextId: browserContextId,
    firstTargetId: undefined,
    viewport,
    statusFields: chromiumFields(chromium),
    close: async () => {
      await connection.send('Target.disposeBrowserContext', { browserContextId }).catch(() => {}) // gone with its browser
      await proxy?.close()
    },
  }
}

/** Tabs of this session in a running browser; its other tabs are not touched. `closes`: end the connection with the session. */
const attachBrowser = (
  { connection, endpoint, product, isRelay, close }: ConnectedBrowser,
  { closes }: { closes: boolean },
): BrowserConnection => ({
  kind: 'attached',
  connection,
  lendsTabs: isRelay,
  contextId: undefined,
  firstTargetId: undefined,
  viewport: undefined,
  // the path of the endpoint is a secret: whoever has it controls the browser
  statusFields: { endpoint: new URL(endpoint).origin, browser: product },
  close: async () => {
    if (closes) close()
  },
})

/** One page in a window of another program. */
function connectPage(debug: Debugger): BrowserConnection {
  const connection = debuggerConnection(debug)
  return {
    kind: 'page',
    connection,
    contextId: undefined,
    firstTargetId: undefined,
    viewport: undefined,
    statusFields: {},
    close: async () => connection.close(),
  }
}

const chromiumFields = ({ pid, sandbox, found, product }: Chromium) => ({
  browser: product,
  pid,
  sandbox,
  executable: found.executablePath,
})

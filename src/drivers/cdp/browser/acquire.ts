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
import { readLogin, type StoredLogin } from './login-file.ts'
import { namedProfileFolder } from './profile.ts'
import { enterProfile } from './running-profile.ts'

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
  /** the login that was stored for its profile */
  readonly login?: StoredLogin
  /** whether other sessions use its browser, which then stays open */
  hasOtherSessions?(): boolean
  /** fields of the result of `status` */
  readonly statusFields: { readonly [field: string]: unknown }
  /** the tabs of the session are closed before */
  close(): Promise<void>
}

/** Starts or connects to the browser that the options ask for. `egress`: its requests go through a proxy of this process. */
export async function acquireBrowser(options: SessionOptions, egress: EgressProxyOptions | undefined): Promise<BrowserConnection> {
  const { browser, debugger: debug, attach, profile = attach ? 'chrome' : 'temporary' } = options
  if (debug) return connectPage(debug)
  if (browser && 'pid' in browser) return options.isolated === false ? shareProfile(browser, egress) : shareBrowser(browser, egress)
  if (browser) return attachBrowser(browser, { closes: false, isolated: options.isolated })
  if (attach && profile !== 'chrome')
    throw new PagehandError(
      'invalid_input',
      say`attach connects to a running browser, which has its own profile: omit profile ${quoted(profile, 40)}.`,
    )
  if (profile === 'chrome') return attachBrowser(await connectForSession(attach ?? {}), { closes: true, isolated: options.isolated })
  const launchTemporary = async () => ownBrowser(await launchWithEgress(options.launch ?? {}, egress))
  if (profile === 'temporary') return launchTemporary()
  const folder = await namedProfileFolder(profile, { create: options.createProfile === true })
  const login = readLogin(folder, options.loginKey)
  // the point of encryption is that nothing else of the login is on the disk
  const browserOfProfile = login?.isSealed ? await launchTemporary() : await openProfile(folder, options, egress)
  return login && !options.isolated ? Object.assign(browserOfProfile, { login }) : browserOfProfile
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
  kind === 'launched' || contextId === undefined ? {} : { browserContextId: contextId }

/** A browser for this session alone, in its default context, which persists with the profile. */
async function ownBrowser(chromium: Chromium): Promise<BrowserConnection> {
  const { targetInfos } = await chromium.connection.send('Target.getTargets')
  const first = targetInfos.find(({ type }) => type === 'page')
  return {
    kind: 'launched',
    connection: chromium.connection,
    contextId: first?.browserContextId,
    firstTargetId: first?.targetId,
    viewport: chromium.viewport,
    statusFields: { headless: chromium.headless, ...chromiumFields(chromium) },
    close: () => chromium.close(),
  }
}

/** A named profile: the first session of this process launches its browser, further ones share it. */
async function openProfile(folder: string, options: SessionOptions, egress: EgressProxyOptions | undefined): Promise<BrowserConnection> {
  const { isolated = false, launch = {} } = options
  const use = await enterProfile(folder, () => launchWithEgress({ ...launch, profileDir: folder }, egress))
  try {
    const own = await (isolated ? shareBrowser : use.isFirst ? ownBrowser : shareProfile)(use.browser, use.isFirst ? undefined : egress)
    return {
      ...own,
      // without an opener, a new tab belongs to this session only if there is no other
      get contextId() {
        return own.kind === 'launched' && use.hasOtherSessions() ? undefined : own.contextId
      },
      hasOtherSessions: use.hasOtherSessions,
      close: async () => {
        if (own.kind === 'shared') await own.close()
        await use.release()
      },
    }
  } catch (error) {
    await use.release()
    throw error
  }
}

/** Own tabs in the profile of a launched browser: shared cookies and storage. */
async function shareProfile(chromium: Chromium, egress: EgressProxyOptions | undefined): Promise<BrowserConnection> {
  if (egress)
    throw new PagehandError('invalid_input', say`A session that shares the login of a browser cannot have its own hosts or proxy.`)
  const { connection, viewport } = chromium
  return {
    kind: 'shared',
    connection,
    contextId: undefined,
    firstTargetId: undefined,
    viewport,
    statusFields: { ...chromiumFields(chromium), isolated: false },
    close: async () => {},
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

interface AttachOptions {
  /** end the connection with the session */
  readonly closes: boolean
  readonly isolated: boolean | undefined
}

/** Tabs of this session in a running browser; its other tabs are not touched. */
async function attachBrowser(browser: ConnectedBrowser, { closes, isolated = false }: AttachOptions): Promise<BrowserConnection> {
  const { connection, endpoint, product, isRelay, close } = browser
  if (isolated && isRelay)
    throw new PagehandError('invalid_input', say`A relay lends tabs of the user; a session with separate cookies needs a browser.`)
  const creating = isolated ? connection.send('Target.createBrowserContext', { disposeOnDetach: true }) : undefined
  const context = await creating?.catch((error: Error) => {
    if (closes) close()
    throw error
  })
  return {
    kind: 'attached',
    connection,
    lendsTabs: isRelay,
    contextId: context?.browserContextId,
    firstTargetId: undefined,
    viewport: undefined,
    // the path of the endpoint is a secret: any program that has it controls the browser
    statusFields: { endpoint: new URL(endpoint).origin, browser: product, ...(isolated && { isolated }) },
    close: async () => {
      if (context) await connection.send('Target.disposeBrowserContext', context).catch(() => {}) // gone with its browser
      if (closes) close()
    },
  }
}

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

import { quoted, say, term } from '../../../contract/message.ts'
import type { CdpConnection } from '../connection/connection.ts'
import { connectWebSocket, HandshakeError } from '../connection/websocket.ts'
import { PagehandError } from '../errors.ts'
import { type BrowserEndpoint, type ConnectOptions, findEndpoint, howTo } from './endpoint.ts'

/**
 * A connection to a browser that is already running.
 *
 * @example
 * const browser: ConnectedBrowser = await connect({ port: 9222 })
 * console.log(browser.product)
 */
export interface ConnectedBrowser {
  readonly connection: CdpConnection
  /** the WebSocket URL of the browser, without its query and credentials, which may contain a token */
  readonly endpoint: string
  /** name and version, such as Chrome/147.0.0.0 */
  readonly product: string
  /** whether it is a relay, which shows only the tabs that its user lends */
  readonly isRelay: boolean
  /** closes the connection; the browser keeps running */
  close(): void
  [Symbol.dispose](): void
}

/**
 * Connects to a browser that is already running with a debugging port, or to a relay that speaks CDP.
 *
 * @example
 * using browser = await connect({ port: 9222 })
 * await using session = await openSession({ browser })
 */
export async function connect(options: ConnectOptions = {}): Promise<ConnectedBrowser> {
  return connectTo(await findEndpoint(options), options)
}

/** Connects once, and never again after a refusal: each attempt shows the dialog of the browser again. */
export async function connectTo(to: BrowserEndpoint, options: ConnectOptions): Promise<ConnectedBrowser> {
  const { timeoutMs = 5_000, consentMs = 120_000 } = options
  if (to.asksUser) options.onConsent?.()
  const connection = await connectWebSocket(to.url, { timeoutMs: to.asksUser ? consentMs : timeoutMs }).catch((error: Error) => {
    throw refusalError(to, error)
  })
  const { product, revision } = await connection.send('Browser.getVersion')
  const close = () => connection.close()
  // OpenClaw's relay has the name of the browser, and its own as the revision
  const isRelay = /relay/i.test(`${product} ${revision}`)
  return { connection, endpoint: withoutToken(to.url), product, isRelay, close, [Symbol.dispose]: close }
}

function refusalError({ url, asksUser }: BrowserEndpoint, error: Error): PagehandError {
  const { host } = new URL(url)
  const status = error instanceof HandshakeError ? error.status : undefined
  if (asksUser && status === 403)
    return new PagehandError('consent_denied', say`The user of the browser at ${quoted(host)} did not allow the connection.`)
  if (asksUser && error instanceof HandshakeError && status === undefined)
    return new PagehandError(
      'not_running',
      say`The browser at ${quoted(host)} asked its user to allow the connection, and there was no answer. Click Allow in its dialog, then try again.`,
    )
  if (status === 401 || status === 403)
    return new PagehandError('not_running', say`${quoted(host)} refused the connection (status ${status}): its token is missing or wrong.`)
  if (status === 503)
    return new PagehandError(
      'not_running',
      say`The relay at ${quoted(host)} is running, but its extension is not connected. Open its browser.`,
    )
  return new PagehandError('not_running', say`The browser at ${quoted(host)} refused the connection. ${term(howTo)}`, {
    page: { error: error.message },
  })
}

function withoutToken(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

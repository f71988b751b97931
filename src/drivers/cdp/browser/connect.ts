import { quoted, say, term } from '../../../contract/message.ts'
import type { CdpConnection } from '../connection/connection.ts'
import { connectWebSocket } from '../connection/websocket.ts'
import { PagehandError } from '../errors.ts'
import { type ConnectOptions, findEndpoint, howTo } from './endpoint.ts'

/**
 * A connection to a browser that is already running.
 *
 * @example
 * const browser: ConnectedBrowser = await connect({ port: 9222 })
 * console.log(browser.product)
 */
export interface ConnectedBrowser {
  readonly connection: CdpConnection
  /** the WebSocket URL of the browser */
  readonly endpoint: string
  /** name and version, such as Chrome/147.0.0.0 */
  readonly product: string
  /** closes the connection; the browser keeps running */
  close(): void
  [Symbol.dispose](): void
}

/**
 * Connects to a browser that is already running with a debugging port.
 *
 * @example
 * using browser = await connect({ port: 9222 })
 * await using session = await openSession({ browser })
 */
export async function connect(options: ConnectOptions = {}): Promise<ConnectedBrowser> {
  const { timeoutMs = 5_000 } = options
  const endpoint = await findEndpoint(options)
  const connection = await connectWebSocket(endpoint, { timeoutMs }).catch((error: Error) => {
    throw new PagehandError('not_running', say`The browser at ${quoted(new URL(endpoint).host)} refused the connection. ${term(howTo)}`, {
      page: { error: error.message },
    })
  })
  const { product } = await connection.send('Browser.getVersion')
  const close = () => connection.close()
  return { connection, endpoint, product, close, [Symbol.dispose]: close }
}

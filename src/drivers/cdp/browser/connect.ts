import type { CdpConnection } from '../connection/connection.ts'
import { webSocketTransport } from '../connection/websocket.ts'
import { PagehandError } from '../errors.ts'
import { type ConnectOptions, findEndpoint, howTo } from './endpoint.ts'

/** A connection to a browser that somebody else has started, and will end. */
export interface ConnectedBrowser {
  readonly connection: CdpConnection
  readonly endpoint: string
  readonly product: string
  /** ends the connection, and nothing else */
  close(): void
  [Symbol.dispose](): void
}

export async function connect(options: ConnectOptions = {}): Promise<ConnectedBrowser> {
  const { timeoutMs = 5_000 } = options
  const endpoint = await findEndpoint(options)
  const port = await webSocketTransport(endpoint, { timeoutMs }).catch((error: Error) => {
    throw new PagehandError(
      'not_running',
      `The browser at ${new URL(endpoint).host} did not take the connection: ${error.message}. ${howTo}`,
    )
  })
  const { product } = await port.send('Browser.getVersion')
  const close = () => port.close()
  return { connection: port, endpoint, product, close, [Symbol.dispose]: close }
}

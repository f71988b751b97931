import type { Port } from '../connection/connection.ts'
import { socket } from '../connection/websocket.ts'
import { Failed } from '../errors.ts'
import { type Attaching, findEndpoint, howTo } from './endpoint.ts'

/** A connection to a browser that somebody else has started, and will end. */
export interface Attached {
  readonly port: Port
  readonly endpoint: string
  readonly product: string
  /** ends the connection, and nothing else */
  close(): void
  [Symbol.dispose](): void
}

export async function attach(options: Attaching = {}): Promise<Attached> {
  const { timeoutMs = 5_000 } = options
  const endpoint = await findEndpoint(options)
  const port = await socket(endpoint, { timeoutMs }).catch((error: Error) => {
    throw new Failed('not_running', `The browser at ${new URL(endpoint).host} did not take the connection: ${error.message}. ${howTo}`)
  })
  const { product } = await port.send('Browser.getVersion')
  const close = () => port.close()
  return { port, endpoint, product, close, [Symbol.dispose]: close }
}

import { once } from 'node:events'
import { WebSocket } from 'ws'
import { PagehandError } from '../errors.ts'
import { type CdpConnection, createConnection, receive } from './connection.ts'

/** Speaks the protocol over a WebSocket: to a browser that somebody else has started. Nothing of ours goes into its headers. */
export async function webSocketTransport(url: string, { timeoutMs = 5_000 } = {}): Promise<CdpConnection> {
  // whole pages and pictures come in one message; compressing them on one machine only costs time
  const wire = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: 512 * 2 ** 20,
    handshakeTimeout: timeoutMs,
    followRedirects: false,
  })
  const port = createConnection(incoming => {
    wire.on('message', data => receive(String(data), incoming))
    wire.on('close', () => incoming.lose(new PagehandError('browser_crashed', 'The connection to the browser is gone.')))
    wire.on('error', () => {}) // it is followed by close, which says the same
    return { post: call => wire.send(JSON.stringify(call)), close: () => wire.terminate() }
  })
  await once(wire, 'open')
  return port
}

import { type RawData, WebSocket } from 'ws'
import { say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import { type CdpConnection, createConnection } from './connection.ts'
import { receiveMessage } from './messages.ts'

/** The server answered the request for a WebSocket with an HTTP status, or not at all. */
export class HandshakeError extends Error {
  readonly status: number | undefined

  constructor(status: number | undefined) {
    super(status === undefined ? 'no answer' : `status ${status}`)
    this.status = status
  }
}

/** Connects over a WebSocket, to a browser that is already running. `timeoutMs`: for its first answer; 0 waits forever. */
export async function connectWebSocket(url: string, { timeoutMs = 5_000 } = {}): Promise<CdpConnection> {
  const token = new URL(url).searchParams.get('token')
  // a screenshot is one message; compressing it on the same machine only costs time
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    // a message is received as a whole before it can be dropped; beyond this the socket closes
    maxPayload: 256 * 2 ** 20,
    ...(timeoutMs > 0 && { handshakeTimeout: timeoutMs }),
    followRedirects: false,
    // relays take the token from the query or from the header
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  })
  const connection = createConnection(events => {
    socket.on('message', data => receiveMessage(toBuffer(data), events))
    socket.on('close', () => events.onClose(new PagehandError('browser_crashed', say`The connection to the browser is gone.`)))
    socket.on('error', () => {}) // followed by 'close'
    return { send: call => socket.send(JSON.stringify(call)), close: () => socket.terminate() }
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (request, { statusCode }) => {
      request.destroy()
      reject(new HandshakeError(statusCode))
    })
    socket.once('error', error => reject(/timed out/.test(error.message) ? new HandshakeError(undefined) : error))
  })
  return connection
}

const toBuffer = (data: RawData): Buffer => (Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data))

// The server of the relay, on the loopback interface. The extension connects to /extension, CDP clients to a path that contains the token.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { isFromSameUser } from '../home/peer.ts'
import { createRelayFolder, relayPath, writeRelayAddress } from '../home/relay-address.ts'
import { isEqual, Pairing } from './pairing.ts'
import {
  defaultRelayPort,
  type ExtensionGreeting,
  type ExtensionProof,
  extensionId,
  protocolVersion,
  type RelayGreeting,
} from './protocol.ts'
import { Relay, type RelayOptions, type RelayStatus } from './relay.ts'

export interface RelayServerOptions extends RelayOptions {
  /**
   * The port that the extension knows.
   * @default 17419
   */
  readonly port?: number
  /**
   * The relay ends after this long without a client; undefined: it stays.
   * @default undefined
   */
  readonly endAfterMs?: number
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv
}

/** The answer to GET /json/relay. */
export interface RelayServerStatus extends RelayStatus {
  readonly isPaired: boolean
  /** the code to enter in the extension */
  readonly code: string
}

export interface RelayServer {
  readonly port: number
  readonly token: string
  status(): RelayServerStatus
  /** resolves when the server is closed */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** the same limits as for a connection to a browser */
const maxPayload = 256 * 2 ** 20
/** how long an extension may take to prove who it is, in how many bytes, and how many may do so at a time: anyone on this machine can connect */
const greeting = { maxMs: 10_000, maxBytes: 4_096, maxSockets: 8 }

/** Starts the relay and writes its address into the private folder of the user. Fails if the port is in use. */
export async function startRelay(options: RelayServerOptions = {}): Promise<RelayServer> {
  const { port = defaultRelayPort, env = process.env, endAfterMs } = options
  const token = randomBytes(24).toString('base64url')
  const pairing = new Pairing(createRelayFolder(env))
  const relay = new Relay(options)
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload })
  const server = createServer((request, response) => respond(request, response))
  const status = (): RelayServerStatus => ({ ...relay.status(), isPaired: pairing.isPaired(), code: pairing.code() })

  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const refusal = refusalOf(request, { port: bound, origin: undefined })
    if (refusal) return void response.writeHead(refusal, { connection: 'close' }).end()
    if (request.method !== 'GET' || !isEqual(request.headers.authorization ?? '', `Bearer ${token}`))
      return void response.writeHead(401, { connection: 'close' }).end()
    const path = request.url?.replace(/\/$/, '')
    if (path === '/json/relay') return sendJson(response, status())
    if (path !== '/json/version') return void response.writeHead(404).end()
    const webSocketDebuggerUrl = `ws://127.0.0.1:${bound}${relayPath}${token}`
    return sendJson(response, { Browser: relay.status().browser ?? 'pagehand relay', 'Protocol-Version': '1.3', webSocketDebuggerUrl })
  }
  server.on('upgrade', (request, socket, head) => {
    // not new URL(): it throws for a path such as //[, which any page can send
    const [pathname = '', query] = (request.url ?? '').split('?', 2)
    const isExtension = pathname === '/extension'
    // pages of every origin can open a WebSocket to this machine, and always name their origin
    const refusal = refusalOf(request, { port: bound, origin: isExtension ? `chrome-extension://${extensionId}` : undefined })
    if (refusal) return refuse(socket, refusal)
    if (!isExtension && !isEqual(pathname, `${relayPath}${token}`)) return refuse(socket, 401)
    if (isExtension) return void greet(request, socket, head)
    sockets.handleUpgrade(request, socket, head, accepted => {
      accepted.on('error', () => {}) // followed by 'close'
      relay.acceptClient(accepted, toName(new URLSearchParams(query).get('client')))
      accepted.on('close', watchClients) // after the relay has removed the client
    })
  })

  const strangers = new Set<Duplex>()
  const greet = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const stopCounting = limitBytes(socket, greeting.maxBytes)
    // other users of this machine take no places
    if (!(await isFromSameUser(request.socket))) return refuse(socket, 403)
    // the oldest one makes room: the extension of the user must not find all places taken
    for (const oldest of strangers) if (strangers.size >= greeting.maxSockets) end(oldest)
    strangers.add(socket)
    socket.on('close', () => strangers.delete(socket))
    sockets.handleUpgrade(request, socket, head, accepted => {
      accepted.on('error', () => {}) // followed by 'close'
      greetExtension(accepted, pairing, userAgent => {
        strangers.delete(socket)
        stopCounting()
        relay.acceptExtension(accepted, userAgent)
      })
    })
  }
  const end = (socket: Duplex) => {
    strangers.delete(socket)
    socket.destroy()
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  const removeAddress = writeRelayAddress({ port: bound, token }, env)
  let endTimer: NodeJS.Timeout | undefined
  const close = async () => {
    clearTimeout(endTimer)
    removeAddress()
    relay.close()
    server.close()
    // a client that does not answer must not keep the process
    for (const socket of sockets.clients) setTimeout(() => socket.terminate(), 1_000).unref()
    await closed
  }
  const watchClients = () => {
    clearTimeout(endTimer)
    if (endAfterMs === undefined || relay.clientCount() > 0) return
    endTimer = setTimeout(() => void (relay.clientCount() === 0 ? close() : watchClients()), endAfterMs)
  }
  const closed = once(server, 'close').then(() => {})
  watchClients()
  return { port: bound, token, status, closed, close }
}

/** The HTTP status of the refusal; undefined if the request may pass. `origin` is the one that must be named, or undefined for none. */
function refusalOf({ headers }: IncomingMessage, { port, origin }: { port: number; origin: string | undefined }): number | undefined {
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`) return 403
  return headers.origin === origin ? undefined : 403
}

function refuse(socket: Duplex, status: number): void {
  socket.on('error', () => {}) // gone already
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Ends a connection that sends more than this. Returns the function that lifts the limit. */
function limitBytes(socket: Duplex, maxBytes: number): () => void {
  let bytes = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) socket.destroy()
  }
  socket.on('data', count)
  return () => void socket.off('data', count)
}

/** Lets the extension in if it is paired, or has the code. */
function greetExtension(socket: WebSocket, pairing: Pairing, accept: (userAgent: string) => void): void {
  const timer = setTimeout(() => socket.terminate(), greeting.maxMs)
  const send = (message: RelayGreeting) => socket.send(JSON.stringify(message))
  const end = (refusal: RelayGreeting & { readonly type: 'refused' }) => {
    send(refusal)
    socket.close(1008, refusal.reason)
  }
  let check: ((proof: unknown) => boolean) | undefined
  let userAgent = ''
  const onMessage = (data: unknown) => {
    const message = parseGreeting(String(data))
    if (!message) return socket.terminate()
    if (message.type === 'proof') {
      if (!check?.(message.proof)) return end({ type: 'refused', reason: 'not paired' })
      clearTimeout(timer)
      socket.off('message', onMessage)
      send({ type: 'ready' })
      return accept(userAgent)
    }
    if (message.protocol !== protocolVersion) return end({ type: 'refused', reason: 'other version' })
    userAgent = message.userAgent.slice(0, 500)
    if (message.type === 'pair') {
      const result = pairing.pair(message.code)
      if ('key' in result) return send({ type: 'paired', key: result.key })
      socket.off('message', onMessage) // one code per connection
      return void setTimeout(() => end({ type: 'refused', reason: result.reason }), result.delayMs).unref()
    }
    const challenge = pairing.challenge(message)
    if (!challenge) return end({ type: 'refused', reason: 'not paired' })
    check = challenge.accepts
    send(challenge.message)
  }
  socket.on('message', onMessage)
  socket.on('close', () => clearTimeout(timer))
}

function parseGreeting(text: string): ExtensionGreeting | ExtensionProof | undefined {
  try {
    const message = JSON.parse(text) as Record<string, unknown>
    const { type, protocol, nonce, code, proof, userAgent } = message
    if (type === 'proof' && typeof proof === 'string') return { type, proof }
    if (typeof protocol !== 'number' || typeof userAgent !== 'string') return undefined
    if (type === 'hello' && typeof nonce === 'string' && nonce.length >= 16) return { type, protocol, nonce, userAgent }
    return type === 'pair' && typeof code === 'string' ? { type, protocol, code, userAgent } : undefined
  } catch {
    return undefined // not JSON
  }
}

/** The name that the popup shows: plain text without control characters. */
const toName = (given: string | null): string => (given ?? '').replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 40) || 'CDP client'

const sendJson = (response: ServerResponse, value: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(value))

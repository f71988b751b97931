// The server of the relay, on the loopback interface. The extension connects to /extension, CDP clients to a path that contains the token.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
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
/** how long an extension may take to say who it is */
const greetingMs = 10_000

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
    sockets.handleUpgrade(request, socket, head, accepted => {
      accepted.on('error', () => {}) // followed by 'close'
      if (isExtension) return greetExtension(accepted, pairing, userAgent => relay.acceptExtension(accepted, userAgent))
      relay.acceptClient(accepted, toName(new URLSearchParams(query).get('client')))
      accepted.on('close', watchClients) // after the relay has removed the client
    })
  })

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

/** Lets the extension in if it is paired, or has the code. */
function greetExtension(socket: WebSocket, pairing: Pairing, accept: (userAgent: string) => void): void {
  const timer = setTimeout(() => socket.terminate(), greetingMs)
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
      return 'key' in result ? send({ type: 'paired', key: result.key }) : end({ type: 'refused', ...result })
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

// The proxy between a launched browser and the network. All requests of the browser pass through it, whichever part of the browser or of
// a page sends them, so it is the place where host rules are enforced (C1).
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isFromSameUser } from '../../../home/peer.ts'
import type { Destination } from '../../../policy/host-rules.ts'
import { EgressRefusal, type EgressRules } from './egress-rules.ts'
import type { ResolvedAddress } from './resolver.ts'
import { connectThrough, isBypassed, proxyAuthorization, proxyRequestOptions, requestOf, type UpstreamProxy } from './upstream.ts'

export interface EgressProxyOptions {
  /** undefined: every request is forwarded */
  readonly rules?: EgressRules | undefined
  readonly upstream?: UpstreamProxy | undefined
  /** called for each connection that fails, except for refusals */
  readonly onError?: (to: Destination, reason: string) => void
  /** opens a direct connection; @default net.connect */
  readonly dial?: (addresses: readonly ResolvedAddress[], to: Destination, signal: AbortSignal) => Promise<Duplex>
}

/** A proxy on a port of this machine, for one browser or one browser context. */
export interface EgressProxy {
  /** for Chromium: 127.0.0.1:port */
  readonly server: string
  /** ends every connection at once */
  close(): Promise<void>
}

const connectMs = 30_000
/** as much as Chromium accepts */
const maxHeaderSize = 262_144
/** headers for the next hop alone, RFC 9110 section 7.6.1; the others are forwarded as they are */
const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export async function startEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const open = new Set<Duplex>()
  const closing = new AbortController()
  const track = <T extends Duplex>(socket: T): T => {
    open.add(socket)
    socket.on('error', () => socket.destroy()) // the other end closes with it
    socket.once('close', () => open.delete(socket))
    return socket
  }
  const connectTo = async (to: Destination) => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(connectMs)])
    const opened = openConnection(options, to, signal).catch((error: Error) => {
      if (!(error instanceof EgressRefusal) && !closing.signal.aborted) options.onError?.(to, reasonOf(error))
      throw error
    })
    const socket = track(await opened)
    if (closing.signal.aborted) socket.destroy()
    return socket
  }

  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, maxHeaderSize })
  const peers = new WeakMap<Duplex, Promise<boolean>>()
  server.on('connection', socket => {
    track(socket)
    const isAllowed = isFromSameUser(socket)
    peers.set(socket, isAllowed)
    isAllowed.then(allowed => allowed || socket.destroy())
  })
  server.on('clientError', (_, socket) => void socket.destroy())
  server.on('connect', async (request: IncomingMessage, client: Duplex, head: Buffer) => {
    try {
      if (!(await peers.get(client))) return
      const to = targetOf(`http://${request.url}`, request.url)
      const remote = await connectTo(to)
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      if (head.length > 0) remote.write(head)
      join(client, remote)
    } catch (error) {
      client.end(`HTTP/1.1 ${error instanceof EgressRefusal ? '403 Forbidden' : '502 Bad Gateway'}\r\n\r\n`)
    }
  })
  server.on('request', async (request, response) => {
    try {
      if (!(await peers.get(request.socket))) return
      await forward(options, request, response, connectTo)
    } catch {
      // closed without a response, so that the browser shows an error and not a page that the host might have sent
      request.socket.destroy()
    }
  })

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return {
    server: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      closing.abort()
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

async function openConnection({ rules, upstream, dial = dialDirectly }: EgressProxyOptions, to: Destination, signal: AbortSignal) {
  const addresses = await rules?.check(to)
  if (!upstream || isBypassed(upstream, to)) return dial(addresses ?? [], to, signal)
  // the checked address, because the upstream proxy might resolve the name to another one
  const [first] = addresses ?? []
  const hostname = first && (first.family === 6 ? `[${first.address}]` : first.address)
  return connectThrough(upstream, { ...to, hostname: hostname ?? to.hostname }, signal)
}

/** If several addresses of a host fail, Node reports them together, without a message. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map(({ message }: Error) => message).join(', ') : error.message

/** Connects to one of the addresses; without any, to the name. */
async function dialDirectly(addresses: readonly ResolvedAddress[], { hostname, port }: Destination, signal: AbortSignal): Promise<Socket> {
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  const socket = connect({
    host: isIP(name) && addresses[0] ? addresses[0].address : name,
    port,
    signal,
    allowHalfOpen: true,
    autoSelectFamily: true,
    ...(addresses.length > 0 && { lookup: (_name, _options, callback) => callback(null, addresses as ResolvedAddress[]) }),
  })
  await once(socket, 'connect')
  return socket
}

/** Forwards a request for an http: URL; the proxy sees only the host of https: and WebSocket URLs, for which it opens tunnels. */
async function forward(
  { rules, upstream, onError = () => {} }: EgressProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
  connectTo: (to: Destination) => Promise<Duplex>,
): Promise<void> {
  const { method = 'GET', url = '' } = request
  const to = targetOf(url, /^http:\/\/([^/?#]*)/i.exec(url)?.[1])
  const headers = withoutHopHeaders(request.rawHeaders)
  // without rules, an HTTP proxy gets the whole request and resolves the name; many of these allow tunnels only for https
  const whole = !rules && upstream && upstream.protocol !== 'socks5:' && !isBypassed(upstream, to) ? upstream : undefined
  const sent = whole
    ? requestOf(whole)({
        ...proxyRequestOptions(whole),
        method,
        maxHeaderSize,
        path: url,
        headers: [...headers, ...proxyAuthorization(whole)],
      })
    : requestHttp({ method, path: pathOf(url), headers, maxHeaderSize, createConnection: await connector(connectTo, to) })
  const fail = (reason: string) => {
    // a direct connection has reported itself
    if (whole && !response.destroyed) onError(to, reason)
    request.socket.destroy()
  }
  sent.on('error', error => fail(`the proxy does not answer: ${reasonOf(error)}`))
  sent.on('response', answer => {
    // a login page of the upstream proxy must not be shown as the page
    if (whole && answer.statusCode === 407) return fail('the proxy refused the login')
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, withoutHopHeaders(answer.rawHeaders))
    answer.on('error', () => request.socket.destroy())
    answer.pipe(response)
    // the browser learns of a connection that breaks in the middle of a response
    answer.on('close', () => answer.complete || request.socket.destroy())
  })
  response.on('close', () => sent.destroy())
  request.pipe(sent)
}

async function connector(connectTo: (to: Destination) => Promise<Duplex>, to: Destination) {
  const socket = await connectTo(to)
  return () => socket as Socket
}

/** Fails if the URL or authority is not that of a web server: a request that was not meant for a proxy. */
function targetOf(url: string, authority: string | undefined): Destination {
  const parsed = authority ? new URL(url) : undefined
  if (!parsed?.hostname || parsed.protocol !== 'http:') throw new Error('not a request for a proxy')
  // the URL parser drops the default port of http
  return { hostname: parsed.hostname, port: Number(parsed.port) || 80 }
}

function pathOf(url: string): string {
  const path = url.replace(/^http:\/\/[^/?#]*/i, '')
  return path.startsWith('/') ? path : `/${path}`
}

/** Headers as a flat list of names and values. */
function withoutHopHeaders(raw: readonly string[]): string[] {
  const named = raw.flatMap((name, index) => (index % 2 === 0 && /^connection$/i.test(name) ? (raw[index + 1] ?? '').split(',') : []))
  const dropped = new Set([...hopHeaders, ...named.map(name => name.trim().toLowerCase())])
  return raw.filter((_, index) => !dropped.has((raw[index - (index % 2)] ?? '').toLowerCase()))
}

function join(one: Duplex, other: Duplex): void {
  one.pipe(other)
  other.pipe(one)
  one.once('close', () => other.destroy())
  other.once('close', () => one.destroy())
}

// Connections through a proxy of the user: HTTP CONNECT, also over TLS, and SOCKS5.
import { once } from 'node:events'
import { type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import { say, term } from '../../../contract/message.ts'
import { type Destination, isInHosts, parseHostRules } from '../../../policy/host-rules.ts'
import { type ProxyUrl, parseProxyUrl } from '../../../policy/proxy-url.ts'
import { PagehandError } from '../errors.ts'
import { toAddress } from './resolver.ts'

/**
 * A proxy through which a launched browser connects.
 *
 * @example
 * const proxy: ProxyOptions = { server: 'http://proxy.example:3128', username: 'me', password: process.env.PROXY_PASSWORD }
 */
export interface ProxyOptions {
  /** `http://host:port`, `https://host:port` or `socks5://host:port`; may contain `user:password@`. */
  readonly server: string
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** Hosts, written as in host rules, that are connected to directly. @default none */
  readonly bypass?: readonly string[]
}

/** A parsed `ProxyOptions`. */
export interface UpstreamProxy extends ProxyUrl {
  readonly bypass: readonly string[]
}

export function parseProxyOptions({ server, username, password, bypass = [] }: ProxyOptions): UpstreamProxy {
  const url = parseProxyUrl(server)
  if (!url)
    throw new PagehandError('invalid_input', say`proxy.server is a URL such as http://proxy.example:3128 or socks5://127.0.0.1:1080.`)
  const hosts = bypass.length > 0 ? parseHostRules({ deny: bypass }) : undefined
  if (hosts?.ok === false) throw new PagehandError('invalid_input', term(hosts.error.message.replace('hosts.deny', 'proxy.bypass')))
  return { ...url, username: username ?? url.username, password: password ?? url.password, bypass }
}

export const isBypassed = ({ bypass }: UpstreamProxy, to: Destination): boolean => isInHosts(bypass, to)

/** Connects to a host through the proxy, which resolves the hostname unless it is an IP address. */
export const connectThrough = (proxy: UpstreamProxy, to: Destination, signal: AbortSignal): Promise<Socket> =>
  proxy.protocol === 'socks5:' ? connectSocks(proxy, to, signal) : connectHttp(proxy, to, signal)

/** The options and headers of a request to an HTTP proxy. */
export const proxyRequestOptions = ({ hostname, port }: UpstreamProxy): RequestOptions => ({
  host: withoutBrackets(hostname),
  port,
  agent: false,
})
export const proxyAuthorization = ({ username, password }: UpstreamProxy): readonly string[] =>
  username || password ? ['Proxy-Authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`] : []
export const requestOf = ({ protocol }: UpstreamProxy): typeof requestHttp => (protocol === 'https:' ? requestHttps : requestHttp)

async function connectHttp(proxy: UpstreamProxy, { hostname, port }: Destination, signal: AbortSignal): Promise<Socket> {
  const authority = `${hostname}:${port}`
  const request = requestOf(proxy)({
    ...proxyRequestOptions(proxy),
    method: 'CONNECT',
    path: authority,
    headers: ['Host', authority, ...proxyAuthorization(proxy)],
    signal,
  })
  request.end()
  const [response, socket, head] = await once(request, 'connect')
  if (response.statusCode !== 200) {
    socket.destroy()
    throw new Error(response.statusCode === 407 ? 'the proxy refused the login' : `the proxy answered ${response.statusCode}`)
  }
  if (head.length > 0) socket.unshift(head)
  return socket
}

/** RFC 1928, with a login as in RFC 1929. */
async function connectSocks(proxy: UpstreamProxy, { hostname, port }: Destination, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: withoutBrackets(proxy.hostname), port: proxy.port, signal, allowHalfOpen: true })
  try {
    await once(socket, 'connect')
    const login = proxy.username || proxy.password ? [2] : []
    socket.write(Buffer.from([5, 1 + login.length, 0, ...login]))
    const [, method] = await read(socket, 2)
    if (method === 2) {
      socket.write(Buffer.concat([Buffer.from([1]), sized(proxy.username), sized(proxy.password)]))
      const [, status] = await read(socket, 2)
      if (status !== 0) throw new Error('the proxy refused the login')
    } else if (method !== 0) throw new Error('the proxy accepts none of the offered logins')
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), socksAddress(hostname), Buffer.from([port >> 8, port % 256])]))
    const [, reply, , type] = await read(socket, 4)
    if (reply !== 0) throw new Error(`the proxy answered with error ${reply}`)
    const length = type === 1 ? 4 : type === 4 ? 16 : ((await read(socket, 1))[0] ?? 0)
    await read(socket, length + 2)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function socksAddress(hostname: string): Buffer {
  const address = toAddress(withoutBrackets(hostname))
  if (!address) return Buffer.concat([Buffer.from([3]), sized(hostname)])
  if (address.family === 4) return Buffer.from([1, ...address.address.split('.').map(Number)])
  return Buffer.from([4, ...ipv6Bytes(address.address)])
}

function ipv6Bytes(text: string): number[] {
  // the URL parser writes an embedded IPv4 address as groups
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const groups = (part: string | undefined) => (part ? part.split(':').map(group => Number.parseInt(group, 16)) : [])
  const [first, last] = [groups(head), groups(tail)]
  const zeros = new Array<number>(8 - first.length - last.length).fill(0)
  return [...first, ...zeros, ...last].flatMap(group => [group >> 8, group % 256])
}

function sized(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw new Error('a name for the proxy has more than 255 bytes')
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

async function read(socket: Socket, size: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(size) as Buffer | null
    if (bytes?.length === size) return bytes
    if (bytes || socket.readableEnded || socket.destroyed) throw new Error('the proxy closed the connection')
    const controller = new AbortController()
    const { signal } = controller
    await Promise.race(['readable', 'end', 'close'].map(event => once(socket, event, { signal }))).finally(() => controller.abort())
  }
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

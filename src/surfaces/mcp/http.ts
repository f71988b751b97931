import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Connection, HttpClients } from './http-clients.ts'

export interface HttpServerOptions {
  readonly port: number
  /**
   * At least 22 characters (128 bits).
   * @default a random token
   */
  readonly token?: string
  /**
   * Origins of web pages that may call.
   * @default []
   */
  readonly origins?: readonly string[]
  /**
   * A client without an open request is ended after this long, with its browser.
   * @default 15 minutes
   */
  readonly idleMs?: number
  /** @default 16 */
  readonly maxClients?: number
  connect(): Connection | Promise<Connection>
}

export interface McpHttpServer {
  readonly url: string
  readonly token: string
  close(): Promise<void>
}

const maxBodyBytes = 1_000_000

/** Serves MCP over HTTP on the loopback interface (TRUST D1). Every request needs the token, the exact host and an allowed origin, if any. */
export async function serveHttp({
  port,
  token = randomBytes(24).toString('base64url'),
  origins = [],
  idleMs = 15 * 60_000,
  maxClients = 16,
  connect,
}: HttpServerOptions): Promise<McpHttpServer> {
  if (token.length < 22) throw new TypeError('the token must have at least 22 characters (128 bits)')
  const clients = new HttpClients(connect, { idleMs, maxClients })
  const servers: HttpServer[] = []

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalStatus(request, { token, origins, port: bound })
    if (refusal === 401) return refuseCaller(response, request.headers.authorization)
    if (refusal) return void response.writeHead(refusal, { connection: 'close' }).end()
    if (request.headers.origin !== undefined) allowOrigin(response, request.headers.origin)
    if (request.method === 'OPTIONS') return void response.writeHead(204, preflightHeaders).end()
    const body = request.method === 'POST' ? await readBody(request) : undefined
    if (body === null) return void response.writeHead(413, { connection: 'close' }).end()
    const id = request.headers['mcp-session-id']
    if (id !== undefined && !clients.has(String(id)))
      return sendError(response, 404, 'There is no such session: it was idle for too long, or the server was restarted. Initialize again.')
    if (id === undefined && clients.isFull())
      return sendError(response, 503, `All ${maxClients} clients are in use. End one with DELETE, or try again later.`)
    await clients.handle(request, response, body)
  }

  let bound = port
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer((request, response) => {
      handle(request, response).catch(() => response.headersSent || response.writeHead(500).end())
    })
    try {
      server.listen(bound, host)
      await once(server, 'listening')
      servers.push(server)
      bound = (server.address() as AddressInfo).port
    } catch (error) {
      // some machines have no ::1
      if (servers.length === 0) throw error
    }
  }
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    token,
    async close() {
      for (const server of servers) server.close()
      await clients.close()
      for (const server of servers) server.closeAllConnections()
    },
  }
}

/** The status that a request is refused with before its body is read; undefined if it is accepted. */
function refusalStatus(
  { method, url, headers }: IncomingMessage,
  { token, origins, port }: { token: string; origins: readonly string[]; port: number },
): number | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
  if (!hosts.includes(headers.host ?? '')) return 403
  if (headers.origin !== undefined && !origins.includes(headers.origin)) return 403
  // a browser asks whether a page may call before it sends the token
  if (method === 'OPTIONS' && headers.origin !== undefined && url === '/mcp') return undefined
  if (!isToken(headers.authorization, token)) return 401
  if (url !== '/mcp') return 404
  if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') return 405
  if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return 415
  return Number(headers['content-length'] ?? 0) > maxBodyBytes ? 413 : undefined
}

/** The answer to this one origin may be read by its pages. */
function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', 'mcp-session-id')
  response.setHeader('vary', 'Origin')
}

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id',
  // Chromium asks for this if a page of a public host calls a server on this machine
  'access-control-allow-private-network': 'true',
  'access-control-max-age': '600',
}

/** Answers a request without the token: https://www.rfc-editor.org/rfc/rfc6750#section-3 */
function refuseCaller(response: ServerResponse, given: string | undefined): void {
  response.setHeader('connection', 'close')
  response.setHeader('www-authenticate', `Bearer realm="pagehand"${given === undefined ? '' : ', error="invalid_token"'}`)
  const problem = given === undefined ? 'The request has no token.' : 'The token is not the one of this server.'
  sendError(response, 401, `${problem} ${tokenAdvice}`)
}
const tokenAdvice =
  'Send the header "Authorization: Bearer TOKEN" with the token that pagehand mcp printed when it started, or with the value of PAGEHAND_TOKEN if it was set.'

/** An error as MCP clients expect it: https://www.jsonrpc.org/specification#error_object */
function sendError(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 503 && { 'retry-after': '60' }) })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }))
}

function isToken(given: string | undefined, token: string): boolean {
  const [actual, expected] = [Buffer.from(given ?? ''), Buffer.from(`Bearer ${token}`)]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** The parsed body of a request; null if it is too long. Invalid JSON becomes a string, which the SDK rejects as an invalid message. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > maxBodyBytes) return null
    chunks.push(chunk as Buffer)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return 'not JSON'
  }
}

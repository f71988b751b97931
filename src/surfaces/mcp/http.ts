import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

/** An MCP server for one client. */
export interface Connection {
  readonly server: Server
  /** closes what was opened for this client */
  close(): Promise<void>
}

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
  connect(): Connection | Promise<Connection>
}

export interface McpHttpServer {
  readonly url: string
  readonly token: string
  close(): Promise<void>
}

const maxBodyBytes = 1_000_000
const maxClients = 16

interface Client {
  readonly transport: StreamableHTTPServerTransport
  close(): Promise<void>
}

/** Serves MCP over HTTP on the loopback interface (TRUST D1). Every request needs the token, the exact host and an allowed origin, if any. */
export async function serveHttp({
  port,
  token = randomBytes(24).toString('base64url'),
  origins = [],
  connect,
}: HttpServerOptions): Promise<McpHttpServer> {
  if (token.length < 22) throw new TypeError('the token must have at least 22 characters (128 bits)')
  const clients = new Map<string, Client>()
  const servers: HttpServer[] = []

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalStatus(request, { token, origins, port: bound })
    if (refusal) return void response.writeHead(refusal, { connection: 'close' }).end()
    const body = request.method === 'POST' ? await readBody(request) : undefined
    if (body === null) return void response.writeHead(413, { connection: 'close' }).end()
    const known = clients.get(String(request.headers['mcp-session-id'] ?? ''))
    const client = known ?? (request.headers['mcp-session-id'] === undefined ? await addClient() : undefined)
    if (!client) return void response.writeHead(404).end()
    await client.transport.handleRequest(request, response, body)
    // without an initialize request there is no session id, so no later request can belong to this client
    if (!known && client.transport.sessionId === undefined) await client.close()
  }

  async function addClient(): Promise<Client | undefined> {
    if (clients.size >= maxClients) return undefined
    const { server, close } = await connect()
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void clients.set(id, client),
      onsessionclosed: id => void removeClient(id),
    })
    const client: Client = {
      transport,
      close: async () => {
        await server.close()
        await close()
      },
    }
    // the SDK's types are not written for exactOptionalPropertyTypes
    await server.connect(transport as Parameters<Server['connect']>[0])
    return client
  }
  async function removeClient(id: string): Promise<void> {
    const client = clients.get(id)
    clients.delete(id)
    await client?.close()
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
      await Promise.all([...clients.keys()].map(removeClient))
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
  if (!isToken(headers.authorization, token)) return 401
  if (url !== '/mcp') return 404
  if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') return 405
  if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return 415
  return Number(headers['content-length'] ?? 0) > maxBodyBytes ? 413 : undefined
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

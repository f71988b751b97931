import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

/** a server for one client, and what closes with it */
export interface Connected {
  readonly server: Server
  close(): Promise<void>
}

export interface HttpServing {
  readonly port: number
  /** at least 128 bits; made where none is given */
  readonly token?: string
  /** origins of web pages that may call; none unless given */
  readonly origins?: readonly string[]
  connect(): Connected | Promise<Connected>
}

export interface HttpServed {
  readonly url: string
  readonly token: string
  close(): Promise<void>
}

const mostOfBody = 1_000_000
const mostClients = 16

interface Client {
  readonly transport: StreamableHTTPServerTransport
  close(): Promise<void>
}

/** MCP over HTTP for this machine alone (TRUST D1): every request needs the token, the exact host, and no foreign origin. */
export async function serveHttp({
  port,
  token = randomBytes(24).toString('base64url'),
  origins = [],
  connect,
}: HttpServing): Promise<HttpServed> {
  if (token.length < 22) throw new TypeError('the token must have at least 22 characters (128 bits)')
  const clients = new Map<string, Client>()
  const servers: HttpServer[] = []

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request, { token, origins, port: bound })
    if (refusal) return void response.writeHead(refusal, { connection: 'close' }).end()
    const body = request.method === 'POST' ? await bodyOf(request) : undefined
    if (body === null) return void response.writeHead(413, { connection: 'close' }).end()
    const known = clients.get(String(request.headers['mcp-session-id'] ?? ''))
    const client = known ?? (request.headers['mcp-session-id'] === undefined ? await welcome() : undefined)
    if (!client) return void response.writeHead(404).end()
    await client.transport.handleRequest(request, response, body)
    // who did not introduce itself will not be known again
    if (!known && client.transport.sessionId === undefined) await client.close()
  }

  async function welcome(): Promise<Client | undefined> {
    if (clients.size >= mostClients) return undefined
    const { server, close } = await connect()
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void clients.set(id, client),
      onsessionclosed: id => void leave(id),
    })
    const client: Client = {
      transport,
      close: async () => {
        await server.close()
        await close()
      },
    }
    // the types of the SDK say undefined where ours say absent
    await server.connect(transport as Parameters<Server['connect']>[0])
    return client
  }
  async function leave(id: string): Promise<void> {
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
      // not every machine has ::1
      if (servers.length === 0) throw error
    }
  }
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    token,
    async close() {
      for (const server of servers) server.close()
      await Promise.all([...clients.keys()].map(leave))
      for (const server of servers) server.closeAllConnections()
    },
  }
}

/** The status a request is refused with, before anything of it is read; undefined lets it in. */
function refusalOf(
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
  return Number(headers['content-length'] ?? 0) > mostOfBody ? 413 : undefined
}

function isToken(given: string | undefined, token: string): boolean {
  const [said, wanted] = [Buffer.from(given ?? ''), Buffer.from(`Bearer ${token}`)]
  return said.length === wanted.length && timingSafeEqual(said, wanted)
}

/** the JSON of a request; null where it is too long, undefined where it is none and the SDK may say so */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > mostOfBody) return null
    chunks.push(chunk as Buffer)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return 'not JSON'
  }
}

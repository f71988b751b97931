import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { stderr } from '../terminal.ts'

/** An MCP server for one client. */
export interface Connection {
  readonly server: Server
  /** closes what was opened for this client */
  close(): Promise<void>
}

interface HttpClientsOptions {
  readonly idleMs: number
  readonly maxClients: number
}

interface Client {
  readonly transport: StreamableHTTPServerTransport
  /** responses that are not finished; the stream for events of the server is one of them */
  openResponses: number
  /** `performance.now()` of the end of the last response */
  idleSince: number
  idleTimer?: NodeJS.Timeout
  close(): Promise<void>
}

/** a client that is idle for this long makes room for another one if all are in use */
const replaceableMs = 60_000

/** The MCP clients of an HTTP server. Clients that vanish without a word are ended when they have been idle for some time. */
export class HttpClients {
  readonly #connect: () => Connection | Promise<Connection>
  readonly #options: HttpClientsOptions
  /** by session id */
  readonly #clients = new Map<string, Client>()
  /** clients without a session id yet */
  #joining = 0

  constructor(connect: () => Connection | Promise<Connection>, options: HttpClientsOptions) {
    this.#connect = connect
    this.#options = options
  }

  has(id: string): boolean {
    return this.#clients.has(id)
  }

  /** Whether there is no room for another client. */
  isFull(): boolean {
    return this.#clients.size + this.#joining >= this.#options.maxClients && this.#replaceable() === undefined
  }

  /** Hands a request to its client; a request without a session id creates one. */
  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id']
    const known = id === undefined ? undefined : this.#clients.get(String(id))
    if (known) return this.#forward(known, { request, response, body })
    this.#joining++
    try {
      if (this.#clients.size + this.#joining > this.#options.maxClients) await this.#remove(this.#replaceable())
      const client = await this.#create()
      await this.#forward(client, { request, response, body })
      // without an initialize request there is no session id, so no later request can belong to this client
      if (client.transport.sessionId === undefined) await client.close()
    } finally {
      this.#joining--
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.keys()].map(id => this.#remove(id)))
  }

  async #create(): Promise<Client> {
    const { server, close } = await this.#connect()
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void this.#clients.set(id, client),
      onsessionclosed: id => this.#remove(id),
    })
    const client: Client = {
      transport,
      openResponses: 0,
      idleSince: performance.now(),
      close: async () => {
        await server.close()
        await close()
      },
    }
    // the SDK's types are not written for exactOptionalPropertyTypes
    await server.connect(transport as Parameters<Server['connect']>[0])
    return client
  }

  async #forward(client: Client, call: { request: IncomingMessage; response: ServerResponse; body: unknown }): Promise<void> {
    client.openResponses++
    clearTimeout(client.idleTimer)
    call.response.once('close', () => {
      client.openResponses--
      client.idleSince = performance.now()
      const { sessionId } = client.transport
      if (client.openResponses > 0 || sessionId === undefined) return
      client.idleTimer = setTimeout(() => this.#remove(sessionId), this.#options.idleMs)
      client.idleTimer.unref()
    })
    await client.transport.handleRequest(call.request, call.response, call.body)
  }

  /** The session id of the client that has been idle for the longest time, if that is long enough. */
  #replaceable(): string | undefined {
    const idle = [...this.#clients].filter(
      ([, { openResponses, idleSince }]) =>
        openResponses === 0 && performance.now() - idleSince >= Math.min(replaceableMs, this.#options.idleMs),
    )
    return idle.sort(([, a], [, b]) => a.idleSince - b.idleSince)[0]?.[0]
  }

  /** Never rejects: it is called by timers. */
  async #remove(id: string | undefined): Promise<void> {
    const client = id === undefined ? undefined : this.#clients.get(id)
    if (id === undefined || !client) return
    this.#clients.delete(id)
    clearTimeout(client.idleTimer)
    await client.close().catch(error => stderr.write(`pagehand mcp: a client was not closed: ${error}\n`))
  }
}

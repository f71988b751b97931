// A server for developing and testing the page of the studio without a browser, a model or a database. It implements the contract of
// src/wire with scripted data and is no part of the product. Start: node apps/studio/web/dev/fake-server.ts
import { createReadStream, existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { initTRPC, TRPCError } from '@trpc/server'
import { createHTTPHandler } from '@trpc/server/adapters/standalone'
import type { UIMessageChunk } from 'ai'
import { type WebSocket, WebSocketServer } from 'ws'
import type { LiveClientMessage, LiveRef } from '../../../../src/wire/live.ts'
import type { ApprovalPart } from '../../../../src/wire/parts.ts'
import type { ApprovalAnswer, RunDetail, StudioSettings } from '../../../../src/wire/studio-api.ts'
import type { StudioMessage } from '../../../../src/wire/studio-message.ts'
import { approvalPart, eventsOf, type FakeChat, fakeChats, fakeGrants, fakeInfo, fakeSettings, runPart, steps } from './fake-data.ts'
import { serveLive } from './fake-live.ts'
import { pagePicture } from './pictures.ts'

export interface FakeServerOptions {
  readonly port?: number
  /** the built page; without it Vite serves the page and forwards /api */
  readonly webFolder?: string
  /** answer 401 until a token was exchanged */
  readonly locked?: boolean
  /** pictures of the page instead of generated ones */
  readonly pictures?: { readonly mime: 'image/png' | 'image/jpeg'; readonly list: readonly Buffer[]; readonly refs?: readonly LiveRef[] }
  readonly stepMs?: number
  readonly empty?: boolean
}

/** A stream that any number of windows can read from its beginning. */
class ReplayableStream {
  readonly #chunks: UIMessageChunk[] = []
  readonly #readers = new Set<(chunk: UIMessageChunk | undefined) => void>()
  ended = false
  write(chunk: UIMessageChunk): void {
    this.#chunks.push(chunk)
    for (const reader of this.#readers) reader(chunk)
  }
  end(): void {
    this.ended = true
    for (const reader of this.#readers) reader(undefined)
  }
  /** Answers a request of the AI SDK's `WebSocketChatTransport`. */
  pipe(socket: WebSocket, requestId: string): void {
    let sequence = 0
    const send = (frame: object) => socket.send(JSON.stringify({ requestId, ...frame }))
    const read = (chunk: UIMessageChunk | undefined) => send(chunk ? { type: 'chunk', sequence: sequence++, chunk } : { type: 'end' })
    send({ type: 'start' })
    for (const chunk of this.#chunks) read(chunk)
    if (this.ended) read(undefined)
    else this.#readers.add(read)
    socket.on('close', () => this.#readers.delete(read))
  }
}

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
const policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws:"

class FakeStudio {
  readonly chats: FakeChat[]
  readonly streams = new Map<string, ReplayableStream>()
  readonly received: LiveClientMessage[] = []
  readonly sent: StudioMessage[] = []
  readonly #decisions = new Map<string, (approved: boolean) => void>()
  readonly #stops = new Map<string, () => void>()
  readonly #stepMs: number
  grants = fakeGrants()
  settings: StudioSettings = fakeSettings()
  #count = 0

  constructor({ empty = false, stepMs = 300 }: FakeServerOptions) {
    this.chats = empty ? [] : fakeChats()
    this.#stepMs = stepMs
    if (empty) this.grants = []
  }

  chat(id: string): FakeChat {
    const chat = this.chats.find(each => each.id === id)
    if (chat === undefined) throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such chat' })
    return chat
  }

  createChat(): { id: string } {
    const id = `c-${++this.#count}`
    this.chats.unshift({ id, title: '', updatedAt: new Date().toISOString(), state: 'idle', messages: [] })
    return { id }
  }

  runs(): RunDetail[] {
    return this.chats.flatMap(chat =>
      chat.messages.flatMap(message => {
        const run = message.parts.find(part => part.type === 'data-sub-agent-run')?.data
        if (run === undefined) return []
        const events = message.parts.flatMap(part => (part.type === 'data-browser-event' ? [part.data] : []))
        const startedAt = events[0]?.startedAt ?? chat.updatedAt
        const ended = run.state === 'ended' ? { endedAt: events.at(-1)?.startedAt ?? startedAt } : {}
        return [{ ...run, id: run.runId, chatId: chat.id, startedAt, ...ended, steps: run.usage.steps, events }]
      }),
    )
  }

  parts<Type extends 'data-approval' | 'data-handoff'>(type: Type) {
    return this.chats.flatMap(chat => chat.messages.flatMap(message => message.parts.filter(part => part.type === type)))
  }

  decide(answer: ApprovalAnswer): { outcome: 'decided' | 'already_decided' | 'unknown'; approval: ApprovalPart } {
    for (const part of this.parts('data-approval')) {
      if (part.type !== 'data-approval' || part.data.id !== answer.id) continue
      if (part.data.state !== 'pending') return { outcome: 'already_decided', approval: part.data }
      const decision = {
        scope: answer.scope,
        by: 'you',
        at: new Date().toISOString(),
        ...(answer.reason === undefined ? {} : { reason: answer.reason }),
      }
      part.data = { ...part.data, state: answer.approved ? 'approved' : 'denied', decision }
      this.#decisions.get(answer.id)?.(answer.approved)
      return { outcome: 'decided', approval: part.data }
    }
    return { outcome: 'unknown', approval: approvalPart(answer.id, '', '') }
  }

  stop(chatId: string | undefined): { stopped: string[] } {
    const ids = chatId === undefined ? [...this.#stops.keys()] : [chatId].filter(id => this.#stops.has(id))
    for (const id of ids) this.#stops.get(id)?.()
    return { stopped: ids }
  }

  /** Plays the scripted run: six steps, a question, one more step. */
  async play(chat: FakeChat, message: StudioMessage, stream: ReplayableStream): Promise<void> {
    const goal = message.parts.map(part => (part.type === 'text' ? part.text : '')).join('')
    const runId = `r-${chat.id}-${chat.messages.length}`
    const answer: StudioMessage = { id: `m-${runId}`, role: 'assistant', parts: [] }
    this.sent.push(message)
    chat.messages.push(message, answer)
    chat.title ||= goal.slice(0, 40)
    chat.state = 'running'
    let stopped = false
    const stopping = new Promise<false>(resolve => {
      this.#stops.set(chat.id, () => {
        stopped = true
        resolve(false)
      })
    })
    const put = (part: Extract<UIMessageChunk, { type: `data-${string}` }>) => {
      const known = answer.parts.findIndex(each => each.type === part.type && 'id' in each && each.id === part.id)
      if (known >= 0) answer.parts[known] = part as never
      else answer.parts.push(part as never)
      stream.write(part)
      chat.updatedAt = new Date().toISOString()
    }
    const run = (state: 'running' | 'waiting' | 'ended', count: number, reason?: string) =>
      put({ type: 'data-sub-agent-run', id: runId, data: runPart(runId, goal, state, count, reason) })
    const pause = () => Promise.race([new Promise(resolve => setTimeout(resolve, this.#stepMs)), stopping])
    const say = (id: string, text: string) => {
      answer.parts.push({ type: 'text', text })
      stream.write({ type: 'text-start', id })
      stream.write({ type: 'text-delta', id, delta: text })
      stream.write({ type: 'text-end', id })
    }
    stream.write({ type: 'start', messageId: answer.id })
    say('t1', 'I will work on that in the browser.')
    put({ type: 'data-open-browser', id: 'open', data: { tabId: 't1', viewKey: 'v1', url: 'https://shop.example/' } })
    for (let count = 1; count <= steps.length && !stopped; count++) {
      if (count === steps.length) {
        run('waiting', count - 1)
        chat.state = 'waiting'
        const id = `a-${runId}`
        put({ type: 'data-approval', id, data: approvalPart(id, runId, chat.id) })
        const approved = await Promise.race([new Promise<boolean>(resolve => this.#decisions.set(id, resolve)), stopping])
        const decided = this.parts('data-approval').find(part => part.type === 'data-approval' && part.data.id === id)
        if (decided?.type === 'data-approval') put({ type: 'data-approval', id, data: decided.data })
        chat.state = 'running'
        if (!approved) break
      }
      run('running', count)
      const event = eventsOf(runId, count).at(-1)
      put({ type: 'data-browser-event', id: `${runId}-${count}`, data: { ...event, state: 'running' } })
      await pause()
      put({ type: 'data-browser-event', id: `${runId}-${count}`, data: event })
    }
    const denied = this.parts('data-approval').some(
      part => part.type === 'data-approval' && part.data.id === `a-${runId}` && part.data.state === 'denied',
    )
    run('ended', steps.length, stopped ? 'aborted' : denied ? 'denied' : 'closed')
    if (stopped) put({ type: 'data-manual-stop', id: 'stop', data: { runId, at: new Date().toISOString(), by: 'you' } })
    else say('t2', denied ? 'You denied the order, so nothing was bought.' : 'Done: order **1042** is confirmed.')
    chat.state = 'idle'
    this.#stops.delete(chat.id)
    stream.write({ type: 'finish' })
    stream.end()
  }
}

const t = initTRPC.create()
/** an input whose type is trusted: the page is what is tested here */
const input = <Input>() => t.procedure.input((value: unknown) => value as Input)

const routerOf = (studio: FakeStudio) =>
  t.router({
    info: t.procedure.query(() => fakeInfo(studio.settings)),
    waiting: t.procedure.query(() => ({
      approvals: studio
        .parts('data-approval')
        .flatMap(part => (part.type === 'data-approval' && part.data.state === 'pending' ? [part.data] : [])),
      handoffs: studio.chats.flatMap(chat =>
        chat.messages.flatMap(message =>
          message.parts.flatMap(part =>
            part.type === 'data-handoff' && part.data.state === 'waiting' ? [{ ...part.data, chatId: chat.id, goal: chat.title }] : [],
          ),
        ),
      ),
    })),
    chat: t.router({
      list: t.procedure.query(() => studio.chats.map(({ messages: _, ...summary }) => summary)),
      get: input<{ id: string }>().query(opts => studio.chat(opts.input.id)),
      create: t.procedure.mutation(() => studio.createChat()),
      rename: input<{ id: string; title: string }>().mutation(opts => {
        studio.chat(opts.input.id).title = opts.input.title
      }),
      remove: input<{ id: string }>().mutation(opts => {
        studio.chats.splice(studio.chats.indexOf(studio.chat(opts.input.id)), 1)
      }),
    }),
    run: t.router({
      list: input<{ search?: string }>().query(opts =>
        studio.runs().filter(run => run.goal.toLowerCase().includes((opts.input.search ?? '').toLowerCase())),
      ),
      get: input<{ id: string }>().query(opts => {
        const run = studio.runs().find(each => each.id === opts.input.id)
        if (run === undefined) throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such run' })
        return run
      }),
      stop: input<{ chatId?: string }>().mutation(opts => studio.stop(opts.input.chatId)),
      handBack: input<{ runId: string }>().mutation(opts => {
        for (const part of studio.parts('data-handoff'))
          if (part.type === 'data-handoff' && part.data.runId === opts.input.runId) part.data = { ...part.data, state: 'done' }
      }),
    }),
    approval: t.router({ decide: input<ApprovalAnswer>().mutation(opts => studio.decide(opts.input)) }),
    grants: t.router({
      list: t.procedure.query(() => studio.grants),
      revoke: input<{ id: string }>().mutation(opts => {
        studio.grants = studio.grants.filter(grant => grant.id !== opts.input.id)
      }),
    }),
    settings: t.router({
      get: t.procedure.query(() => studio.settings),
      set: input<Partial<StudioSettings>>().mutation(opts => {
        const policy = { ...studio.settings.policy, ...opts.input.policy }
        studio.settings = { ...studio.settings, ...opts.input, policy }
        return studio.settings
      }),
    }),
  })

interface ChatBody {
  readonly id: string
  readonly message: StudioMessage
}

const contentOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => JSON.parse((await contentOf(request)).toString('utf8'))

export const startFakeServer = async (options: FakeServerOptions = {}) => {
  const { port = 0, webFolder, locked = false, pictures } = options
  const studio = new FakeStudio(options)
  const list = pictures?.list ?? [0, 1, 2, 3].map(pagePicture)
  const mime = pictures?.mime ?? 'image/png'
  const trpc = createHTTPHandler({ router: routerOf(studio), basePath: '/api/trpc/' })

  const serveFile = (path: string, response: ServerResponse) => {
    const file = join(webFolder ?? '', path === '/' ? 'index.html' : path)
    if (webFolder === undefined || !existsSync(file)) return void response.writeHead(404).end('not found')
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'content-security-policy': policy })
    createReadStream(file).pipe(response)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname === '/api/auth') {
      const { token } = (await bodyOf(request)) as { token?: string }
      if (token !== 'fake') return void response.writeHead(401).end('{}')
      return void response.writeHead(200, { 'set-cookie': 'fake=1; HttpOnly; SameSite=Strict; Path=/' }).end('{}')
    }
    if (!pathname.startsWith('/api/')) return serveFile(pathname, response)
    if (locked && request.headers.cookie?.includes('fake=1') !== true) return void response.writeHead(401).end('{"error":"no link"}')
    if (pathname.startsWith('/api/trpc/')) return trpc(request, response)
    const attached = request.method === 'PUT' ? /^\/api\/chats\/[^/]+\/files\/([^/]+)$/.exec(pathname)?.[1] : undefined
    if (attached !== undefined) {
      const name = decodeURIComponent(attached)
      return void response.end(JSON.stringify({ name, bytes: (await contentOf(request)).byteLength }))
    }
    const file = /^\/api\/runs\/[^/]+\/files\/(.+)$/.exec(pathname)?.[1]
    if (file === undefined) return void response.writeHead(404).end('not found')
    const index = Number(/\d+/.exec(file)?.[0] ?? list.length)
    response.writeHead(200, { 'content-type': mime }).end(list[Math.min(index, list.length) - 1] ?? list[0])
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  const sockets = new WebSocketServer({ noServer: true })
  const serveChat = (socket: WebSocket) =>
    socket.on('message', data => {
      const frame = JSON.parse(String(data)) as { type: 'send' | 'resume' | 'abort'; requestId: string; body: ChatBody }
      if (frame.type === 'abort') return
      const { id, message } = frame.body
      const known = studio.streams.get(id)
      if (frame.type === 'resume' && (known === undefined || known.ended))
        return socket.send(JSON.stringify({ type: 'no-active', requestId: frame.requestId }))
      const stream = frame.type === 'resume' && known ? known : new ReplayableStream()
      studio.streams.set(id, stream)
      stream.pipe(socket, frame.requestId)
      if (frame.type === 'send') void studio.play(studio.chat(id), message, stream)
    })
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/api/chat/socket') return sockets.handleUpgrade(request, socket, head, serveChat)
    if (!request.url?.startsWith('/api/live/') || (locked && request.headers.cookie?.includes('fake=1') !== true)) return socket.destroy()
    const chat = studio.chats.find(each => request.url?.endsWith(`/${each.id}`) === true)
    sockets.handleUpgrade(request, socket, head, accepted =>
      serveLive(accepted, {
        url: 'https://shop.example/',
        title: 'Demo shop',
        pictures: () => list,
        mime,
        received: studio.received,
        controller: chat?.state === 'running' ? 'agent' : 'nobody',
        ...(pictures?.refs === undefined ? {} : { refs: pictures.refs }),
      }),
    )
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    studio,
    /** ends all connections, as a server that stops does */
    dropConnections: () => {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
    },
    close: async () => {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startFakeServer({ port: 4717, webFolder: fileURLToPath(new URL('../../../../dist/studio/web', import.meta.url)) })
  console.log(`fake studio server: ${url}`)
}

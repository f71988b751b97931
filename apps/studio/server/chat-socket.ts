import type { UIMessageChunk, WebSocketChatTransportResponse } from 'ai'
import { type StudioProblemCode, studioProblem } from 'pagehand/wire'
import * as z from 'zod'
import { messageBody } from './http/message-body.ts'
import type { RateLimit } from './http/rate-limit.ts'
import type { LivePort } from './live-socket.ts'
import { logError } from './log-error.ts'
import type { Studio } from './studio.ts'

const requestId = z.string().min(1).max(200)
/** What a window may send; fields that are not used here are left out. */
const clientFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('send'), requestId, body: messageBody }),
  z.object({ type: z.literal('resume'), requestId, body: messageBody.pick({ id: true }) }),
  z.object({ type: z.literal('abort'), requestId }),
])

export interface ChatSocketOptions {
  readonly studio: Studio
  readonly messages: RateLimit
}

/**
 * Connects one window to the answers of its chats, in the protocol of the AI SDK's `WebSocketChatTransport`. A browser opens six connections
 * to a host over HTTP/1.1, for all windows together; an answer that waits for a person would keep one of them. WebSockets are not counted.
 */
export class ChatSocket {
  readonly #socket: LivePort
  readonly #options: ChatSocketOptions
  readonly #readers = new Map<string, ReadableStreamDefaultReader<UIMessageChunk>>()

  constructor(socket: LivePort, options: ChatSocketOptions) {
    this.#socket = socket
    this.#options = options
    socket.on('message', data => void this.#onMessage(String(data)))
    socket.on('error', () => {})
    socket.on('close', () => {
      for (const id of [...this.#readers.keys()]) this.#abort(id)
    })
  }

  async #onMessage(json: string): Promise<void> {
    const parsed = clientFrame.safeParse(parseJson(json))
    if (!parsed.success) return this.#socket.close(1008, 'not a message of a chat')
    const frame = parsed.data
    try {
      if (frame.type === 'abort') this.#abort(frame.requestId)
      else if (frame.type === 'resume') await this.#pipe(frame.requestId, this.#options.studio.resumeStream(frame.body.id))
      else await this.#begin(frame)
    } catch (error) {
      logError(error)
      this.#refuse(frame.requestId, 'studio_failed')
    }
  }

  async #begin({ requestId: id, body }: Extract<z.infer<typeof clientFrame>, { type: 'send' }>): Promise<void> {
    const { studio, messages } = this.#options
    if (messages.isReached) return this.#refuse(id, 'too_many_messages')
    messages.count()
    if (!studio.isAvailable) return this.#refuse(id, 'no_database')
    const started = await studio.send(body.id, body.message as never, { browser: body.browser })
    return started.ok ? this.#pipe(id, started.stream) : this.#refuse(id, started.reason)
  }

  async #pipe(id: string, stream: ReadableStream<UIMessageChunk> | undefined): Promise<void> {
    if (!stream) return this.#send({ type: 'no-active', requestId: id })
    const reader = stream.getReader()
    this.#readers.set(id, reader)
    this.#send({ type: 'start', requestId: id })
    for (let sequence = 0; ; sequence++) {
      const { done, value } = await reader.read()
      if (!this.#readers.has(id)) return
      if (done) break
      this.#send({ type: 'chunk', requestId: id, sequence, chunk: value })
    }
    this.#readers.delete(id)
    this.#send({ type: 'end', requestId: id })
  }

  /** The window does not listen any more; the answer is written all the same. */
  #abort(id: string): void {
    void this.#readers.get(id)?.cancel()
    this.#readers.delete(id)
  }

  #refuse(id: string, code: StudioProblemCode): void {
    this.#send({ type: 'error', requestId: id, errorText: JSON.stringify({ error: studioProblem(code) }) })
  }

  #send(frame: WebSocketChatTransportResponse): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(frame))
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

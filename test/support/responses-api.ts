import type { ServerResponse } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { serve } from './http-server.ts'
import type { Call } from './scripted-model.ts'

/** What the server answers: calls, a text, an HTTP error, or an answer that breaks off in the middle of a chunk. */
export type Reply =
  | Call
  | readonly Call[]
  | string
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: object }
  | { readonly cutOff: Call }
  | { readonly failed: string }
export type ReplyTurn = Reply | ((last: string, all: string) => Reply | Promise<Reply>)

export interface ResponsesRequest {
  readonly model: string
  readonly stream?: boolean
  readonly store?: boolean
  readonly parallel_tool_calls?: boolean
  readonly tool_choice?: unknown
  readonly tools: readonly { readonly name: string }[]
  readonly input: readonly {
    readonly type?: string
    readonly role?: string
    readonly content?: unknown
    readonly output?: unknown
    readonly arguments?: string
  }[]
}

/** A local server that speaks OpenAI's Responses API with server-sent events, and follows a script; the last turn is repeated. */
export async function openResponsesApi(turns: readonly ReplyTurn[], key = 'sk-test-0123456789') {
  const requests: ResponsesRequest[] = []
  const paths: (string | undefined)[] = []
  const server = await serve(async (request, response) => {
    paths.push(request.url)
    const body = JSON.parse(await textOf(request)) as ResponsesRequest
    requests.push(body)
    if (request.headers.authorization !== `Bearer ${key}`) return sendError(response, 401, `Incorrect API key provided`)
    const texts = body.input.map(wordsOf)
    const turn = turns[Math.min(requests.length, turns.length) - 1] ?? 'Nothing more.'
    const reply = typeof turn === 'function' ? await turn(texts.at(-1) ?? '', texts.join('\n')) : turn
    send(response, reply, requests.length)
  })
  return { ...server, baseUrl: `${server.url}v1`, key, requests, paths, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

function wordsOf({ content, output, arguments: args }: ResponsesRequest['input'][number]): string {
  if (args !== undefined) return args
  const words = content ?? output
  if (typeof words === 'string') return words
  return Array.isArray(words) ? words.map(each => String((each as { text?: unknown }).text ?? '')).join('\n') : ''
}

function sendError(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ error: { message, type: 'error', param: null, code: null } }))
}

function send(response: ServerResponse, reply: Reply, turn: number): void {
  if (typeof reply === 'object' && 'status' in reply) {
    const { message } = (reply.body ?? { message: `status ${reply.status}` }) as { message: string }
    sendError(response, reply.status, message, reply.headers)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let sequence = 0
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`
  const id = `resp_${turn}`
  const start = event('response.created', { response: { id, created_at: 1, model: 'local-model', service_tier: null } })
  if (typeof reply === 'object' && 'failed' in reply) {
    const error = { type: 'server_error', code: 'server_error', message: reply.failed, param: null }
    response.end(`${start}${event('error', { error, ...error, type: 'error' })}`)
    return
  }
  if (typeof reply === 'object' && 'cutOff' in reply) {
    const text = `${start}${callEvents(reply.cutOff, { index: 0, turn, event })}`
    // in the middle of the last event
    response.write(text.slice(0, -40), () => response.socket?.destroy())
    return
  }
  const calls = typeof reply === 'string' ? [] : Array.isArray(reply) ? (reply as readonly Call[]) : [reply as Call]
  const content =
    typeof reply === 'string'
      ? textEvents(reply, turn, event)
      : calls.map((each, index) => callEvents(each, { index, turn, event })).join('')
  const usage = {
    input_tokens: 1_000,
    input_tokens_details: { cached_tokens: 200 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
  }
  response.end(
    `${start}${content}${event('response.completed', { response: { id, incomplete_details: null, usage, service_tier: null } })}`,
  )
}

type WriteEvent = (type: string, fields: object) => string

function textEvents(text: string, turn: number, event: WriteEvent): string {
  const id = `msg_${turn}`
  const item = { type: 'message', id, role: 'assistant', status: 'completed', content: [] }
  return [
    event('response.output_item.added', { output_index: 0, item }),
    event('response.output_text.delta', { item_id: id, output_index: 0, content_index: 0, delta: text }),
    event('response.output_item.done', { output_index: 0, item: { ...item, content: [{ type: 'output_text', text, annotations: [] }] } }),
  ].join('')
}

function callEvents({ tool, args }: Call, { index, turn, event }: { index: number; turn: number; event: WriteEvent }): string {
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  const item = {
    type: 'function_call',
    id: `fc_${turn}_${index}`,
    call_id: `call_${turn}_${index}`,
    name: tool,
    arguments: '',
    status: 'completed',
  }
  const half = Math.ceil(text.length / 2)
  return [
    event('response.output_item.added', { output_index: index, item }),
    ...[text.slice(0, half), text.slice(half)].map(delta =>
      event('response.function_call_arguments.delta', { item_id: item.id, output_index: index, delta }),
    ),
    event('response.output_item.done', { output_index: index, item: { ...item, arguments: text } }),
  ].join('')
}

// Records what a session and a relay say to each other, and answers as the relay did, without a browser.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import type { CdpMessage } from './cdp-tap.ts'

/** One message; `call` is of the session, the others are of the relay. */
type RecordedMessage = { readonly call: CdpMessage } | { readonly answer: CdpMessage } | { readonly event: CdpMessage }

interface RelayConversation {
  readonly endpoint: string
  [Symbol.asyncDispose](): Promise<void>
}

const listen = async (onClient: (client: WebSocket) => void): Promise<RelayConversation> => {
  const server = createServer((_, response) => response.writeHead(401).end())
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    // as OpenClaw's relay: only the header counts
    if (request.headers.authorization !== 'Bearer relay-token-1') return socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, onClient)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/cdp?token=relay-token-1`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Passes everything on to a real relay, and writes the conversation to a file when it ends. */
export async function recordRelay(relay: string, file: string): Promise<RelayConversation> {
  const messages: RecordedMessage[] = []
  const conversation = await listen(async client => {
    const early: string[] = []
    client.on('message', data => {
      messages.push({ call: JSON.parse(String(data)) as CdpMessage })
      if (up.readyState === up.OPEN) up.send(String(data))
      else early.push(String(data))
    })
    const token = new URL(relay).searchParams.get('token')
    const up = new WebSocket(relay.replace(/\?.*/, ''), { headers: { authorization: `Bearer ${token}` }, maxPayload: 2 ** 28 })
    up.on('message', data => {
      const message = JSON.parse(String(data)) as CdpMessage
      messages.push(message.id === undefined ? { event: message } : { answer: message })
      client.send(String(data))
    })
    await once(up, 'open')
    for (const text of early) up.send(text)
    client.on('close', () => up.close())
  })
  return {
    ...conversation,
    async [Symbol.asyncDispose]() {
      await conversation[Symbol.asyncDispose]()
      writeFileSync(file, toText(messages))
    },
  }
}

/** the isolated world has a new name in every process */
const worldName = /pagehand-[\da-f-]{36}/g

/** One message per line, without the script that is injected. */
function toText(messages: readonly RecordedMessage[]): string {
  const lines = messages.map(message =>
    JSON.stringify(message, (key, value) => (key === 'source' && typeof value === 'string' ? 'the injected script' : value)),
  )
  return `${lines.join('\n').replaceAll(worldName, 'pagehand-world')}\n`
}

interface RecordedRelay extends RelayConversation {
  /** the calls that are not in the recording */
  readonly unknown: CdpMessage[]
  readonly calls: CdpMessage[]
}

/** Answers each call as it was answered in the recording, with the events that came before the answer. */
export async function replayRelay(file: string): Promise<RecordedRelay> {
  const text = readFileSync(file, 'utf8')
  const unknown: CdpMessage[] = []
  const calls: CdpMessage[] = []
  const conversation = await listen(client => {
    let recording = parse(text)
    const received = new Set<number>()
    const delivered = new Set<number>()
    const deliver = (from: number, to: number) => {
      for (let at = from; at < to; at++) {
        const message = recording[at]
        if (!message || !('event' in message) || delivered.has(at)) continue
        delivered.add(at)
        client.send(JSON.stringify(message.event))
      }
    }
    client.on('message', data => {
      const call = JSON.parse(String(data)) as CdpMessage
      calls.push(call)
      const [world] = String(data).match(worldName) ?? []
      if (world) recording = parse(text.replaceAll('pagehand-world', world))
      const matches = recording.flatMap((message, at) => ('call' in message && isSame(message.call, call) ? [at] : []))
      // a question that is asked once more is answered as before
      const asked = matches.find(at => !received.has(at)) ?? matches.at(-1)
      const answered = recording.findIndex(
        message => asked !== undefined && 'answer' in message && message.answer.id === idOf(recording[asked]),
      )
      if (asked === undefined || answered < 0) {
        unknown.push(call)
        // a command that sessions did not send when this was recorded, most likely a setting
        return client.send(JSON.stringify({ id: call.id, sessionId: call.sessionId, result: {} }))
      }
      received.add(asked)
      deliver(asked, answered)
      client.send(JSON.stringify({ ...(recording[answered] as { answer: CdpMessage }).answer, id: call.id }))
      // events that no call has caused, once everything before them was asked
      const next = recording.findIndex((message, at) => 'call' in message && !received.has(at))
      deliver(0, next < 0 ? recording.length : next)
    })
  })
  return { ...conversation, unknown, calls }
}

const parse = (text: string): RecordedMessage[] =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as RecordedMessage)

const idOf = (message: RecordedMessage | undefined): number | undefined => (message && 'call' in message ? message.call.id : undefined)

/** Expressions may change as long as what they ask for stays the same, so only the place and the name are compared. */
const isSame = (one: CdpMessage, other: CdpMessage): boolean =>
  one.method === other.method && one.sessionId === other.sessionId && nameOf(one) === nameOf(other)

function nameOf({ params }: CdpMessage): string {
  const { expression, functionDeclaration, uniqueContextId, targetId, type } = params ?? {}
  const [called = ''] = /__agentBrowser\.\w+/.exec(String(expression ?? functionDeclaration ?? '')) ?? []
  return [called, uniqueContextId, targetId, type].join(' ')
}

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import {
  type ClientInfo,
  type ExtensionMessage,
  extensionId,
  extensionProofText,
  protocolVersion,
  type RelayGreeting,
  type RelayMessage,
  type RelayRequest,
  relayProofText,
  type SharedTab,
} from '../../src/relay/protocol.ts'

/** The extension's side of the connection, answered by the test. */
export interface ScriptedExtension {
  /** everything that the relay asked for */
  readonly requests: RelayRequest[]
  /** the clients that the relay has reported last */
  readonly clients: ClientInfo[]
  send(message: ExtensionMessage): void
  close(): Promise<void>
}

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36'
export const extensionOrigin = `chrome-extension://${extensionId}`

const open = async (port: number, headers: Record<string, string> = {}) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/extension`, { headers: { origin: extensionOrigin, ...headers } })
  await once(socket, 'open')
  return socket
}
const greet = async (socket: WebSocket, message: object): Promise<RelayGreeting> => {
  socket.send(JSON.stringify(message))
  const [data] = await once(socket, 'message')
  return JSON.parse(String(data)) as RelayGreeting
}

/** Sends a code; the answer has the key, or the reason of the refusal. */
export async function sendCode(port: number, code: string): Promise<RelayGreeting> {
  const socket = await open(port)
  const answer = await greet(socket, { type: 'pair', protocol: protocolVersion, code, userAgent })
  socket.terminate()
  return answer
}

const sign = (key: string, text: string) => createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url')

/** Says hello with a key; the last answer is `ready` or a refusal. */
export async function sayHello(port: number, key: string): Promise<{ readonly socket: WebSocket; readonly answer: RelayGreeting }> {
  const socket = await open(port)
  const nonce = 'a'.repeat(32)
  const challenge = await greet(socket, { type: 'hello', protocol: protocolVersion, nonce, userAgent })
  if (challenge.type !== 'challenge') return { socket, answer: challenge }
  const isRelay = challenge.proof === sign(key, relayProofText(nonce, challenge.nonce))
  const proof = sign(key, extensionProofText(nonce, challenge.nonce))
  const answer = await greet(socket, { type: 'proof', proof })
  if (answer.type === 'ready' && !isRelay) throw new Error('the relay did not prove its key')
  return { socket, answer }
}

/** Pairs and connects. `answer` gives the result of each request; without one, `attach` and `open` return tabs, and commands {}. */
export async function connectExtension(
  { port, code, key }: { readonly port: number; readonly code?: string; readonly key?: string },
  { tabs = [], answer }: { readonly tabs?: readonly SharedTab[]; answer?(request: RelayRequest): unknown } = {},
): Promise<ScriptedExtension & { readonly key: string }> {
  const paired = key === undefined ? await sendCode(port, code ?? '') : undefined
  const known = key ?? (paired?.type === 'paired' ? paired.key : '')
  const { socket, answer: ready } = await sayHello(port, known)
  if (ready.type !== 'ready') throw new Error(`refused: ${JSON.stringify(ready)}`)
  const requests: RelayRequest[] = []
  const clients: ClientInfo[] = []
  const shared = new Map(tabs.map(tab => [tab.tab, tab]))
  let lastTab = 100
  const send = (message: ExtensionMessage) => socket.send(JSON.stringify(message))
  const defaultAnswer = (request: RelayRequest): unknown => {
    if (request.do === 'attach') return shared.get(request.tab)
    if (request.do === 'open') {
      const tab = createTab(++lastTab, { kind: 'opened', url: 'about:blank' })
      shared.set(tab.tab, tab)
      return tab
    }
    if (request.do === 'command' && request.method === 'Page.getFrameTree') return frameTreeOf(shared.get(request.tab) as SharedTab)
    return {}
  }
  socket.on('message', data => {
    const message = JSON.parse(String(data)) as RelayMessage
    if (message.do === 'clients') clients.splice(0, clients.length, ...message.clients)
    if (!('id' in message)) return
    const { id, ...request } = message
    requests.push(request)
    Promise.resolve()
      .then(() => answer?.(request) ?? defaultAnswer(request))
      .then(
        result => send({ id, result }),
        (error: Error) => send({ id, error: { message: error.message } }),
      )
  })
  send({ on: 'tabs', tabs })
  return {
    key: known,
    requests,
    clients,
    send: message => {
      if ('on' in message && message.on === 'tab') shared.set(message.tab.tab, message.tab)
      send(message)
    },
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

export const createTab = (tab: number, fields: Partial<SharedTab> = {}): SharedTab => ({
  tab,
  targetId: `T${tab}`,
  kind: 'lent',
  title: `title ${tab}`,
  url: `https://site${tab}.example/`,
  ...fields,
})

export const frameTreeOf = ({ targetId, url }: SharedTab, loaderId = `L-${targetId}`) => ({
  frameTree: { frame: { id: targetId, loaderId, url } },
})

/** A CDP client of the relay. */
export interface CdpClient {
  /** rejects with the message of the error */
  send(method: string, params?: object, sessionId?: string): Promise<Record<string, unknown>>
  readonly events: { readonly method: string; readonly params: Record<string, unknown>; readonly sessionId?: string }[]
  readonly socket: WebSocket
  close(): void
}

export async function connectClient({ port, token }: { port: number; token: string }, name = 'test'): Promise<CdpClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/devtools/browser/${token}?client=${name}`)
  const events: CdpClient['events'] = []
  const pending = new Map<number, { resolve(result: Record<string, unknown>): void; reject(error: Error): void }>()
  let lastId = 0
  socket.on('message', data => {
    const message = JSON.parse(String(data))
    if (message.id === undefined) return void events.push(message)
    const { resolve, reject } = pending.get(message.id) ?? {}
    if (message.error) reject?.(new Error(message.error.message))
    else resolve?.(message.result)
  })
  await once(socket, 'open')
  return {
    events,
    socket,
    close: () => socket.terminate(),
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        pending.set(id, { resolve, reject })
        socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }))
      }),
  }
}

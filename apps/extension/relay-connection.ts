import {
  defaultRelayPort,
  type ExtensionGreeting,
  type ExtensionMessage,
  type ExtensionProof,
  extensionProofText,
  pingMs,
  protocolVersion,
  type RefusalReason,
  type RelayGreeting,
  type RelayMessage,
  relayProofText,
} from '../../src/relay/protocol.ts'

export type ConnectionState = 'not paired' | 'connecting' | 'connected' | 'waiting' | 'refused'

interface RelayConnectionOptions {
  /** the relay can be used now */
  onReady(): void
  onMessage(message: RelayMessage): void
  onChange(): void
}

interface StoredPairing {
  readonly key: string
  readonly port: number
}

/** how long to wait between attempts while the service worker runs; an alarm continues when Chrome has stopped it */
const retryMs = [500, 1_000, 2_000, 4_000, 8_000]

/** The one connection to the relay on this machine. */
export class RelayConnection {
  state: ConnectionState = 'waiting'
  readonly #options: RelayConnectionOptions
  #socket: WebSocket | undefined
  #attempts = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #ping: ReturnType<typeof setInterval> | undefined

  constructor(options: RelayConnectionOptions) {
    this.#options = options
  }

  /** Connects if this browser is paired and no connection is open. */
  async connect(): Promise<void> {
    if (this.#socket) return
    const pairing = await readPairing()
    if (!pairing) return this.#setState('not paired')
    if (this.#socket) return
    this.#setState('connecting')
    const nonce = createNonce()
    const socket = this.#open(pairing.port, () => send(socket, { type: 'hello', protocol: protocolVersion, nonce, userAgent }))
    socket.onmessage = async ({ data }) => {
      const message = JSON.parse(data as string) as RelayGreeting | RelayMessage
      if ('do' in message) return this.#options.onMessage(message)
      if (message.type === 'challenge') {
        const expected = await sign(pairing.key, relayProofText(nonce, message.nonce))
        // another program listens on the port
        if (message.proof !== expected) return this.#refuse(socket)
        return send(socket, { type: 'proof', proof: await sign(pairing.key, extensionProofText(nonce, message.nonce)) })
      }
      if (message.type === 'refused') {
        if (message.reason === 'not paired') await chrome.storage.local.remove('pairing')
        return this.#refuse(socket, message.reason)
      }
      if (message.type === 'ready') this.#onReady(socket)
    }
  }

  /** Exchanges the code for a key; returns a sentence about what went wrong, or '' if it is paired. */
  async pair(code: string, port = defaultRelayPort): Promise<string> {
    this.#close()
    this.#setState('connecting')
    const answer = await new Promise<RelayGreeting | undefined>(resolve => {
      const socket = this.#open(port, () => send(socket, { type: 'pair', protocol: protocolVersion, code, userAgent }))
      socket.onmessage = ({ data }) => resolve(JSON.parse(data as string) as RelayGreeting)
      socket.addEventListener('close', () => resolve(undefined))
    })
    this.#close()
    if (answer?.type !== 'paired') {
      this.#setState((await readPairing()) ? 'waiting' : 'not paired')
      return explain(answer, port)
    }
    await chrome.storage.local.set({ pairing: { key: answer.key, port } satisfies StoredPairing })
    this.#attempts = 0
    await this.connect()
    return ''
  }

  /** Forgets the key. */
  async unpair(): Promise<void> {
    await chrome.storage.local.remove('pairing')
    this.#close()
    this.#setState('not paired')
  }

  send(message: ExtensionMessage): void {
    if (this.state === 'connected' && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #open(port: number, onOpen: () => void): WebSocket {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/extension`)
    this.#socket = socket
    socket.onopen = onOpen
    socket.onclose = () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      clearInterval(this.#ping)
      if (this.state !== 'refused' && this.state !== 'not paired') this.#setState('waiting')
      this.#scheduleRetry()
    }
    return socket
  }

  #onReady(socket: WebSocket): void {
    this.#attempts = 0
    this.#ping = setInterval(() => socket.send(JSON.stringify({ on: 'ping' } satisfies ExtensionMessage)), pingMs)
    this.#setState('connected')
    this.#options.onReady()
  }

  #scheduleRetry(): void {
    clearTimeout(this.#retry)
    const delay = retryMs[this.#attempts++]
    if (delay !== undefined && this.state === 'waiting') this.#retry = setTimeout(() => void this.connect(), delay)
  }

  #refuse(socket: WebSocket, reason?: RefusalReason): void {
    this.#setState(reason === 'not paired' ? 'not paired' : 'refused')
    socket.close()
  }

  #close(): void {
    const socket = this.#socket
    this.#socket = undefined
    clearInterval(this.#ping)
    clearTimeout(this.#retry)
    socket?.close()
  }

  #setState(state: ConnectionState): void {
    this.state = state
    this.#options.onChange()
  }
}

const { userAgent } = navigator

const send = (socket: WebSocket, message: ExtensionGreeting | ExtensionProof): void => socket.send(JSON.stringify(message))

async function readPairing(): Promise<StoredPairing | undefined> {
  return (await chrome.storage.local.get('pairing')).pairing as StoredPairing | undefined
}

function explain(answer: RelayGreeting | undefined, port: number): string {
  if (answer?.type !== 'refused') return `No relay answers on port ${port}. Run: pagehand relay`
  if (answer.reason === 'wrong code') return 'This is not the code in the terminal.'
  return 'The relay has another version. Update pagehand and reload this extension.'
}

const createNonce = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(24)))

async function sign(key: string, text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))
  const imported = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text))))
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

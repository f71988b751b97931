import type { WebSocket } from 'ws'
import { CdpError } from './cdp-error.ts'
import type { ExtensionMessage, RelayMessage, RelayRequest } from './protocol.ts'

interface PendingRequest {
  resolve(result: unknown): void
  reject(error: Error): void
}
export type ExtensionEvent = Exclude<ExtensionMessage, { readonly id: number } | { readonly on: 'ping' }>

/** The connection to an extension that has proved its key. */
export class ExtensionLink {
  /** the user agent of the browser */
  readonly userAgent: string
  readonly #socket: WebSocket
  readonly #pending = new Map<number, PendingRequest>()
  #lastId = 0

  constructor(socket: WebSocket, userAgent: string, onEvent: (event: ExtensionEvent) => void) {
    this.#socket = socket
    this.userAgent = userAgent
    socket.on('message', data => {
      const message = JSON.parse(String(data)) as ExtensionMessage
      if ('id' in message) this.#answer(message)
      else if (message.on === 'ping') this.#send({ do: 'pong' })
      else onEvent(message)
    })
    socket.on('close', () => {
      for (const { reject } of this.#pending.values()) reject(new ExtensionGoneError())
      this.#pending.clear()
    })
  }

  request(request: RelayRequest): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      if (this.#socket.readyState !== this.#socket.OPEN) return reject(new ExtensionGoneError())
      this.#pending.set(id, { resolve, reject })
      this.#send({ ...request, id })
    })
  }

  notify(message: Exclude<RelayMessage, { readonly id: number }>): void {
    this.#send(message)
  }

  close(): void {
    this.#socket.close()
  }

  #answer({ id, result, error }: Extract<ExtensionMessage, { readonly id: number }>): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (error) pending?.reject(new CdpError(error.message, error.code))
    else pending?.resolve(result ?? {})
  }

  #send(message: RelayMessage): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message))
  }
}

export class ExtensionGoneError extends CdpError {
  constructor() {
    super('The extension stopped before it answered; the command may have been carried out')
  }
}

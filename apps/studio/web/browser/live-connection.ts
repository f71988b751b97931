import type { DesktopBridge } from '../../../../src/wire/desktop.ts'
import type { LiveClientMessage, LiveServerMessage, PickedElement } from '../../../../src/wire/live.ts'
import type { StudioProblem } from '../../../../src/wire/problems.ts'
import { DesktopSocket } from './desktop.ts'
import { type LiveAction, type LiveState, noLiveState, reduceLive } from './live-state.ts'

export type Frame = Extract<LiveServerMessage, { type: 'frame' }>
type Draw = (frame: Frame) => Promise<void>

const maxDelayMs = 8_000
const maxPickMs = 15_000

/** The WebSocket of a chat's browser. A picture is acknowledged after it was drawn, so a slow or hidden window gets fewer of them. */
export class LiveConnection {
  #state: LiveState = noLiveState
  readonly #chatId: string
  readonly #desktop: DesktopBridge | undefined
  readonly #listeners = new Set<() => void>()
  readonly #picks = new Map<string, (picked: PickedElement | null) => void>()
  #socket: WebSocket | DesktopSocket | undefined
  #draw: Draw | undefined
  #pending: Frame | undefined
  #drawing = false
  #attempts = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false
  /** called if the server refuses something */
  onRefused: ((problem: StudioProblem) => void) | undefined

  /** @param desktop the app that shows the browser; otherwise the server does */
  constructor(chatId: string, desktop?: DesktopBridge) {
    this.#chatId = chatId
    this.#desktop = desktop
  }

  open(): void {
    this.#closed = false
    document.addEventListener('visibilitychange', this.#drawPending)
    addEventListener('offline', this.#restart)
    addEventListener('online', this.#restart)
    this.#connect()
  }

  close(): void {
    this.#closed = true
    document.removeEventListener('visibilitychange', this.#drawPending)
    removeEventListener('offline', this.#restart)
    removeEventListener('online', this.#restart)
    clearTimeout(this.#timer)
    this.#socket?.close()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly state = (): LiveState => this.#state

  readonly send = (message: LiveClientMessage): void => {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  /** The element at a point of the viewport; null if there is none or no answer comes. */
  pick(x: number, y: number): Promise<PickedElement | null> {
    const requestId = crypto.randomUUID()
    return new Promise(resolve => {
      const timer = setTimeout(() => this.#settlePick(requestId, null), maxPickMs)
      this.#picks.set(requestId, picked => {
        clearTimeout(timer)
        resolve(picked)
      })
      this.send({ type: 'pick', requestId, x, y })
    })
  }

  /** Draws pictures from now on; undefined: nothing shows them. */
  setDraw(draw: Draw | undefined): void {
    this.#draw = draw
    this.#drawPending()
  }

  #settlePick(requestId: string, picked: PickedElement | null): void {
    this.#picks.get(requestId)?.(picked)
    this.#picks.delete(requestId)
  }

  #dispatch(action: LiveAction): void {
    const next = reduceLive(this.#state, action)
    if (next === this.#state) return
    this.#state = next
    for (const listener of this.#listeners) listener()
  }

  readonly #restart = (): void => {
    if (!navigator.onLine) return
    clearTimeout(this.#timer)
    if (this.#socket?.readyState !== WebSocket.OPEN) this.#connect()
  }

  #connect(): void {
    if (this.#closed) return
    const url = `${location.origin.replace(/^http/, 'ws')}/api/live/${encodeURIComponent(this.#chatId)}`
    const socket = this.#desktop === undefined ? new WebSocket(url) : new DesktopSocket(this.#desktop, this.#chatId)
    this.#socket = socket
    socket.onopen = () => {
      this.#attempts = 0
      this.#pending = undefined
      this.#dispatch({ type: 'connected' })
    }
    socket.onmessage = (event: { readonly data: unknown }) => {
      if (this.#socket === socket) this.#receive(JSON.parse(event.data as string) as LiveServerMessage)
    }
    socket.onclose = () => {
      if (this.#socket !== socket) return
      this.#dispatch({ type: 'disconnected' })
      for (const id of [...this.#picks.keys()]) this.#settlePick(id, null)
      if (this.#closed) return
      this.#timer = setTimeout(() => this.#connect(), Math.min(maxDelayMs, 400 * 2 ** this.#attempts++))
    }
  }

  #receive(message: LiveServerMessage): void {
    if (message.type === 'frame') {
      this.#pending = message
      this.#drawPending()
      return
    }
    if (message.type === 'picked') this.#settlePick(message.requestId, message.picked)
    if (message.type === 'refused') this.onRefused?.(message.problem)
    this.#dispatch(message)
  }

  readonly #drawPending = (): void => {
    const frame = this.#pending
    if (frame === undefined || this.#draw === undefined || this.#drawing || document.hidden) return
    this.#pending = undefined
    this.#drawing = true
    const socket = this.#socket
    const finish = (drawn: boolean) => {
      this.#drawing = false
      // a picture of a connection that is gone must not count as current
      if (drawn && socket === this.#socket && this.#state.connected) this.#dispatch(frame)
      this.send({ type: 'ack', seq: frame.seq })
      this.#drawPending()
    }
    this.#draw(frame).then(
      () => finish(true),
      () => finish(false),
    )
  }
}

import { PagehandError } from '../errors.ts'
import type { EventName, EventPayload, Method, Params, ReturnValue } from './protocol.ts'

/**
 * The wire to one browser, or to one page where no more is given. Without a sessionId a call or an event is that of the browser (or page)
 * itself, with one it is that of a tab or frame.
 */
export interface CdpConnection {
  send<M extends Method>(method: M, params?: Params<M>, sessionId?: string): Promise<ReturnValue<M>>
  /** returns the function that ends the listening */
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void, sessionId?: string): () => void
  /** hears why nobody will answer or tell anything any more: the page crashed, the tab was closed, or the browser is gone */
  onLost(listener: (why: PagehandError) => void, sessionId?: string): () => void
  close(): void
}

/** What a transport hands to the port that it carries. */
export interface Incoming {
  answer(answer: CdpResponse): void
  announce(event: CdpEvent): void
  /** nothing will come any more; only the first reason counts */
  lose(why: PagehandError): void
}

export interface Transport {
  post(call: { readonly id: number; readonly method: string; readonly params?: unknown; readonly sessionId?: string | undefined }): void
  close(): void
}

export type CdpResponse = { readonly id: number; readonly result?: unknown; readonly error?: Refusal }
export type CdpEvent = { readonly method: string; readonly params: unknown; readonly sessionId?: string | undefined }
type Refusal = { readonly code?: number; readonly message: string; readonly data?: string }

/** Calls, listeners and the ways in which a browser is lost, over any transport. */
export function createConnection(connect: (incoming: Incoming) => Transport): CdpConnection {
  const calls = new Map<number, Call>()
  const listeners = new Map<string, Set<Listener>>()
  let lastId = 0
  let closed: PagehandError | undefined

  const tell = (key: string, payload: unknown) => {
    for (const listener of [...(listeners.get(key) ?? [])]) listener(payload)
  }
  const listen = (key: string, listener: Listener) => {
    const set = listeners.get(key) ?? new Set()
    listeners.set(key, set.add(listener))
    return () => {
      set.delete(listener)
      if (set.size === 0 && listeners.get(key) === set) listeners.delete(key)
    }
  }
  const loseSession = (why: PagehandError, sessionId: string | undefined) => {
    for (const [id, call] of calls) {
      if (call.sessionId !== sessionId) continue
      calls.delete(id)
      call.reject(why)
    }
    tell(keyOf(lost, sessionId), why)
  }
  const lose = (why: PagehandError) => {
    if (closed) return
    closed = why
    for (const call of calls.values()) call.reject(why)
    calls.clear()
    for (const key of [...listeners.keys()]) if (key.endsWith(keyOf(lost))) tell(key, why)
  }
  const answer = ({ id, result, error }: CdpResponse) => {
    const call = calls.get(id)
    calls.delete(id)
    if (error) call?.reject(refusal(call.method, error))
    else call?.resolve(result)
  }
  const announce = ({ method, params, sessionId }: CdpEvent) => {
    if (method === 'Inspector.targetCrashed') loseSession(new PagehandError('page_crashed', 'The page crashed.'), sessionId)
    const detached = method === 'Target.detachedFromTarget' && (params as EventPayload<'Target.detachedFromTarget'>).sessionId
    if (detached) {
      loseSession(new PagehandError('target_closed', 'The tab was closed.'), detached)
      for (const key of [...listeners.keys()]) if (key.startsWith(keyOf('', detached))) listeners.delete(key)
    }
    tell(keyOf(method, sessionId), params)
  }

  const transport = connect({ answer, announce, lose })
  return {
    send(method, params, sessionId) {
      if (closed) return Promise.reject(closed)
      const id = ++lastId
      return new Promise((resolve, reject) => {
        calls.set(id, { method, sessionId, reject, resolve: resolve as (result: unknown) => void })
        transport.post({ id, method, params, sessionId })
      })
    },
    on: (event, listener, sessionId) => listen(keyOf(event, sessionId), listener as Listener),
    onLost: (listener, sessionId) => listen(keyOf(lost, sessionId), listener as Listener),
    close() {
      lose(new PagehandError('not_running', 'The browser was closed.'))
      transport.close()
    },
  }
}

/** A message of the protocol as text, for transports that carry text. */
export function receive(text: string, { answer, announce }: Incoming): void {
  const message = JSON.parse(text) as CdpResponse | CdpEvent
  if ('id' in message) answer(message)
  else announce(message)
}

interface Call {
  readonly method: string
  readonly sessionId: string | undefined
  resolve(result: unknown): void
  reject(error: Error): void
}
type Listener = (payload: unknown) => void

// no event of the protocol has a name without a domain
const lost = 'lost'
const keyOf = (event: string, sessionId = '') => `${sessionId} ${event}`

// the code Chromium gives for a session it does not know, third_party/inspector_protocol/crdtp/dispatch.h
const sessionNotFound = -32_001

function refusal(method: string, { code, message, data }: Refusal): Error {
  if (code === sessionNotFound) return new PagehandError('target_closed', `${method}: the tab is gone.`)
  return new Error(`${method}: ${message}${data ? ` (${data})` : ''}`)
}

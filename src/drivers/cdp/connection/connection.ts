import { Failed } from '../errors.ts'
import type { EventName, Method, Params, Payload, Returned } from './protocol.ts'

/**
 * The wire to one browser, or to one page where no more is given. Without a sessionId a call or an event is that of the browser (or page)
 * itself, with one it is that of a tab or frame.
 */
export interface Port {
  send<M extends Method>(method: M, params?: Params<M>, sessionId?: string): Promise<Returned<M>>
  /** returns the function that ends the listening */
  on<E extends EventName>(event: E, listener: (payload: Payload<E>) => void, sessionId?: string): () => void
  /** hears why nobody will answer or tell anything any more: the page crashed, the tab was closed, or the browser is gone */
  onLost(listener: (why: Failed) => void, sessionId?: string): () => void
  close(): void
}

/** What a transport hands to the port that it carries. */
export interface Incoming {
  answer(answer: Answer): void
  announce(event: Announcement): void
  /** nothing will come any more; only the first reason counts */
  lose(why: Failed): void
}

export interface Transport {
  post(call: { readonly id: number; readonly method: string; readonly params?: unknown; readonly sessionId?: string | undefined }): void
  close(): void
}

export type Answer = { readonly id: number; readonly result?: unknown; readonly error?: Refusal }
export type Announcement = { readonly method: string; readonly params: unknown; readonly sessionId?: string | undefined }
type Refusal = { readonly code?: number; readonly message: string; readonly data?: string }

/** Calls, listeners and the ways in which a browser is lost, over any transport. */
export function createPort(connect: (incoming: Incoming) => Transport): Port {
  const calls = new Map<number, Call>()
  const listeners = new Map<string, Set<Listener>>()
  let lastId = 0
  let closed: Failed | undefined

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
  const loseSession = (why: Failed, sessionId: string | undefined) => {
    for (const [id, call] of calls) {
      if (call.sessionId !== sessionId) continue
      calls.delete(id)
      call.reject(why)
    }
    tell(keyOf(lost, sessionId), why)
  }
  const lose = (why: Failed) => {
    if (closed) return
    closed = why
    for (const call of calls.values()) call.reject(why)
    calls.clear()
    for (const key of [...listeners.keys()]) if (key.endsWith(keyOf(lost))) tell(key, why)
  }
  const answer = ({ id, result, error }: Answer) => {
    const call = calls.get(id)
    calls.delete(id)
    if (error) call?.reject(refusal(call.method, error))
    else call?.resolve(result)
  }
  const announce = ({ method, params, sessionId }: Announcement) => {
    if (method === 'Inspector.targetCrashed') loseSession(new Failed('page_crashed', 'The page crashed.'), sessionId)
    const detached = method === 'Target.detachedFromTarget' && (params as Payload<'Target.detachedFromTarget'>).sessionId
    if (detached) {
      loseSession(new Failed('target_closed', 'The tab was closed.'), detached)
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
      lose(new Failed('not_running', 'The browser was closed.'))
      transport.close()
    },
  }
}

/** A message of the protocol as text, for transports that carry text. */
export function receive(text: string, { answer, announce }: Incoming): void {
  const message = JSON.parse(text) as Answer | Announcement
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
  if (code === sessionNotFound) return new Failed('target_closed', `${method}: the tab is gone.`)
  return new Error(`${method}: ${message}${data ? ` (${data})` : ''}`)
}

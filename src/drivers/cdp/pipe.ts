import type { Readable, Writable } from 'node:stream'
import { Failed } from './failed.ts'
import type { EventName, Method, Params, Payload, Returned } from './protocol.ts'

/** The wire to one browser. Without a sessionId a call or an event is the browser's own, with one it is that tab's. */
export interface Port {
  send<M extends Method>(method: M, params?: Params<M>, sessionId?: string): Promise<Returned<M>>
  /** returns the function that ends the listening */
  on<E extends EventName>(event: E, listener: (payload: Payload<E>) => void, sessionId?: string): () => void
  /** hears why nobody will answer or tell anything any more: the page crashed, the tab was closed, or the browser is gone */
  onLost(listener: (why: Failed) => void, sessionId?: string): () => void
  close(): void
}

/** Speaks the protocol over --remote-debugging-pipe: JSON messages, each ended by a NUL byte. */
export function pipe({ input, output }: { input: Writable; output: Readable }): Port {
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
  const loseSession = (why: Failed, sessionId: string) => {
    for (const [id, call] of calls) {
      if (call.sessionId !== sessionId) continue
      calls.delete(id)
      call.reject(why)
    }
    tell(keyOf(lost, sessionId), why)
  }
  const loseAll = (why: Failed) => {
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
    if (method === 'Inspector.targetCrashed' && sessionId) loseSession(new Failed('page_crashed', 'The page crashed.'), sessionId)
    const detached = method === 'Target.detachedFromTarget' && (params as Payload<'Target.detachedFromTarget'>).sessionId
    if (detached) {
      loseSession(new Failed('target_closed', 'The tab was closed.'), detached)
      for (const key of [...listeners.keys()]) if (key.startsWith(keyOf('', detached))) listeners.delete(key)
    }
    tell(keyOf(method, sessionId), params)
  }

  output.on(
    'data',
    splitter(text => {
      const message = JSON.parse(text) as Answer | Announcement
      if ('id' in message) answer(message)
      else announce(message)
    }),
  )
  // both streams also fail with an error when the browser is killed in the middle of a message; the result is the same
  for (const stream of [input, output])
    for (const event of ['close', 'end', 'error'])
      stream.on(event, () => loseAll(new Failed('browser_crashed', 'The connection to the browser is gone.')))

  return {
    send(method, params, sessionId) {
      if (closed) return Promise.reject(closed)
      const id = ++lastId
      return new Promise((resolve, reject) => {
        calls.set(id, { method, sessionId, reject, resolve: resolve as (result: unknown) => void })
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
      })
    },
    on: (event, listener, sessionId) => listen(keyOf(event, sessionId), listener as Listener),
    onLost: (listener, sessionId) => listen(keyOf(lost, sessionId), listener as Listener),
    close() {
      loseAll(new Failed('not_running', 'The browser was closed.'))
      input.destroy()
      output.destroy()
    },
  }
}

interface Call {
  readonly method: string
  readonly sessionId: string | undefined
  resolve(result: unknown): void
  reject(error: Error): void
}
type Answer = { id: number; result?: unknown; error?: Refusal }
type Announcement = { method: string; params: unknown; sessionId?: string | undefined }
type Refusal = { code: number; message: string; data?: string }

type Listener = (payload: unknown) => void

// no event of the protocol has a name without a domain
const lost = 'lost'
const keyOf = (event: string, sessionId = '') => `${sessionId} ${event}`

/** Parts of a message are kept as they come and joined once, when its end is seen. */
function splitter(receive: (text: string) => void): (chunk: Buffer) => void {
  const parts: Buffer[] = []
  return chunk => {
    let start = 0
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end))
      start = end + 1
      receive(Buffer.concat(parts.splice(0)).toString('utf8'))
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  }
}

// the code Chromium gives for a session it does not know, third_party/inspector_protocol/crdtp/dispatch.h
const sessionNotFound = -32_001

function refusal(method: string, { code, message, data }: Refusal): Error {
  if (code === sessionNotFound) return new Failed('target_closed', `${method}: the tab is gone.`)
  return new Error(`${method}: ${message}${data ? ` (${data})` : ''}`)
}

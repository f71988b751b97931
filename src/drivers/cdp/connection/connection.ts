import { say, term } from '../../../contract/message.ts'
import { browserAwayReason, notDebuggable, takenBackReason } from '../../../contract/relay-reasons.ts'
import { createEmitter, type Emitter } from '../emitter.ts'
import { PagehandError } from '../errors.ts'
import type { EventName, EventPayload, Method, Params, ReturnValue } from './protocol.ts'

/**
 * A CDP connection to a browser, or to a single page. Calls and events without a `sessionId` belong to the browser (or to that page),
 * those with one to a tab or a frame.
 *
 * @example
 * const { product } = await browser.connection.send('Browser.getVersion')
 */
export interface CdpConnection {
  send<M extends Method>(method: M, params?: Params<M>, sessionId?: string): Promise<ReturnValue<M>>
  /** returns the function that removes the listener */
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void, sessionId?: string): () => void
  /** calls the listener when no more answers or events can come: the page crashed, the tab was closed, or the browser is gone */
  onDisconnect(listener: (reason: PagehandError) => void, sessionId?: string): () => void
  close(): void
}

/** The connection as its transport sees it. */
export interface TransportEvents {
  /** whether anything listens to an event; others need not be parsed */
  wants(method: string): boolean
  onResponse(response: CdpResponse): void
  onEvent(event: CdpEvent): void
  /** nothing more will come; only the first reason counts */
  onClose(reason: PagehandError): void
}

export interface Transport {
  send(call: { readonly id: number; readonly method: string; readonly params?: unknown; readonly sessionId?: string | undefined }): void
  close(): void
}

export type CdpResponse = { readonly id: number; readonly result?: unknown; readonly error?: CdpError }
export type CdpEvent = { readonly method: string; readonly params: unknown; readonly sessionId?: string | undefined }
type CdpError = { readonly code?: number; readonly message: string; readonly data?: string }

/** Matches responses to calls and events to listeners, over any transport. */
export function createConnection(connect: (events: TransportEvents) => Transport): CdpConnection {
  const calls = new Map<number, Call>()
  const events = createSessionEvents()
  /** the sessions of tabs that the user took back */
  const takenBack = new Set<string>()
  let lastId = 0
  let closed: PagehandError | undefined

  const disconnectSession = (reason: PagehandError, sessionId: string | undefined) => {
    for (const [id, call] of calls) {
      if (call.sessionId !== sessionId) continue
      calls.delete(id)
      call.reject(reason)
    }
    events.emit(disconnectEvent, reason, sessionId)
  }
  const onClose = (reason: PagehandError) => {
    if (closed) return
    closed = reason
    for (const call of calls.values()) call.reject(reason)
    calls.clear()
    events.emitToAll(disconnectEvent, reason)
  }
  const onResponse = ({ id, result, error }: CdpResponse) => {
    const call = calls.get(id)
    calls.delete(id)
    if (error) call?.reject(takenBack.has(call.sessionId ?? '') ? takenBackError() : toError(call.method, error))
    else call?.resolve(result)
  }
  const onEvent = ({ method, params, sessionId }: CdpEvent) => {
    if (method === 'Inspector.targetCrashed') disconnectSession(new PagehandError('page_crashed', say`The page crashed.`), sessionId)
    if (method === 'Inspector.detached' && sessionId && (params as EventPayload<'Inspector.detached'>).reason === takenBackReason)
      takenBack.add(sessionId)
    if (method === 'Target.detachedFromTarget') {
      const { sessionId: detachedId } = params as EventPayload<'Target.detachedFromTarget'>
      const closed = new PagehandError('target_closed', say`The tab was closed.`)
      disconnectSession(takenBack.has(detachedId) ? takenBackError() : closed, detachedId)
      events.deleteSession(detachedId)
    }
    events.emit(method, params, sessionId)
  }

  const transport = connect({ wants: method => connectionEvents.has(method) || events.has(method), onResponse, onEvent, onClose })
  return {
    send(method, params, sessionId) {
      if (closed) return Promise.reject(closed)
      const id = ++lastId
      return new Promise((resolve, reject) => {
        calls.set(id, { method, sessionId, reject, resolve: resolve as (result: unknown) => void })
        transport.send({ id, method, params, sessionId })
      })
    },
    on: (event, listener, sessionId) => events.on(event, listener as (payload: unknown) => void, sessionId),
    onDisconnect: (listener, sessionId) => events.on(disconnectEvent, listener as (payload: unknown) => void, sessionId),
    close() {
      onClose(new PagehandError('not_running', say`The browser was closed.`))
      transport.close()
    },
  }
}

interface Call {
  readonly method: string
  readonly sessionId: string | undefined
  resolve(result: unknown): void
  reject(error: Error): void
}

/** events that the connection itself handles */
const connectionEvents = new Set(['Inspector.targetCrashed', 'Inspector.detached', 'Target.detachedFromTarget'])

// every event of the protocol has a domain in its name, so this one cannot clash
const disconnectEvent = 'disconnect'

/** One emitter per session and event. */
function createSessionEvents() {
  /** by sessionId ('' for the browser), then by event */
  const sessions = new Map<string, Map<string, Emitter<unknown>>>()
  /** the events that ever had a listener, in any session */
  const names = new Set<string>()
  return {
    has: (event: string) => names.has(event),
    on(event: string, listener: (payload: unknown) => void, sessionId = ''): () => void {
      names.add(event)
      const emitters = sessions.get(sessionId) ?? new Map<string, Emitter<unknown>>()
      sessions.set(sessionId, emitters)
      const emitter = emitters.get(event) ?? createEmitter<unknown>()
      emitters.set(event, emitter)
      return emitter.on(listener)
    },
    emit: (event: string, payload: unknown, sessionId = '') => sessions.get(sessionId)?.get(event)?.emit(payload),
    emitToAll(event: string, payload: unknown) {
      for (const emitters of [...sessions.values()]) emitters.get(event)?.emit(payload)
    },
    deleteSession: (sessionId: string) => sessions.delete(sessionId),
  }
}

const takenBackError = (): PagehandError => new PagehandError('target_closed', say`The user took the tab back.`)

// the code of Chromium for an unknown session: third_party/inspector_protocol/crdtp/dispatch.h
const sessionNotFound = -32_001

function toError(method: string, { code, message, data }: CdpError): Error {
  if (code === sessionNotFound) return new PagehandError('target_closed', say`${term(method)}: the tab is gone.`)
  if (message.startsWith(browserAwayReason))
    return new PagehandError(
      'not_running',
      say`The user's browser is not connected: it was closed, or its extension does not run. Ask the user to open the browser again, then repeat the command.`,
    )
  if (message.startsWith(notDebuggable))
    return new PagehandError(
      'url_not_allowed',
      say`Chrome does not let extensions use the page in this tab: it is a page of Chrome, or another extension has put a frame into it. Open another page.`,
    )
  return new Error(`${method}: ${message}${data ? ` (${data})` : ''}`)
}

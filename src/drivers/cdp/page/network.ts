import type { RequestEntry } from '../../../contract/page-log.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import { createEmitter } from '../emitter.ts'
import { createRingBuffer, cutCopy } from './ring-buffer.ts'

export interface NetworkRequest {
  readonly requestId: string
  readonly frameId: string
  readonly url: string
  /** the resource type of the Network domain: Document, XHR, Fetch, Image, … */
  readonly type: string
  /** `performance.now()` of this process */
  readonly startedAt: number
  readonly endedAt?: number
  /** the HTTP status, once the server has answered */
  readonly status?: number
}

/** The requests of all frames of a page. WebSocket, EventSource, media and prefetch requests have no end and are left out. */
export interface Network {
  /** the unfinished requests of one frame (default: of all frames) */
  inFlight(frameId?: string): readonly NetworkRequest[]
  /** the requests that started at or after this time, oldest first; only the last 200 requests are kept */
  since(moment: number): readonly NetworkRequest[]
  /** open WebSockets and event streams, such as "WebSocket wss://…" */
  live(): readonly string[]
  /** when a frame last sent something that may be the data of a form, or began to navigate or to open a window; 0 before that */
  lastSentAt(): number
  /** calls the listener whenever a request starts or ends */
  onChange(listener: () => void): () => void
}

export interface DocumentRequest {
  readonly method: string
  readonly url: string
}

export interface NetworkMonitor extends Network {
  watch(session: CdpSession): void
  /** the HTTP status of a document */
  statusOf(loaderId: string): number | undefined
  /** whether a document is a PDF, which the viewer of the browser shows and which has no text to read */
  isPdf(loaderId: string): boolean
  /** whether unfinished requests occupy all connections that Chromium opens to some host: the next request to it waits for the end of one */
  occupiesHost(): boolean
  /** the request of a document: its method, after redirects, and its URL before them */
  requestOf(loaderId: string): DocumentRequest | undefined
  /** why a document is missing or incomplete */
  loadErrorOf(loaderId: string): string | undefined
  /** the requests since the one for a document, including it */
  documentEntries(loaderId: string): readonly RequestEntry[]
  entries(): readonly RequestEntry[]
}

type TrackedRequest = { -readonly [K in keyof NetworkRequest]: NetworkRequest[K] } & {
  readonly method: string
  readonly loaderId: string
  readonly session: CdpSession
  status?: number
  failed?: string
}

const maxEntries = 200
/** a page can start any number of requests that never end */
const maxOpen = 1_000
/** as many connections as Chromium opens to a host that speaks HTTP/1.1 */
const maxConnections = 6
/** these last as long as the page, or are not sent by its scripts */
const untrackedTypes = new Set([
  'EventSource',
  'WebSocket',
  'Media',
  'Ping',
  'Prefetch',
  'Preflight',
  'CSPViolationReport',
  'Manifest',
  'Other',
])
/** what a page loads to show itself */
const passiveTypes = new Set(['CSPViolationReport', 'Font', 'Image', 'Manifest', 'Media', 'Prefetch', 'Stylesheet', 'TextTrack'])
const isTracked = ({ type }: NetworkRequest) => !untrackedTypes.has(type)

/** the script of a dedicated worker is requested by the browser, for no document */
const isWorkerScript = ({ type, loaderId }: TrackedRequest) => type === 'Script' && loaderId === ''

/** a file of the browser itself, such as the hundred scripts of its PDF viewer */
const isOwnFile = (url: string) => /^chrome(-extension)?:/.test(url)

/** `isRefused`: whether a document, by its loaderId, must not be shown; what it requests is not reported. */
export function createNetworkMonitor(isRefused: (loaderId: string) => boolean = () => false): NetworkMonitor {
  const recent = createRingBuffer<TrackedRequest>(maxEntries)
  const open = new Map<string, TrackedRequest>()
  // by loaderId
  const statuses = new Map<string, number>()
  const pdfs = new Map<string, true>()
  const loadErrors = new Map<string, string>()
  const documents = new Map<string, DocumentRequest>()
  const changes = createEmitter()
  /** by requestId */
  const sockets = new Map<string, { readonly url: string; readonly session: CdpSession }>()

  let lastSentAt = 0
  const markSent = () => {
    lastSentAt = performance.now()
  }
  const start = (request: TrackedRequest) => {
    if (!passiveTypes.has(request.type)) markSent()
    recent.push(request)
    setBounded(open, request.requestId, request, maxOpen)
    changes.emit()
  }
  const end = (requestId: string, failed?: string) => {
    const request = open.get(requestId)
    if (!request) return
    request.endedAt = performance.now()
    if (failed) request.failed = failed
    open.delete(requestId)
    changes.emit()
  }
  const endWhere = (matches: (request: TrackedRequest) => boolean) => {
    for (const request of [...open.values()]) if (matches(request)) end(request.requestId)
  }

  const entriesOf = (requests: readonly TrackedRequest[]): readonly RequestEntry[] =>
    requests
      // the URL of a refused document may be reported, unless it contains the document
      .filter(({ loaderId, type, url }) => !isRefused(loaderId) || (type === 'Document' && !url.startsWith('data:')))
      .map(({ method, url, type, status, failed, startedAt, endedAt }) => ({
        method,
        url,
        type,
        ...(status !== undefined && { status }),
        ...(failed && { failed }),
        ...(endedAt !== undefined && { ms: Math.round(endedAt - startedAt) }),
      }))

  return {
    watch(session) {
      session.on('Network.requestWillBeSent', ({ requestId, request, type, frameId, loaderId, redirectResponse }) => {
        if (redirectResponse) {
          const redirected = open.get(requestId)
          if (redirected) redirected.status = redirectResponse.status
          end(requestId)
        }
        if (isOwnFile(request.url)) return
        if (type === 'Document') {
          const first = redirectResponse ? documents.get(loaderId) : undefined
          setBounded(documents, loaderId, { method: request.method, url: first?.url ?? cutCopy(request.url, 500) })
        }
        start({
          requestId,
          frameId: frameId ?? '',
          loaderId,
          session,
          url: cutCopy(request.url, 500),
          method: cutCopy(request.method, 20),
          type: type ?? 'Other',
          startedAt: performance.now(),
        })
      })
      // a form that is sent into another tab is a request of that tab
      session.on('Page.windowOpen', markSent)
      session.on('Page.frameRequestedNavigation', markSent)
      session.on('Network.webSocketFrameSent', markSent)
      session.on('Network.responseReceived', ({ requestId, type, loaderId, response }) => {
        const request = open.get(requestId)
        if (request) request.status = response.status
        if (type !== 'Document') return
        setBounded(statuses, loaderId, response.status)
        if (response.mimeType === 'application/pdf') setBounded(pdfs, loaderId, true)
      })
      session.on('Network.loadingFinished', ({ requestId }) => end(requestId))
      // the session of a worker reports the end of its script; here it has loaded once the worker is attached, or failed by its status
      session.on('Target.attachedToTarget', ({ targetInfo: { type, url } }) => {
        if (type === 'worker')
          endWhere(request => isWorkerScript(request) && request.session === session && request.url === cutCopy(url, 500))
      })
      session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
        const request = open.get(requestId)
        if (!request || !isWorkerScript(request)) return
        request.status = statusCode
        if (statusCode >= 400) end(requestId)
      })
      session.on('Network.loadingFailed', ({ requestId, errorText, type }) => {
        // the requestId of a document is its loaderId
        if (type === 'Document') setBounded(loadErrors, requestId, cutCopy(errorText, 100))
        end(requestId, cutCopy(errorText, 100))
      })
      // the end of requests of a previous document is never reported
      session.on('Page.frameNavigated', ({ frame }) =>
        endWhere(request => request.frameId === frame.id && (request.loaderId !== frame.loaderId || request.type === 'Document')),
      )
      session.on('Network.webSocketCreated', ({ requestId, url }) => setBounded(sockets, requestId, { url: cutCopy(url, 500), session }))
      session.on('Network.webSocketClosed', ({ requestId }) => sockets.delete(requestId))
      // the sockets of a previous document are closed without an event
      session.on('Page.frameNavigated', ({ frame }) => {
        if (!frame.parentId) for (const [id, socket] of sockets) if (socket.session === session) sockets.delete(id)
      })
      session.on('Page.frameDetached', ({ frameId }) => endWhere(request => request.frameId === frameId && request.session === session))
    },
    inFlight: frameId =>
      [...open.values()].filter(
        request => isTracked(request) && !isRefused(request.loaderId) && (frameId === undefined || request.frameId === frameId),
      ),
    since: moment => recent.all().filter(request => isTracked(request) && request.startedAt >= moment),
    live: () => [
      ...[...sockets.values()].map(({ url }) => `WebSocket ${withoutQuery(url)}`),
      ...[...open.values()].filter(({ type }) => type === 'EventSource').map(({ url }) => `EventSource ${withoutQuery(url)}`),
    ],
    lastSentAt: () => lastSentAt,
    onChange: changes.on,
    occupiesHost() {
      const counts = new Map<string, number>()
      for (const { url } of open.values()) {
        const host = URL.canParse(url) ? new URL(url).host : ''
        if (host) counts.set(host, (counts.get(host) ?? 0) + 1)
      }
      return Math.max(0, ...counts.values()) >= maxConnections
    },
    isPdf: loaderId => pdfs.has(loaderId),
    statusOf: loaderId => statuses.get(loaderId),
    requestOf: loaderId => documents.get(loaderId),
    loadErrorOf: loaderId => loadErrors.get(loaderId),
    documentEntries: loaderId => {
      // the requestId of a document is its loaderId
      const from = recent.all().find(({ requestId }) => requestId === loaderId)?.startedAt ?? 0
      return entriesOf(recent.all().filter(({ startedAt }) => startedAt >= from))
    },
    entries: () => entriesOf(recent.all()),
  }
}

/** the query of a long connection is often a token */
const withoutQuery = (url: string): string => url.replace(/[?#].*/, '')

/** Forgets the oldest entries beyond the limit. */
function setBounded<T>(map: Map<string, T>, key: string, value: T, maxSize = maxEntries): void {
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= maxSize) break
    map.delete(oldest)
  }
}

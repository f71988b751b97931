import type { CdpSession } from '../connection/cdp-session.ts'
import { cut } from '../cut.ts'
import { createRingBuffer } from './ring-buffer.ts'

export interface NetworkRequest {
  readonly requestId: string
  readonly frameId: string
  readonly url: string
  /** the resource type of the Network domain: Document, XHR, Fetch, Image, … */
  readonly type: string
  /** `performance.now()` of this process */
  readonly startedAt: number
  readonly endedAt?: number
}

/** The requests of all frames of a page. WebSocket, EventSource, media and prefetch requests have no end and are left out. */
export interface Network {
  /** the unfinished requests of one frame (default: of all frames) */
  inFlight(frameId?: string): readonly NetworkRequest[]
  /** the requests that started at or after this time, oldest first; only the last 200 requests are kept */
  since(moment: number): readonly NetworkRequest[]
  /** calls the listener whenever a request starts or ends */
  onChange(listener: () => void): () => void
}

/** A request as people read it. */
export interface RequestEntry {
  readonly method: string
  readonly url: string
  readonly type: string
  readonly status?: number
  /** why it came to nothing */
  readonly failed?: string
  readonly ms?: number
}

export interface NetworkMonitor extends Network {
  watch(wire: CdpSession): void
  /** HTTP status of a document, by the id of its load */
  statusOf(loaderId: string): number | undefined
  /** why a document came only in part, or not at all */
  breakOf(loaderId: string): string | undefined
  lines(): readonly RequestEntry[]
}

type Entry = { -readonly [K in keyof NetworkRequest]: NetworkRequest[K] } & {
  readonly method: string
  readonly loaderId: string
  readonly wire: CdpSession
  status?: number
  failed?: string
}

const kept = 200
/** these go on for as long as the page does, or are none of its doing */
const endless = new Set(['EventSource', 'WebSocket', 'Media', 'Ping', 'Prefetch', 'Preflight', 'CSPViolationReport', 'Manifest', 'Other'])

/** What the page asks of the network: the last requests, and those under way. */
export function createNetworkMonitor(): NetworkMonitor {
  const last = createRingBuffer<Entry>(kept)
  const open = new Map<string, Entry>()
  // of documents, by the id of their load
  const statuses = new Map<string, number>()
  const breaks = new Map<string, string>()
  const note = <T>(of: Map<string, T>, loaderId: string, what: T) => {
    of.set(loaderId, what)
    for (const old of of.keys()) {
      if (of.size <= kept) break
      of.delete(old)
    }
  }
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of [...listeners]) listener()
  }
  const end = (requestId: string, failed?: string) => {
    const entry = open.get(requestId)
    if (!entry) return
    entry.endedAt = performance.now()
    if (failed) entry.failed = failed
    open.delete(requestId)
    changed()
  }
  const counts = (entry: Entry) => !endless.has(entry.type)

  return {
    watch(wire) {
      wire.on('Network.requestWillBeSent', ({ requestId, request, type, frameId, loaderId, redirectResponse }) => {
        if (redirectResponse) {
          const before = open.get(requestId)
          if (before) before.status = redirectResponse.status
          end(requestId)
        }
        const entry: Entry = {
          requestId,
          frameId: frameId ?? '',
          loaderId,
          wire,
          url: cut(request.url, 500),
          method: cut(request.method, 20),
          type: type ?? 'Other',
          startedAt: performance.now(),
        }
        last.push(entry)
        open.set(requestId, entry)
        changed()
      })
      wire.on('Network.responseReceived', ({ requestId, type, loaderId, response }) => {
        const entry = open.get(requestId)
        if (entry) entry.status = response.status
        if (type === 'Document') note(statuses, loaderId, response.status)
      })
      wire.on('Network.loadingFinished', ({ requestId }) => end(requestId))
      wire.on('Network.loadingFailed', ({ requestId, errorText, type }) => {
        // the request for a document has the id of its load
        if (type === 'Document') note(breaks, requestId, cut(errorText, 100))
        end(requestId, cut(errorText, 100))
      })
      // what an old document had asked for is never told to have ended once the next one is there
      wire.on('Page.frameNavigated', ({ frame }) => {
        for (const entry of [...open.values()])
          if (entry.frameId === frame.id && (entry.loaderId !== frame.loaderId || entry.type === 'Document')) end(entry.requestId)
      })
      wire.on('Page.frameDetached', ({ frameId }) => {
        for (const entry of [...open.values()]) if (entry.frameId === frameId && entry.wire === wire) end(entry.requestId)
      })
    },
    inFlight: frameId => [...open.values()].filter(entry => counts(entry) && (frameId === undefined || entry.frameId === frameId)),
    since: moment => last.all().filter(entry => counts(entry) && entry.startedAt >= moment),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    statusOf: loaderId => statuses.get(loaderId),
    breakOf: loaderId => breaks.get(loaderId),
    lines: () =>
      last.all().map(({ method, url, type, status, failed, startedAt: began, endedAt: ended }) => ({
        method,
        url,
        type,
        ...(status !== undefined && { status }),
        ...(failed && { failed }),
        ...(ended !== undefined && { ms: Math.round(ended - began) }),
      })),
  }
}

import type { ConsoleEntry } from '../../../contract/page-log.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import { createRingBuffer, cutCopy } from './ring-buffer.ts'

export interface PageConsole {
  watch(session: CdpSession, rootFrameId: string): void
  /** call it when another document has begun in the tab */
  startDocument(): void
  /** the entries since the document of the tab began */
  documentEntries(): readonly ConsoleEntry[]
  /** the uncaught exceptions and rejections since a moment of `performance.now()` */
  exceptionsSince(moment: number): readonly string[]
  entries(): readonly ConsoleEntry[]
}

interface RecordedEntry {
  readonly entry: ConsoleEntry
  readonly loaderId: string
  readonly document: number
  readonly at: number
  readonly isException: boolean
}

const maxEntries = 200
const maxChars = 500
/** a page may log a thousand arguments of a megabyte each */
const maxArguments = 20
const levels: { readonly [type: string]: ConsoleEntry['level'] } = {
  error: 'error',
  assert: 'error',
  warning: 'warning',
  debug: 'debug',
  verbose: 'debug',
}

interface ConsoleOptions {
  /** the document that a frame shows */
  loaderIdOf(frameId: string): string
  /** whether a document must not be shown; its entries are not returned */
  isRefused(loaderId: string): boolean
}

interface EntrySource {
  readonly loaderId: string
  readonly url?: string | undefined
  readonly line?: number | undefined
  readonly isException?: boolean
}

export function createConsole({ loaderIdOf, isRefused }: ConsoleOptions): PageConsole {
  const recent = createRingBuffer<RecordedEntry>(maxEntries)
  /** the number of documents that the tab has shown */
  let document = 0
  const shown = () => recent.all().filter(({ loaderId }) => !isRefused(loaderId))
  const add = (level: ConsoleEntry['level'], text: string, { loaderId, url, line, isException = false }: EntrySource) => {
    if (isRefused(loaderId)) return
    const entry = {
      level,
      text: cutCopy(text, maxChars),
      ...(url && { url: cutCopy(url, maxChars) }),
      ...(line !== undefined && { line: line + 1 }),
    }
    recent.push({ entry, loaderId, document, at: performance.now(), isException })
  }
  return {
    watch(session, rootFrameId) {
      /** the frames of script contexts, by context id */
      const frameIds = new Map<number, string>()
      const loaderIdIn = (contextId: number | undefined) => loaderIdOf(frameIds.get(contextId ?? -1) ?? rootFrameId)
      session.on(
        'Runtime.executionContextCreated',
        ({ context: { id, auxData } }) => void frameIds.set(id, auxData?.frameId ?? rootFrameId),
      )
      session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => frameIds.delete(executionContextId))
      session.on('Runtime.executionContextsCleared', () => frameIds.clear())
      session.on('Runtime.consoleAPICalled', ({ type, args, stackTrace, executionContextId }) => {
        const [frame] = stackTrace?.callFrames ?? []
        const words = args
          .slice(0, maxArguments)
          .map(arg => cutCopy(String(arg.value ?? arg.unserializableValue ?? arg.description ?? arg.type), maxChars))
        add(levels[type] ?? 'info', words.join(' '), {
          loaderId: loaderIdIn(executionContextId),
          url: frame?.url,
          line: frame?.lineNumber,
        })
      })
      session.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text, url, lineNumber, executionContextId } }) =>
        add('error', exception?.description ?? `${text} ${exception?.value ?? ''}`, {
          loaderId: loaderIdIn(executionContextId),
          url,
          line: lineNumber,
          isException: true,
        }),
      )
      session.on('Log.entryAdded', ({ entry: { level, text, url, lineNumber } }) =>
        add(levels[level] ?? 'info', text, { loaderId: loaderIdOf(rootFrameId), url, line: lineNumber }),
      )
    },
    startDocument: () => {
      document++
    },
    documentEntries: () => shown().flatMap(each => (each.document === document ? [each.entry] : [])),
    exceptionsSince: moment => shown().flatMap(({ entry, at, isException }) => (isException && at >= moment ? [entry.text] : [])),
    entries: () => shown().map(({ entry }) => entry),
  }
}

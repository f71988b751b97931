import type { CdpSession } from '../connection/cdp-session.ts'
import { createRingBuffer, cutCopy } from './ring-buffer.ts'

/**
 * A console message of the page, an uncaught exception, or a log entry of the browser.
 *
 * @example
 * const errors = session.console().filter(({ level }: ConsoleEntry) => level === 'error')
 */
export interface ConsoleEntry {
  readonly level: 'error' | 'warning' | 'info' | 'debug'
  readonly text: string
  readonly url?: string
  /** counted from 1 */
  readonly line?: number
}

export interface PageConsole {
  watch(session: CdpSession): void
  entries(): readonly ConsoleEntry[]
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

export function createConsole(): PageConsole {
  const recent = createRingBuffer<ConsoleEntry>(maxEntries)
  const add = (level: ConsoleEntry['level'], text: string, at: { url?: string | undefined; line?: number | undefined } = {}) =>
    recent.push({
      level,
      text: cutCopy(text, maxChars),
      ...(at.url && { url: cutCopy(at.url, maxChars) }),
      ...(at.line !== undefined && { line: at.line + 1 }),
    })
  return {
    watch(session) {
      session.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
        const [frame] = stackTrace?.callFrames ?? []
        const words = args
          .slice(0, maxArguments)
          .map(arg => cutCopy(String(arg.value ?? arg.unserializableValue ?? arg.description ?? arg.type), maxChars))
        add(levels[type] ?? 'info', words.join(' '), { url: frame?.url, line: frame?.lineNumber })
      })
      session.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text, url, lineNumber } }) =>
        add('error', exception?.description ?? `${text} ${exception?.value ?? ''}`, { url, line: lineNumber }),
      )
      session.on('Log.entryAdded', ({ entry: { level, text, url, lineNumber } }) =>
        add(levels[level] ?? 'info', text, { url, line: lineNumber }),
      )
    },
    entries: () => recent.all(),
  }
}

import type { CdpSession } from '../connection/cdp-session.ts'
import { cut } from '../cut.ts'
import { createRingBuffer } from './ring-buffer.ts'

/** Something the page, or the browser about the page, wrote to the console. */
export interface ConsoleEntry {
  readonly level: 'error' | 'warning' | 'info' | 'debug'
  readonly text: string
  readonly url?: string
  readonly line?: number
}

export interface PageConsole {
  watch(wire: CdpSession): void
  lines(): readonly ConsoleEntry[]
}

const kept = 200
const longest = 500
const levels: { readonly [type: string]: ConsoleEntry['level'] } = {
  error: 'error',
  assert: 'error',
  warning: 'warning',
  debug: 'debug',
  verbose: 'debug',
}

export function createConsole(): PageConsole {
  const last = createRingBuffer<ConsoleEntry>(kept)
  const note = (level: ConsoleEntry['level'], text: string, at: { url?: string | undefined; line?: number | undefined } = {}) =>
    last.push({
      level,
      text: cut(text, longest),
      ...(at.url && { url: cut(at.url, longest) }),
      ...(at.line !== undefined && { line: at.line + 1 }),
    })
  return {
    watch(wire) {
      wire.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
        const [frame] = stackTrace?.callFrames ?? []
        // a thousand arguments of a megabyte each are possible; nobody reads them
        const words = args.slice(0, 20).map(arg => cut(arg.value ?? arg.unserializableValue ?? arg.description ?? arg.type, longest))
        note(levels[type] ?? 'info', words.join(' '), { url: frame?.url, line: frame?.lineNumber })
      })
      wire.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text, url, lineNumber } }) =>
        note('error', exception?.description ?? `${text} ${exception?.value ?? ''}`, { url, line: lineNumber }),
      )
      wire.on('Log.entryAdded', ({ entry: { level, text, url, lineNumber } }) =>
        note(levels[level] ?? 'info', text, { url, line: lineNumber }),
      )
    },
    lines: () => last.all(),
  }
}

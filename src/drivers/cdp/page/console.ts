import { cut } from '../cut.ts'
import type { Wire } from '../input/context.ts'
import { ring } from './ring-buffer.ts'

/** Something the page, or the browser about the page, wrote to the console. */
export interface LogLine {
  readonly level: 'error' | 'warning' | 'info' | 'debug'
  readonly text: string
  readonly url?: string
  readonly line?: number
}

export interface PageLog {
  watch(wire: Wire): void
  lines(): readonly LogLine[]
}

const kept = 200
const longest = 500
const levels: { readonly [type: string]: LogLine['level'] } = {
  error: 'error',
  assert: 'error',
  warning: 'warning',
  debug: 'debug',
  verbose: 'debug',
}

export function createPageLog(): PageLog {
  const last = ring<LogLine>(kept)
  const note = (level: LogLine['level'], text: string, at: { url?: string | undefined; line?: number | undefined } = {}) =>
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

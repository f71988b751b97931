import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { messageOf } from '../contract/error-message.ts'
import { createQueue } from '../contract/queue.ts'

/**
 * A line of events.jsonl.
 *
 * @example
 * const isCall = ({ type }: LogEntry) => type === 'tool.call'
 */
export interface LogEntry {
  /** 1, 2, 3, … */
  readonly seq: number
  /** time in ISO 8601 */
  readonly at: string
  /** name of the run */
  readonly run: string
  readonly type: string
  /** SHA-256 of the previous line, '' in the first: changing or removing a line breaks the chain */
  readonly prev: string
  readonly [field: string]: unknown
}

/** An event before it is numbered and chained. */
export type LogEvent = { readonly type: string; readonly [field: string]: unknown }

export interface Log {
  /** Resolves when the line is on disk. After the first write error every call rejects. */
  append(event: LogEvent): Promise<void>
  close(): Promise<void>
}

/** Creates a log; rejects if the file exists. `clean` redacts the fields of each event. */
export async function openLog(file: string, { run, clean }: { run: string; clean(event: object): unknown }): Promise<Log> {
  const handle = await open(file, 'ax', 0o600)
  const enqueue = createQueue()
  let seq = 0
  let prev = ''
  let writeError: Error | undefined

  const append = async ({ type, ...event }: LogEvent): Promise<void> => {
    if (writeError) throw writeError
    const line = JSON.stringify({ seq: seq + 1, at: new Date().toISOString(), run, type, ...(clean(event) as object), prev })
    try {
      await handle.appendFile(`${line}\n`)
      await handle.datasync()
    } catch (error) {
      writeError = new Error(`${file} cannot be written: ${messageOf(error)}`)
      throw writeError
    }
    seq++
    prev = hashOf(line)
  }
  return {
    append: event => enqueue(() => append(event)),
    close: () => enqueue(() => handle.close()),
  }
}

/**
 * The events of a log, up to the first that cannot be trusted.
 *
 * @example
 * const isIntact = ({ damage }: LogContent) => damage === undefined
 */
export interface LogContent {
  readonly events: readonly LogEntry[]
  /** hash of the last event */
  readonly head: string
  /** the last line is incomplete because the writer was stopped; this is not damage */
  readonly torn: boolean
  /** the first line that does not follow from the previous one */
  readonly damage?: { readonly line: number; readonly why: string }
}

/**
 * What was known about a log earlier: its number of events and the hash of the last one. meta.json has it as `log`.
 *
 * @example
 * const known: LogHead = JSON.parse(await readFile('evidence/RUN/meta.json', 'utf8')).log
 */
export interface LogHead {
  readonly events: number
  readonly head: string
}

/**
 * Reads events.jsonl and verifies its hash chain, and that it still begins with the events of `known`.
 *
 * @example
 * const { events, damage } = readLog(await readFile('evidence/RUN/events.jsonl', 'utf8'))
 * if (damage) console.error(`line ${damage.line}: ${damage.why}`)
 */
export function readLog(text: string, known?: LogHead): LogContent {
  const lines = text.split('\n')
  const torn = lines.pop() !== ''
  const events: LogEntry[] = []
  let head = ''
  const damaged = (line: number, why: string): LogContent => ({ events, head, torn, damage: { line, why } })
  for (const [index, line] of lines.entries()) {
    const event = parseEntry(line)
    if (event === undefined) return damaged(index + 1, 'it is not an event')
    if (event.seq !== index + 1) return damaged(index + 1, 'a line is missing')
    if (event.prev !== head) return damaged(index + 1, 'a line was changed')
    events.push(event)
    head = hashOf(line)
    if (known?.events === events.length && known.head !== head) return damaged(index + 1, 'a line was changed')
  }
  return known && events.length < known.events ? damaged(events.length + 1, 'a line is missing') : { events, head, torn }
}

function parseEntry(line: string): LogEntry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<LogEntry> | null
    return typeof entry === 'object' && typeof entry?.type === 'string' && typeof entry.seq === 'number' ? (entry as LogEntry) : undefined
  } catch {
    return undefined
  }
}

const hashOf = (line: string): string => createHash('sha256').update(line).digest('hex')

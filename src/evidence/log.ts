import { createHash } from 'node:crypto'
import { open, truncate } from 'node:fs/promises'
import { messageOf } from '../contract/error-message.ts'
import type { JournalEvent, LogContent, LogEntry } from '../contract/journal.ts'
import { createQueue } from '../contract/queue.ts'

export type { JournalEvent as LogEvent, LogContent, LogEntry }

export interface Log {
  /** Resolves with the entry when its line is durable. After the first write error every call rejects. */
  append(event: JournalEvent): Promise<LogEntry>
  close(): Promise<void>
}

interface LogOptions {
  readonly run: string
  /** redacts the fields of each event */
  clean(event: object): unknown
}

/**
 * Where the lines of a log go.
 *
 * @example
 * const sink: LineSink = await lineFile('events.jsonl', 'ax')
 */
export interface LineSink {
  /** Adds a line to the end; resolves when it is durable. After the first error nothing more is written. */
  write(line: string, entry: LogEntry): Promise<void>
  close(): Promise<void>
}

/**
 * The lines of a file.
 *
 * @param flags `ax` if it must be new, `a` to continue it
 * @example
 * const lines = await lineFile('events.jsonl', 'ax')
 */
export async function lineFile(file: string, flags: 'ax' | 'a'): Promise<LineSink> {
  const handle = await open(file, flags, 0o600)
  return {
    async write(line) {
      try {
        await handle.appendFile(`${line}\n`)
        await handle.datasync()
      } catch (error) {
        throw new Error(`${file} cannot be written: ${messageOf(error)}`)
      }
    },
    close: () => handle.close(),
  }
}

/** Drops a torn last line of a log whose content was read and is not damaged. */
export async function dropTornLine(file: string, text: string): Promise<void> {
  const bytes = completeBytes(text)
  if (bytes < Buffer.byteLength(text)) await truncate(file, bytes)
}

/** Numbers and chains events. @param from the content of the log so far */
export function createLog(sink: LineSink, { run, clean }: LogOptions, from?: Pick<LogContent, 'events' | 'head'>): Log {
  const enqueue = createQueue()
  let seq = from?.events.length ?? 0
  let prev = from?.head ?? ''
  let writeError: unknown

  const append = async ({ type, ...event }: JournalEvent): Promise<LogEntry> => {
    if (writeError) throw writeError
    const entry = { seq: seq + 1, at: new Date().toISOString(), run, type, ...(clean(event) as object), prev }
    const line = JSON.stringify(entry)
    try {
      await sink.write(line, entry)
    } catch (error) {
      writeError = error
      throw error
    }
    seq++
    prev = hashOf(line)
    return entry
  }
  return {
    append: event => enqueue(() => append(event)),
    close: () => enqueue(() => sink.close()),
  }
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

export const hashOf = (line: string): string => createHash('sha256').update(line).digest('hex')

/** The length of the complete lines of a log, in bytes. */
const completeBytes = (text: string): number => Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1))

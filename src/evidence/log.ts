import { createHash } from 'node:crypto'
import { type FileHandle, open, truncate } from 'node:fs/promises'
import { messageOf } from '../contract/error-message.ts'
import type { JournalEvent, LogContent, LogEntry } from '../contract/journal.ts'
import { createQueue } from '../contract/queue.ts'

export type { JournalEvent as LogEvent, LogContent, LogEntry }

export interface Log {
  /** Resolves with the entry when its line is on disk. After the first write error every call rejects. */
  append(event: JournalEvent): Promise<LogEntry>
  close(): Promise<void>
}

interface LogOptions {
  readonly run: string
  /** redacts the fields of each event */
  clean(event: object): unknown
}

/** Creates a log; rejects if the file exists. */
export async function openLog(file: string, options: LogOptions): Promise<Log> {
  return writeLog(file, await open(file, 'ax', 0o600), options)
}

/** Continues a log whose content was read and is not damaged; a torn last line is dropped. */
export async function reopenLog(
  file: string,
  { events, head, torn, bytes }: LogContent & { bytes: number },
  options: LogOptions,
): Promise<Log> {
  if (torn) await truncate(file, bytes)
  return writeLog(file, await open(file, 'a', 0o600), { ...options, seq: events.length, prev: head })
}

function writeLog(file: string, handle: FileHandle, { run, clean, ...from }: LogOptions & { seq?: number; prev?: string }): Log {
  const enqueue = createQueue()
  let { seq = 0, prev = '' } = from
  let writeError: Error | undefined

  const append = async ({ type, ...event }: JournalEvent): Promise<LogEntry> => {
    if (writeError) throw writeError
    const entry = { seq: seq + 1, at: new Date().toISOString(), run, type, ...(clean(event) as object), prev }
    const line = JSON.stringify(entry)
    try {
      await handle.appendFile(`${line}\n`)
      await handle.datasync()
    } catch (error) {
      writeError = new Error(`${file} cannot be written: ${messageOf(error)}`)
      throw writeError
    }
    seq++
    prev = hashOf(line)
    return entry
  }
  return {
    append: event => enqueue(() => append(event)),
    close: () => enqueue(() => handle.close()),
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
export const completeBytes = (text: string): number => Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1))

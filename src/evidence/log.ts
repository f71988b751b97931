import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { messageOf } from '../contract/error-message.ts'
import { createQueue } from '../contract/queue.ts'

/** A line of events.jsonl. */
export interface LogEntry {
  /** 1, 2, 3, … */
  readonly seq: number
  readonly at: string
  /** whose file this is */
  readonly run: string
  readonly type: string
  /** SHA-256 of the line before, '' in the first: who changes or removes a line breaks the chain */
  readonly prev: string
  readonly [field: string]: unknown
}

/** what is put into a line */
export type Happening = { readonly type: string; readonly [field: string]: unknown }

export interface Log {
  /** resolves when the line is on the disk; after the first that is not, none is taken any more */
  append(event: Happening): Promise<void>
  close(): Promise<void>
}

/** A new log; a file that is there already is not touched. `clean` says how what happened may be told. */
export async function openLog(file: string, { run, clean }: { run: string; clean(event: object): unknown }): Promise<Log> {
  const handle = await open(file, 'ax', 0o600)
  let seq = 0
  let prev = ''
  let broken: Error | undefined
  const enqueue = createQueue()

  const append = async ({ type, ...event }: Happening): Promise<void> => {
    if (broken) throw broken
    const line = JSON.stringify({ seq: seq + 1, at: new Date().toISOString(), run, type, ...(clean(event) as object), prev })
    try {
      await handle.appendFile(`${line}\n`)
      await handle.datasync()
    } catch (error) {
      broken = new Error(`${file} cannot be written: ${messageOf(error)}`)
      throw broken
    }
    seq++
    prev = hashOf(line)
  }
  return {
    append: event => enqueue(() => append(event)),
    close: () => enqueue(() => handle.close()),
  }
}

export interface ReadLog {
  readonly events: readonly LogEntry[]
  readonly head: string
  /** the writer was stopped in the middle of the last line: that is no damage */
  readonly torn: boolean
  /** the first line that does not follow from the one before it */
  readonly damage?: { readonly line: number; readonly why: string }
}

/** What somebody knows of a log from before: that it had so many events, and the hash of the last of them. */
export interface Known {
  readonly events: number
  readonly head: string
}

/** The events of a log, as far as they can be trusted. */
export function readLog(text: string, known?: Known): ReadLog {
  const lines = text.split('\n')
  const torn = lines.pop() !== ''
  const events: LogEntry[] = []
  let head = ''
  const damaged = (line: number, why: string): ReadLog => ({ events, head, torn, damage: { line, why } })
  for (const [index, line] of lines.entries()) {
    const event = eventIn(line)
    if (event === undefined) return damaged(index + 1, 'it is no event')
    if (event.seq !== index + 1) return damaged(index + 1, 'a line is missing')
    if (event.prev !== head) return damaged(index + 1, 'a line was changed')
    events.push(event)
    head = hashOf(line)
    if (known?.events === events.length && known.head !== head) return damaged(index + 1, 'a line was changed')
  }
  return known && events.length < known.events ? damaged(events.length + 1, 'a line is missing') : { events, head, torn }
}

function eventIn(line: string): LogEntry | undefined {
  try {
    const event = JSON.parse(line) as Partial<LogEntry> | null
    return typeof event === 'object' && typeof event?.type === 'string' && typeof event.seq === 'number' ? (event as LogEntry) : undefined
  } catch {
    return undefined
  }
}

const hashOf = (line: string): string => createHash('sha256').update(line).digest('hex')

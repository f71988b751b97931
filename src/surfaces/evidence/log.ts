import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** A line of events.jsonl. */
export interface Logged {
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
  /** SHA-256 of the last line, for who wants to vouch for the whole */
  head(): string
  close(): Promise<void>
}

/** A new log; a file that is there already is not touched. `write` says how an event is put into words that may leave. */
export async function openLog(file: string, { run, write }: { run: string; write(event: object): string }): Promise<Log> {
  const handle = await open(file, 'ax', 0o600)
  let seq = 0
  let prev = ''
  let broken: Error | undefined
  let before: Promise<unknown> = Promise.resolve()

  const append = async (event: Happening): Promise<void> => {
    if (broken) throw broken
    let line = ''
    try {
      line = write({ seq: seq + 1, at: new Date().toISOString(), run, ...event, prev })
      await handle.appendFile(`${line}\n`)
      await handle.datasync()
    } catch (error) {
      broken = new Error(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
      throw broken
    }
    seq++
    prev = hashOf(line)
  }
  return {
    append(event) {
      const done = before.then(() => append(event))
      before = done.catch(() => {})
      return done
    },
    head: () => prev,
    close: async () => {
      await before
      await handle.close()
    },
  }
}

export interface ReadLog {
  readonly events: readonly Logged[]
  readonly head: string
  /** the writer was stopped in the middle of the last line: that is no damage */
  readonly torn: boolean
  /** the first line that does not follow from the one before it */
  readonly damage?: { readonly line: number; readonly why: string }
}

/** The events of a log, as far as they can be trusted. */
export function readLog(text: string): ReadLog {
  const lines = text.split('\n')
  const torn = lines.pop() !== ''
  const events: Logged[] = []
  let head = ''
  for (const [index, line] of lines.entries()) {
    const event = eventIn(line)
    const why =
      event === undefined
        ? 'it is no event'
        : event.seq !== index + 1
          ? 'a line is missing'
          : event.prev !== head
            ? 'a line was changed'
            : ''
    if (why || !event) return { events, head, torn, damage: { line: index + 1, why } }
    events.push(event)
    head = hashOf(line)
  }
  return { events, head, torn }
}

function eventIn(line: string): Logged | undefined {
  try {
    const event = JSON.parse(line) as Partial<Logged> | null
    return typeof event === 'object' && typeof event?.type === 'string' && typeof event.seq === 'number' ? (event as Logged) : undefined
  } catch {
    return undefined
  }
}

const hashOf = (line: string): string => createHash('sha256').update(line).digest('hex')

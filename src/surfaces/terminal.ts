import { createInterface } from 'node:readline/promises'
import type { AbortSignalLike } from '../contract/run.ts'
import { printable } from './printable.ts'

/** Where the programs write, such as `process.stderr`. */
export interface TerminalStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string, done?: () => void): unknown
}

/**
 * A stream to which everything is written as text: words of a page cannot set the clipboard of the terminal, hide a line or turn it around.
 * All output of the programs goes through `stdout` and `stderr` of this file (TRUST A1); the MCP transport writes its messages itself.
 */
export class PrintableStream implements TerminalStream {
  readonly #target: () => TerminalStream

  constructor(target: () => TerminalStream) {
    this.#target = target
  }

  get isTTY(): boolean {
    return this.#target().isTTY === true
  }

  get columns(): number {
    return this.#target().columns ?? 80
  }

  write(text: string, done?: () => void): unknown {
    return this.#target().write(printable(text), done)
  }

  /** Writes in a color of the terminal: 31 is red, 32 green, 33 yellow. Without a terminal the text has no color. */
  writeColored(color: 31 | 32 | 33, text: string): unknown {
    const plain = printable(text)
    return this.#target().write(this.isTTY && !process.env.NO_COLOR ? `\u001b[${color}m${plain}\u001b[0m` : plain)
  }

  /** Erases the line that the cursor is in. */
  eraseLine(): unknown {
    return this.#target().write('\r\u001b[2K')
  }
}

/** The stream itself if it is printable already. */
export const toPrintable = (stream: TerminalStream): PrintableStream =>
  stream instanceof PrintableStream ? stream : new PrintableStream(() => stream)

export const stdout = new PrintableStream(() => process.stdout)
export const stderr = new PrintableStream(() => process.stderr)

/** Calls `onError` if standard output cannot be written: its reader may have enough. */
export const onOutputError = (onError: (error: NodeJS.ErrnoException) => void): void => void process.stdout.on('error', onError)

/** A line from the terminal; undefined if it is closed, or the run is stopped. */
export async function askLine(question: string, signal: AbortSignalLike): Promise<string | undefined> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  // the terminal sends no signal while readline reads its keys
  prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const closed = new Promise<undefined>(resolve => {
    prompt.once('close', () => resolve(undefined))
    signal.addEventListener?.('abort', () => prompt.close())
  })
  const answered = prompt.question(printable(question)).then(line => line.trim().toLowerCase())
  const line = await Promise.race([answered.catch(() => undefined), closed])
  prompt.close()
  return line
}

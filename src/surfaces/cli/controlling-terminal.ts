import { openSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { ReadStream, WriteStream } from 'node:tty'

/** The terminal of the person at the keyboard. */
export interface Terminal {
  /** The line that was typed; undefined if the terminal was closed. */
  ask(question: string): Promise<string | undefined>
  close(): void
}

/**
 * Opens the terminal itself, whatever standard input and output are: a program can write into a pipe, and a decision has to come from a
 * person. Undefined if the process has no terminal.
 */
export function openTerminal(): Terminal | undefined {
  if (process.platform === 'win32') return process.stdin.isTTY && process.stderr.isTTY ? over(process.stdin, process.stderr) : undefined
  try {
    const [input, output] = [new ReadStream(openSync('/dev/tty', 'r')), new WriteStream(openSync('/dev/tty', 'w'))]
    return over(input, output, () => {
      input.destroy()
      output.destroy()
    })
  } catch {
    return undefined // no controlling terminal
  }
}

function over(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, end = () => {}): Terminal {
  const prompt = createInterface({ input, output })
  const closed = new Promise<undefined>(resolve => prompt.once('close', () => resolve(undefined)))
  return {
    ask: question =>
      Promise.race([
        prompt.question(question).catch(() => undefined), // closed while it asks
        closed,
      ]),
    close() {
      prompt.close()
      end()
    },
  }
}

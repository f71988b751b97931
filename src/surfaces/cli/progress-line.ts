import { stderr, type TerminalStream, toPrintable } from '../terminal.ts'

/**
 * Says on the terminal what takes longer than a second, and for how long; the line is erased when it is done. Standard output and files get
 * nothing.
 */
export async function withProgressLine<T>(label: string, work: Promise<T>, given: TerminalStream = stderr): Promise<T> {
  const stream = toPrintable(given)
  if (!stream.isTTY || process.env.TERM === 'dumb') return work
  let seconds = 0
  const timer = setInterval(() => {
    const line = `${label}: ${++seconds} s, Ctrl-C to cancel`
    // a line that wraps could not be erased
    stream.eraseLine()
    stream.write(line.slice(0, stream.columns - 1))
  }, 1_000)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (seconds > 0) stream.eraseLine()
  }
}

export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const eraseLine = '\r\u001b[2K'

/**
 * Says on the terminal what takes longer than a second, and for how long; the line is erased when it is done. Standard output and files get
 * nothing.
 */
export async function withProgressLine<T>(label: string, work: Promise<T>, stream: ProgressStream = process.stderr): Promise<T> {
  if (!stream.isTTY || process.env.TERM === 'dumb') return work
  let seconds = 0
  const timer = setInterval(() => {
    const line = `${label}: ${++seconds} s, Ctrl-C to cancel`
    // a line that wraps could not be erased
    stream.write(`${eraseLine}${line.slice(0, (stream.columns ?? 80) - 1)}`)
  }, 1_000)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (seconds > 0) stream.write(eraseLine)
  }
}

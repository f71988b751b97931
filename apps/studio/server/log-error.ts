import { inspect } from 'node:util'

/** Prints an error on the terminal. The words of a page in it cannot control the terminal: what is not visible is escaped. */
export function logError(error: unknown, what = ''): void {
  const text = `${what}${what && ' '}${error instanceof Error ? (error.stack ?? error.message) : inspect(error)}`
  process.stderr.write(`${text.replace(/[^\P{C}\n\t]/gu, unit => `\\u{${unit.codePointAt(0)?.toString(16)}}`)}\n`)
}

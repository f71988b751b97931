import type { RuleFlags } from '../../flags/session-flags.ts'
import type { Given } from '../arguments.ts'

/** What the client asks the host: one JSON object per line. */
export type Request =
  | { readonly id: number; readonly do: 'verb'; readonly verb: string; readonly args: Given; readonly options: Options }
  | { readonly id: number; readonly do: 'status' }
  /** one session, or the host itself */
  | { readonly id: number; readonly do: 'stop'; readonly session?: string }

/** How a session is opened, and how its answers are written. */
export interface Options extends RuleFlags {
  readonly session: string
  readonly format?: string
  readonly headed?: boolean
  /** 1280x720 */
  readonly window?: string
  readonly profile?: string
  readonly attach?: string
  readonly allowEval?: boolean
  /** the folder that the client stands in */
  readonly folder: string
  /** send the picture itself, and keep none */
  readonly picture?: boolean
}

export interface Response {
  readonly id: number
  readonly ok: boolean
  readonly text: string
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string }
  readonly refs?: readonly string[]
  readonly picture?: {
    readonly mime: string
    readonly base64?: string
    readonly width: number
    readonly height: number
    readonly path?: string
  }
  readonly sessions?: readonly object[]
  /** the command was not carried out, because it is not one */
  readonly isWrongUse?: boolean
  /** the host ends with this answer */
  readonly isLast?: boolean
}

/** Lines of a stream, whole ones only; a line longer than `most` ends the talk. */
export function onLines(
  stream: { on(event: 'data', listener: (chunk: string) => void): unknown },
  { most, line, tooLong }: { most: number; line: (text: string) => void; tooLong: () => void },
): void {
  let rest = ''
  stream.on('data', chunk => {
    rest += chunk
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const text = rest.slice(0, end)
      rest = rest.slice(end + 1)
      line(text)
    }
    if (rest.length > most) tooLong()
  })
}

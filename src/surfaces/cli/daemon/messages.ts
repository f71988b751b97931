import type { OptionSpec, OptionSpecs } from '../../flags/option-spec.ts'
import type { OptionValues } from '../../flags/parse-options.ts'
import { type BrowserFlags, type RuleFlags, sessionFlags } from '../../flags/session-flags.ts'

/** A request of the client to the daemon: one JSON object per line. */
export type Request =
  | { readonly id: number; readonly do: 'verb'; readonly verb: string; readonly args: OptionValues; readonly options: CommandOptions }
  | { readonly id: number; readonly do: 'status' }
  /** answered at once, whatever else is running */
  | { readonly id: number; readonly do: 'ping' }
  /** stops one session, or the daemon itself */
  | { readonly id: number; readonly do: 'stop'; readonly session?: string }
export type VerbRequest = Extract<Request, { do: 'verb' }>

/** How a session is opened, and how its results are written. */
export interface CommandOptions extends BrowserFlags, RuleFlags {
  readonly session: string
  readonly format?: string
  /** the working directory of the client */
  readonly folder: string
  /** the client writes the screenshot to this file: send its bytes, and save none */
  readonly screenshotFile?: string
  /** the client prints JSON: send the data of the result too */
  readonly json?: boolean
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
  /** the data of the result; only for `--json` */
  readonly data?: unknown
  /** the command is invalid and was not run */
  readonly isUsageError?: boolean
  /** the daemon exits after this response */
  readonly isLast?: boolean
}
export type ResponseBody = Omit<Response, 'id' | 'isLast'>

/** Returns the request in a line; undefined if it is not one. */
export function parseRequest(line: string): Request | undefined {
  try {
    const request = JSON.parse(line) as Request | null
    if (request?.do === 'status' || request?.do === 'stop' || request?.do === 'ping') return request
    return request?.do === 'verb' && typeof request.options?.session === 'string' ? request : undefined
  } catch {
    return undefined
  }
}

const optionSpecs: OptionSpecs = {
  ...sessionFlags,
  session: { type: 'string' },
  format: { type: 'string' },
  folder: { type: 'string' },
  screenshotFile: { type: 'string' },
  json: { type: 'boolean' },
}

const valueTypes: { readonly [type in OptionSpec['type']]: { readonly what: string; accepts(value: unknown): boolean } } = {
  string: { what: 'a string', accepts: value => typeof value === 'string' },
  boolean: { what: 'a boolean', accepts: value => typeof value === 'boolean' },
  integer: { what: 'a whole number', accepts: Number.isInteger },
  array: { what: 'a list of strings', accepts: value => Array.isArray(value) && value.every(each => typeof each === 'string') },
}

/** The first option whose value has the wrong type, as a sentence, or ''. A rule of the wrong type must not mean no rule. */
export function invalidOption(options: CommandOptions): string {
  for (const [field, { type }] of Object.entries(optionSpecs)) {
    const value: unknown = options[field as keyof CommandOptions]
    const { what, accepts } = valueTypes[type]
    if (value !== undefined && !accepts(value)) return `options.${field} must be ${what}.`
  }
  return ''
}

export interface LineOptions {
  readonly maxLength: number
  onLine(text: string): void
  /** an unfinished line has more than `maxLength` characters */
  onOverflow(): void
}

/** Splits a stream into lines; the last one counts only once it is complete. */
export function readLines(
  stream: { on(event: 'data', listener: (chunk: string) => void): unknown },
  { maxLength, onLine, onOverflow }: LineOptions,
): void {
  let rest = ''
  stream.on('data', chunk => {
    rest += chunk
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const text = rest.slice(0, end)
      rest = rest.slice(end + 1)
      onLine(text)
    }
    if (rest.length > maxLength) onOverflow()
  })
}

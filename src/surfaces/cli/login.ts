import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { toSentence } from '../../contract/text.ts'
import { columns, optionRows } from '../flags/option-help.ts'
import type { OptionSpecs } from '../flags/option-spec.ts'
import { parseOptions } from '../flags/parse-options.ts'
import { isProfileName } from '../flags/session-flags.ts'
import { stderr, stdout } from '../terminal.ts'
import { toUrl } from './url.ts'

interface LoginReport {
  readonly file: string
  readonly cookies: number
  readonly origins: number
  readonly cookiesOnly: boolean
  readonly isEncrypted: boolean
}

/** What the command needs of the browser driver, which a surface does not import. */
export interface LoginDriver {
  openLogin(options: LoginCommand): Promise<{
    readonly closed: Promise<void>
    readonly keepsProfile: boolean
    save(): Promise<LoginReport>
    cancel(): Promise<void>
  }>
  exportLogin(options: ExportCommand): Promise<LoginReport>
}

export interface LoginCommand {
  readonly url: string
  readonly profile: string
  readonly origins?: readonly string[]
}
export interface ExportCommand {
  readonly file: string
  readonly profile: string
  readonly origins?: readonly string[]
}

const options: OptionSpecs = {
  profile: { type: 'string', value: 'NAME', description: 'the profile that keeps the login; created on first use' },
  origin: {
    type: 'array',
    value: 'ORIGIN',
    description: 'store only what belongs to this origin, such as https://shop.example; can be repeated (default: all that was visited)',
  },
  export: {
    type: 'string',
    value: 'FILE',
    description: 'instead of logging in, write the stored login into this new file, for --storage-state',
  },
  json: { type: 'boolean', description: 'print what was stored as JSON' },
}

export const loginHelp = `pagehand login URL --profile NAME           Log in by hand, in a window, and keep the login in a profile
pagehand login --profile NAME --export FILE  Write a login that was stored into a file

${columns(optionRows(options)).join('\n')}

Opens a browser window at URL. Log in there, then press Enter in the terminal, or close the window. Nothing is typed, clicked or read in the
window by pagehand. Use the login with: pagehand open URL --profile NAME

The login is stored in the folder of the profile, readable only by you. With the environment variable PAGEHAND_LOGIN_KEY it is encrypted with
this key (AES-256-GCM, scrypt), nothing else is kept, and every command that uses the profile needs the key. If you close the window instead
of pressing Enter, an encrypted login contains the cookies only. The file of --export is readable only by you too, and encrypted if the login is.

Exit codes: 0 the login is stored, 1 failure, 2 usage error.
`

/** The words after `pagehand login`, or a sentence about the first mistake. */
export function parseLoginCommand(words: readonly string[]): ((LoginCommand | ExportCommand) & { readonly json: boolean }) | string {
  const parsed = parseOptions(words, options)
  if (!parsed.ok) return parsed.why
  const [given, unexpected] = parsed.positionals
  const { profile, origin, json, export: file } = parsed.options
  if (given !== undefined && file !== undefined) return 'a login is either stored or exported: leave out the URL or --export'
  if (given === undefined && file === undefined) return 'name the URL to log in at'
  if (unexpected !== undefined) return `unexpected argument ${unexpected}`
  if (typeof profile !== 'string') return 'name the profile that keeps the login: --profile NAME'
  if (!isProfileName(profile) || profile === 'temporary' || profile === 'chrome')
    return `--profile is a name of letters, digits, dots and dashes, other than temporary and chrome, not ${profile}`
  const common = { profile, json: json === true, ...(Array.isArray(origin) && { origins: origin }) }
  if (typeof file === 'string') return { file: resolve(file), ...common }
  const url = toUrl(given ?? '')
  return url.ok ? { url: url.url, ...common } : url.why
}

/** `pagehand login` */
export async function login(words: readonly string[], driver: LoginDriver): Promise<number> {
  const command = parseLoginCommand(words)
  if (typeof command === 'string') {
    stderr.write(`pagehand: ${toSentence(command)} Run: pagehand help login\n`)
    return 2
  }
  const { json, ...options } = command
  if ('file' in options) {
    const exported = await driver.exportLogin(options)
    await print(json ? JSON.stringify({ ok: true, ...exported }) : describe(exported))
    return 0
  }
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    stderr.write(
      'pagehand: there is no display for a window. Log in on a machine with one and copy the state: pagehand open URL --storage-state FILE\n',
    )
    return 1
  }
  const window = await driver.openLogin(options).catch((error: Error & { readonly code?: string }) => {
    if (error.code === 'profile_in_use') error.message += ' If a command of pagehand uses it, run: pagehand stop'
    throw error
  })
  const cancel = window.keepsProfile ? 'Ctrl-C stores no login; the profile keeps what its browser saves.' : 'Ctrl-C stores nothing.'
  stderr.write(`Log in in the window, then press Enter here, or close the window. ${cancel}\n`)
  const lines = createInterface({ input: process.stdin })
  const canceled = once(process, 'SIGINT').then(() => 'canceled' as const)
  const outcome = await Promise.race([once(lines, 'line'), window.closed, canceled])
  lines.close()
  process.stdin.unref?.()
  if (outcome === 'canceled') {
    await window.cancel()
    stderr.write('pagehand: canceled; no login was stored.\n')
    return 1
  }
  const stored = await window.save()
  const text = [describe(stored), `Use it with: pagehand open ${options.url} --profile ${options.profile}`].join('\n')
  await print(json ? JSON.stringify({ ok: true, ...stored }) : text)
  return 0
}

function describe({ file, cookies, origins, cookiesOnly, isEncrypted }: LoginReport): string {
  const data = cookiesOnly ? '' : ` and the stored data of ${origins} ${origins === 1 ? 'origin' : 'origins'}`
  return `ok: stored ${cookies} ${cookies === 1 ? 'cookie' : 'cookies'}${data} in ${file}${isEncrypted ? ', encrypted' : ''}`
}

const print = (text: string): Promise<void> => new Promise(done => stdout.write(`${text}\n`, done))

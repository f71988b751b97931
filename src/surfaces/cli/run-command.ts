import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isProfileName, ruleWords } from '../flags/session-flags.ts'
import { fieldsOf, type Given, general, readArguments } from './arguments.ts'
import { commandSpecs } from './commands.generated.ts'
import type { Client } from './daemon/client.ts'
import type { Options, Response } from './daemon/messages.ts'
import { reasonOf } from './reason.ts'

export type Asked =
  | {
      readonly ok: true
      readonly verb: string
      readonly args: Given
      readonly options: Options
      readonly json: boolean
      readonly out?: string
    }
  | { readonly ok: false; readonly why: string }

/** A command on a page, from its words. */
export function asked(command: string, words: readonly string[]): Asked {
  const row = commandSpecs[command]
  if (!row) return { ok: false, why: `unknown command ${command}` }
  const read = readArguments(words, { required: row.required, fields: fieldsOf(row) })
  if (!read.ok) return read
  const own = new Set(Object.keys(row.fields))
  const { out, json, ...given } = read.given
  const entries = Object.entries(given)
  const args = Object.fromEntries(entries.filter(([field]) => own.has(field)))
  const options = Object.fromEntries(entries.filter(([field]) => !own.has(field) && field in general)) as Partial<Options>
  const why = wrongValue(options)
  if (why) return { ok: false, why }
  return {
    ok: true,
    verb: row.verb,
    args: forHost(row.verb, args),
    options: { session: 'default', ...options, folder: process.cwd(), ...(out !== undefined && { picture: true }) },
    json: json === true,
    ...(typeof out === 'string' && { out }),
  }
}

function wrongValue({ format, window, profile }: Partial<Options>): string {
  if (format !== undefined && !general.format?.enum?.includes(format))
    return `--format is one of ${general.format?.enum?.join(', ')}, not ${format}`
  if (window !== undefined && !/^\d{2,5}x\d{2,5}$/.test(window)) return `--window is a size such as 1280x720, not ${window}`
  if (profile !== undefined && !isProfileName(profile)) return `--profile is a name of letters, digits, dots and dashes, not ${profile}`
  return ''
}

/** What is wrong with the rules that a command brings; ''. Who brings none does not wait for what knows them all. */
export async function wrongRules(options: Options): Promise<string> {
  if (ruleWords(options) === '') return ''
  const { rulesFrom } = await import('../tools/policy.ts')
  const rules = rulesFrom(options)
  return rules.ok ? '' : rules.error.message
}

/** paths mean what they mean where the user stands, and an address may be written as people say it */
function forHost(verb: string, args: Given): Given {
  if (verb === 'upload' && Array.isArray(args.files)) return { ...args, files: args.files.map(file => resolve(file)) }
  if ((verb === 'open' || verb === 'tabs') && typeof args.url === 'string' && /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#].*)?$/.test(args.url))
    return { ...args, url: `https://${args.url}` }
  return args
}

/** Asks the host and says what it answered. */
export async function carryOut(client: Client, { verb, args, options, json, out }: Extract<Asked, { ok: true }>): Promise<number> {
  const response = await client.ask({ do: 'verb', verb, args, options })
  return say(out === undefined ? response : saved(response, out), json)
}

/** the answer, once its picture lies where the user wants it */
function saved(response: Response, out: string): Response {
  const { picture, text } = response
  if (!picture?.base64) return response
  try {
    writeFileSync(out, Buffer.from(picture.base64, 'base64'))
  } catch (error) {
    const [code, message, hint] = [
      'invalid_input',
      `--out ${out} cannot be written: ${reasonOf(error)}.`,
      'Name a file in a folder of yours.',
    ]
    return { id: response.id, ok: false, text: `${code}: ${message} ${hint}`, error: { code, message, hint } }
  }
  return { ...response, text: text.replace(/$/m, () => `, saved ${out}`), picture: { ...picture, path: resolve(out) } }
}

/** resolves when the pipe has taken it, so that a slow reader gets all of it */
export function say({ id: _, isLast: _isLast, isWrongUse, picture, ...response }: Response, json: boolean): Promise<number> {
  const code = response.ok ? 0 : isWrongUse ? 2 : 1
  const { base64: _bytes, ...kept } = picture ?? {}
  const text = json ? JSON.stringify({ ...response, ...(picture && { picture: kept }) }) : response.text
  const to = json || response.ok ? process.stdout : process.stderr
  return new Promise(done => to.write(`${text}\n`, () => done(code)))
}

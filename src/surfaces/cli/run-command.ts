import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { commandName } from '../flags/command-name.ts'
import type { OptionValues } from '../flags/parse-options.ts'
import { formatFlags, invalidBrowserFlag, pickBrowserFlags, ruleFlags } from '../flags/session-flags.ts'
import { didYouMean } from '../flags/suggest.ts'
import { stderr, stdout } from '../terminal.ts'
import { generalOptions, optionsOf, parseArguments } from './arguments.ts'
import { commandSpecs } from './commands.generated.ts'
import type { DaemonClient } from './daemon/client.ts'
import type { CommandOptions, Response } from './daemon/messages.ts'
import { withProgressLine } from './progress-line.ts'
import { reasonOf } from './reason.ts'
import { suggestCommand } from './suggest-command.ts'
import { toUrl } from './url.ts'

interface SharedOptions {
  readonly options: CommandOptions
  readonly json: boolean
}
/** A verb with its arguments, and how the answer is printed. */
export interface CommandLine extends SharedOptions {
  readonly verb: string
  readonly args: OptionValues
  /** the file that a screenshot is written to */
  readonly out?: string
}
type ParseResult<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly why: string }

/** Whether a command runs a verb on a page. */
export const isPageCommand = (command: string): boolean => Object.hasOwn(commandSpecs, command)

function whyUnknown(command: string, words: readonly string[]): string {
  const name = command.startsWith('-') ? words.find(isPageCommand) : undefined
  return name ? `${command} must follow the command: pagehand ${name} ${command}` : `unknown command ${command}${suggestCommand(command)}`
}

/** Parses the words of a command that runs a verb on a page. */
export function parseCommandLine(command: string, words: readonly string[]): ParseResult<CommandLine> {
  const spec = isPageCommand(command) ? commandSpecs[command] : undefined
  if (!spec) return { ok: false, why: whyUnknown(command, words) }
  const parsed = parseArguments(words, { ...spec, fields: optionsOf(spec) })
  if (!parsed.ok) return parsed
  const { out, ...values } = parsed.values
  const isArgument = (field: string) => Object.hasOwn(spec.fields, field)
  const shared = sharedOptions(pick(values, field => !isArgument(field)))
  if (!shared.ok) return shared
  const args = resolveArguments(spec.verb, pick(values, isArgument))
  if (!args.ok) return args
  return {
    ...shared,
    options: { ...shared.options, ...(typeof out === 'string' && { screenshotFile: out }) },
    verb: spec.verb,
    args: args.args,
    ...(typeof out === 'string' && { out }),
  }
}

/** Parses the options that every command has. */
export function parseSharedOptions(words: readonly string[]): ParseResult<SharedOptions> {
  const parsed = parseArguments(words, { required: [], fields: {} })
  return parsed.ok ? sharedOptions(parsed.values) : parsed
}

function sharedOptions({ json, ...values }: OptionValues): ParseResult<SharedOptions> {
  const options: CommandOptions = { session: 'default', ...values, ...pickBrowserFlags(values), folder: process.cwd() }
  const formats = generalOptions.format?.enum ?? []
  if (options.format !== undefined && !formats.includes(options.format))
    return { ok: false, why: `--format is one of ${formats.join(', ')}, not ${options.format}` }
  const why = invalidBrowserFlag(options)
  return why ? { ok: false, why } : { ok: true, options, json: json === true }
}

const pick = (values: OptionValues, isPicked: (field: string) => boolean): OptionValues =>
  Object.fromEntries(Object.entries(values).filter(([field]) => isPicked(field)))

/** What is wrong with the rules among the options, as a sentence; '' if nothing is. */
export async function invalidRules(options: CommandOptions): Promise<string> {
  // most commands have no rules, and need not load the module that knows all tools
  if (formatFlags(ruleFlags, options) === '') return ''
  const { rulesFrom } = await import('../tools/session-rules.ts')
  const rules = rulesFrom(options)
  return rules.ok ? '' : rules.error.message
}

/** Parses a command of `batch` that is written as JSON. */
export function parseJsonCommand(given: unknown, words: readonly string[]): ParseResult<CommandLine> {
  const { name, ...fields } = (typeof given === 'object' && given !== null ? given : {}) as { readonly [key: string]: unknown }
  if (typeof name !== 'string') return { ok: false, why: 'the key "name" is missing: it must be the name of a command' }
  const spec = isPageCommand(name) ? commandSpecs[name] : Object.values(commandSpecs).find(({ verb }) => verb === name)
  if (!spec) return { ok: false, why: `unknown command ${name}${suggestCommand(name)}` }
  const known = Object.keys(spec.fields)
  const unknown = Object.keys(fields).find(key => !known.includes(key))
  if (unknown !== undefined)
    return {
      ok: false,
      why: `unknown key ${JSON.stringify(unknown)}: ${name} takes ${known.join(', ') || 'no keys'}${didYouMean(unknown, known)}`,
    }
  const shared = parseSharedOptions(words)
  if (!shared.ok) return shared
  const args = resolveArguments(spec.verb, fields as OptionValues)
  return args.ok ? { ...shared, verb: spec.verb, args: args.args } : args
}

/** Paths are relative to the client's working directory, which the daemon does not share; a URL may lack its scheme. */
function resolveArguments(verb: string, args: OptionValues): ParseResult<{ readonly args: OptionValues }> {
  if (verb === 'upload' && Array.isArray(args.files)) return { ok: true, args: { ...args, files: args.files.map(file => resolve(file)) } }
  const notField =
    verb === 'fillForm' && Array.isArray(args.fields) && args.fields.find(each => typeof each === 'string' && !/^\S+?=/.test(each))
  if (notField) return { ok: false, why: `FIELDS are written REF=VALUE, such as e3=tea, not ${notField}` }
  if (verb !== 'open' && verb !== 'tabs') return { ok: true, args }
  // tabs new URL
  const { tab, ...rest } = args
  const given: OptionValues = args.operation === 'new' && tab !== undefined && typeof args.url !== 'string' ? { ...rest, url: tab } : args
  if (typeof given.url !== 'string') return { ok: true, args: given }
  const parsed = toUrl(given.url)
  return parsed.ok ? { ok: true, args: { ...given, url: parsed.url } } : parsed
}

/** Sends a command to the daemon, prints the answer and returns the exit code. */
export async function runCommand(client: DaemonClient, { verb, args, options, json, out }: CommandLine): Promise<number> {
  const request = client.request({ do: 'verb', verb, args, options: { ...options, ...(json && { json }) } })
  const response = await withProgressLine(commandName(verb), request)
  return printResponse(out === undefined ? response : saveScreenshot(response, out), json)
}

/** Writes the screenshot of a response to `file`, which the text of the response names already. */
function saveScreenshot(response: Response, file: string): Response {
  const { picture } = response
  if (!picture?.base64) return response
  try {
    writeFileSync(file, Buffer.from(picture.base64, 'base64'))
  } catch (error) {
    const [code, message, hint] = [
      'invalid_input',
      `--out ${file} cannot be written: ${reasonOf(error)}.`,
      'Name a file in a folder that you can write to.',
    ]
    return { id: response.id, ok: false, text: `${code}: ${message} ${hint}`, error: { code, message, hint } }
  }
  return { ...response, picture: { ...picture, path: resolve(file) } }
}

/** Prints a response and returns the exit code, once all of it is written: a slow reader of the pipe gets everything. */
export function printResponse({ id: _, isLast: _isLast, isUsageError, picture, ...response }: Response, json: boolean): Promise<number> {
  const code = response.ok ? 0 : isUsageError ? 2 : 1
  const { base64: _bytes, ...file } = picture ?? {}
  const text = json ? JSON.stringify({ ...response, ...(picture && { picture: file }) }) : response.text
  const to = json || response.ok ? stdout : stderr
  return new Promise(done => to.write(`${text}\n`, () => done(code)))
}

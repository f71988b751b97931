import type { OptionSpecs } from '../flags/option-spec.ts'
import { placeholder } from '../flags/option-spec.ts'
import { addValue, type OptionValues, parseOptions } from '../flags/parse-options.ts'
import { sessionFlags } from '../flags/session-flags.ts'
import type { CommandSpec } from './command-spec.ts'

export type ParsedArguments = { readonly ok: true; readonly values: OptionValues } | { readonly ok: false; readonly why: string }

/** Options of every command that runs a verb, besides the session flags. */
export const generalOptions: OptionSpecs = {
  session: { type: 'string', value: 'NAME', description: 'session to use', default: 'default' },
  json: { type: 'boolean', description: 'print the whole result as JSON' },
  format: { type: 'string', description: 'format of snapshots', enum: ['tree', 'lines', 'flat', 'json'], default: 'tree' },
}

const allOptions: OptionSpecs = { ...generalOptions, ...sessionFlags }

/** Options that the command line handles itself: the verb does not have them. */
const clientOptions: { readonly [verb: string]: OptionSpecs } = {
  screenshot: { out: { type: 'string', value: 'FILE', description: 'write the screenshot to this file instead of the temporary folder' } },
}
/** Every option and argument of a command, without the general ones. */
export const optionsOf = ({ verb, fields }: CommandSpec): OptionSpecs => ({ ...fields, ...clientOptions[verb] })

export interface ArgumentSpecs extends Pick<CommandSpec, 'required' | 'positional' | 'fields'> {
  /** @default generalOptions and sessionFlags */
  readonly general?: OptionSpecs
}

/** Parses the words after a command: required fields are positional arguments or flags, all other fields are flags. */
export function parseArguments(words: readonly string[], specs: ArgumentSpecs): ParsedArguments {
  const { required, positional = [], fields, general = allOptions } = specs
  const parsed = parseOptions(words, { ...general, ...fields })
  if (!parsed.ok) return parsed
  const values = { ...parsed.options }
  const open = [...required, ...positional].filter(field => values[field] === undefined)
  for (const [index, word] of parsed.positionals.entries()) {
    const field = open[Math.min(index, open.length - 1)]
    const spec = field === undefined ? undefined : fields[field]
    // only the last argument can be a list; any other takes one word
    if (!field || !spec || (index >= open.length && spec.type !== 'array')) return { ok: false, why: `unexpected argument ${word}` }
    addValue(values, { field, word, spec })
    if (spec.type === 'boolean' && typeof values[field] !== 'boolean')
      return { ok: false, why: `${placeholder(field)} is ${spec.value ?? 'true or false'}, not ${word}` }
  }
  const missing = required.find(field => values[field] === undefined)
  return missing ? { ok: false, why: `${placeholder(missing)} is missing` } : { ok: true, values }
}

/** Splits a line of `batch` into words; quotes and backslashes work as in a shell. */
export function splitWords(line: string): string[] {
  const words: string[] = []
  for (const [, double, single, bare] of line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'\\]|\\.)+)/g))
    words.push(single ?? (double ?? bare ?? '').replace(/\\(.)/g, '$1'))
  return words
}

import { parseArgs } from 'node:util'
import { kebab, type OptionSpec, type OptionSpecs } from './option-spec.ts'
import { didYouMean } from './suggest.ts'

export type OptionValue = string | number | boolean | string[]
export type OptionValues = { [field: string]: OptionValue }
export type ParsedOptions =
  | { readonly ok: true; readonly options: OptionValues; readonly positionals: readonly string[] }
  | { readonly ok: false; readonly why: string }

/**
 * Reads `--max-chars 500`, `--max-chars=500`, `--json`, `--json=false` and `--no-headed`; everything after `--` is positional.
 * Whether a value is valid is not checked here: `--max-chars many` is the string 'many'.
 */
export function parseOptions(words: readonly string[], specs: OptionSpecs): ParsedOptions {
  // --maxChars is accepted too, because the fields of JSON commands are spelled that way
  const names = Object.entries(specs).flatMap(([field, { flag }]) =>
    [kebab(field), field, ...(flag ? [flag] : [])].map(name => [name, field] as const),
  )
  const fields = new Map(names)
  const config = [...fields].map(([name, field]) => [name, { type: specs[field]?.type === 'boolean' ? 'boolean' : 'string' }] as const)
  const { tokens } = parseArgs({
    args: words.map(hideDash),
    options: Object.fromEntries(config),
    strict: false,
    allowNegative: true,
    tokens: true,
  })
  const options: OptionValues = {}
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(restoreDash(token.value))
    if (token.kind !== 'option') continue
    const field = fields.get(token.name)
    const spec = field === undefined ? undefined : specs[field]
    const isNegated = token.rawName === `--no-${token.name}`
    // --no-private-hosts=true could mean "no private hosts" as well as "private hosts: true"
    if (token.value !== undefined && specs[fields.get(token.name.replace(/^no-/, '')) ?? '']?.type === 'boolean' && !field)
      return { ok: false, why: `${token.rawName} takes no value` }
    if (!field || !spec || (isNegated && spec.type !== 'boolean'))
      return { ok: false, why: `unknown option ${token.rawName}${didYouMean(token.rawName, Object.entries(specs).flatMap(spellings))}` }
    if (spec.type === 'boolean') {
      if (token.value !== undefined && token.value !== 'true' && token.value !== 'false')
        return { ok: false, why: `${token.rawName} is true or false, not ${token.value}` }
      const value = token.value === undefined ? !isNegated : token.value === 'true'
      if (spec.isRule && options[field] !== undefined && options[field] !== value)
        return { ok: false, why: `${token.rawName} contradicts an earlier flag: give one of them` }
      options[field] = value
      continue
    }
    if (token.value === undefined) return { ok: false, why: `${token.rawName} needs a value` }
    // the value was forgotten more likely than it is meant to be a flag
    if (!token.inlineValue && token.value.startsWith('--'))
      return { ok: false, why: `${token.rawName} needs a value; if it is ${token.value}, write ${token.rawName}=${token.value}` }
    addValue(options, { field, word: restoreDash(token.value), spec })
  }
  return { ok: true, options, positionals }
}

/** Stores a word as the value of an option; an array collects its words. */
export function addValue(options: OptionValues, { field, word, spec: { type } }: { field: string; word: string; spec: OptionSpec }): void {
  const current = options[field]
  if (type === 'array') options[field] = [...(Array.isArray(current) ? current : []), word]
  else if (type === 'integer' && /^-?\d+$/.test(word)) options[field] = Number(word)
  else if (type === 'boolean' && yesOrNo.has(word)) options[field] = yesOrNo.get(word) === true
  else options[field] = word
}

const spellings = ([field, { type, flag = kebab(field) }]: [string, OptionSpec]): string[] =>
  type === 'boolean' ? [`--${flag}`, `--no-${flag}`] : [`--${flag}`]

const yesOrNo: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['accept', true],
  ['ok', true],
  ['false', false],
  ['no', false],
  ['dismiss', false],
  ['cancel', false],
])

// no option has a short name, so -5 is a value; parseArgs would take it for a group of short options
const mark = '\u0000'
const hideDash = (word: string): string => (/^-[^-]/.test(word) ? mark + word : word)
const restoreDash = (word: string): string => (word.startsWith(mark) ? word.slice(mark.length) : word)

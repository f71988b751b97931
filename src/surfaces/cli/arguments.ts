import { profileSays, ruleFlags } from '../flags/session-flags.ts'
import type { CommandSpec, OptionSpec } from './command-spec.ts'

type Value = string | number | boolean | string[]
export type Given = { [field: string]: Value }
export type Read = { readonly ok: true; readonly given: Given } | { readonly ok: false; readonly why: string }

/** how a session is opened; it keeps to them until it is stopped */
export const sessionFlags: { readonly [field: string]: OptionSpec } = {
  headed: { type: 'boolean', description: 'show the window' },
  window: { type: 'string', description: 'its size, such as 1280x720' },
  profile: { type: 'string', description: profileSays, default: 'openclaw' },
  attach: { type: 'string', description: 'endpoint of a running browser, such as http://127.0.0.1:9222' },
  allowEval: { type: 'boolean', description: 'let eval run JavaScript in the page' },
  ...ruleFlags,
}

/** options of every command, beside its own */
export const general: { readonly [field: string]: OptionSpec } = {
  session: { type: 'string', description: 'which session', default: 'default' },
  json: { type: 'boolean', description: 'the whole answer as JSON' },
  format: { type: 'string', description: 'of a snapshot', enum: ['tree', 'lines', 'flat', 'json'], default: 'tree' },
  ...sessionFlags,
}

/** what the command line does itself with the answer of a verb */
const ownOptions: { readonly [verb: string]: CommandSpec['fields'] } = {
  screenshot: { out: { type: 'string', description: 'the file to write the picture to, instead of one in the temporary folder' } },
}
/** all that can be written for a command, beside the general options */
export const fieldsOf = ({ verb, fields }: CommandSpec): CommandSpec['fields'] => ({ ...fields, ...ownOptions[verb] })

/** Words of the command line as fields: required ones by place, the others by flag. What a value may be is the host's to say. */
export function readArguments(
  words: readonly string[],
  { required: needs, fields, others = general }: Pick<CommandSpec, 'required' | 'fields'> & { others?: CommandSpec['fields'] },
): Read {
  const known = { ...others, ...fields }
  const given: Given = {}
  const places: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string
    if (word === '--') {
      places.push(...words.slice(index + 1))
      break
    }
    if (!word.startsWith('--')) {
      places.push(word)
      continue
    }
    const [flag = '', inline] = splitOnce(word.slice(2))
    const off = flag.startsWith('no-') && !(camel(flag) in known)
    const field = camel(off ? flag.slice(3) : flag)
    const taken = Object.hasOwn(known, field) ? known[field] : undefined
    if (!taken) return { ok: false, why: `unknown option --${flag}` }
    if (taken.type === 'boolean') given[field] = inline === undefined ? !off : inline !== 'false'
    else {
      const value = inline ?? words[++index]
      if (value === undefined) return { ok: false, why: `--${flag} needs a value` }
      put(given, field, value, taken)
    }
  }
  return placed(places, { required: needs, fields, given })
}

function placed(
  places: readonly string[],
  { required: needs, fields, given }: Pick<CommandSpec, 'required' | 'fields'> & { given: Given },
): Read {
  const open = needs.filter(field => given[field] === undefined)
  for (const [index, word] of places.entries()) {
    const field = open[Math.min(index, open.length - 1)]
    const taken = field === undefined ? undefined : fields[field]
    // the last one may be a list; anything else takes one word
    if (!field || !taken || (index >= open.length && taken.type !== 'array')) return { ok: false, why: `too many words: ${word}` }
    put(given, field, word, taken)
  }
  const missing = open.find(field => given[field] === undefined)
  return missing ? { ok: false, why: `${missing} is missing` } : { ok: true, given }
}

function put(given: Given, field: string, word: string, { type }: OptionSpec): void {
  if (type === 'array') given[field] = [...((given[field] as string[] | undefined) ?? []), word]
  else if (type === 'integer' && /^-?\d+$/.test(word)) given[field] = Number(word)
  else if (type === 'boolean' && /^(true|yes|accept|false|no|dismiss)$/.test(word)) given[field] = /^(true|yes|accept)$/.test(word)
  else given[field] = word
}

const camel = (flag: string): string => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

function splitOnce(word: string): [string, string | undefined] {
  const at = word.indexOf('=')
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

/** A line of `batch`: words, with quotes around those that hold spaces. */
export function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [, double, single, bare] of line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'\\]|\\.)+)/g))
    words.push(single ?? (double ?? bare ?? '').replace(/\\(.)/g, '$1'))
  return words
}

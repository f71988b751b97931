import { kebab, type OptionSpec } from '../cli/command-spec.ts'

/** The rules of a session as its user writes them on a command line. */
export interface RuleFlags {
  readonly readOnly?: boolean
  readonly deny?: readonly string[]
  readonly allowHost?: readonly string[]
  readonly denyHost?: readonly string[]
  readonly privateHosts?: boolean
}

export const ruleFlags: { readonly [field in keyof Required<RuleFlags>]: OptionSpec } = {
  readOnly: { type: 'boolean', description: 'look, move about and open pages only: no acting, no code, no uploads' },
  deny: { type: 'array', description: 'refuse a verb, a tool or a class (look, move, act, leave, power); may be repeated' },
  allowHost: { type: 'array', description: 'show pages of this host only, such as *.example.com; may be repeated' },
  denyHost: { type: 'array', description: 'show no page of this host; may be repeated' },
  privateHosts: { type: 'boolean', description: 'show no page of this machine or its own network', default: true },
}

export const profileSays =
  'whose cookies and logins: openclaw (empty, removed afterwards), chrome (your browser that runs with a debugging port), or a name of your own (kept)'
/** the name of a profile becomes the name of a folder */
export const isProfileName = (name: string): boolean => /^\w[\w.-]{0,63}$/.test(name)

/** `--no-private-hosts`: what is on by itself is switched off */
export const flagOf = (field: string, { type, default: otherwise }: OptionSpec): string =>
  `${type === 'boolean' && otherwise === true ? 'no-' : ''}${kebab(field)}`

/** The rules as they are written, '' for none. */
export const ruleWords = (given: RuleFlags): string => flagWords(ruleFlags, given)

/** Flags as they are written, '' for none: the same words mean the same. What is as it would be without a flag has no words. */
export function flagWords(
  flags: { readonly [field: string]: OptionSpec },
  given: { readonly [field: string]: unknown } | RuleFlags,
): string {
  const words = Object.entries(flags).flatMap(([field, taken]) => {
    const [flag, value] = [`--${flagOf(field, taken)}`, (given as { readonly [field: string]: unknown })[field]]
    if (value === undefined || value === (taken.default ?? false)) return []
    if (Array.isArray(value)) return value.map(each => `${flag} ${each}`)
    return [taken.type === 'boolean' ? flag : `${flag} ${value}`]
  })
  return words.join(' ')
}

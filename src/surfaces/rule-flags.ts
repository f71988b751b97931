import { kebab, type Taken } from './cli/row.ts'

/** The rules of a session as its user writes them on a command line. */
export interface RuleFlags {
  readonly readOnly?: boolean
  readonly deny?: readonly string[]
  readonly allowHost?: readonly string[]
  readonly denyHost?: readonly string[]
  readonly privateHosts?: boolean
}

export const ruleFlags: { readonly [field in keyof Required<RuleFlags>]: Taken } = {
  readOnly: { type: 'boolean', says: 'look, move about and open pages only: no acting, no code, no uploads' },
  deny: { type: 'array', says: 'refuse a verb, a tool or a class (look, move, act, leave, power); may be repeated' },
  allowHost: { type: 'array', says: 'show pages of this host only, such as *.example.com; may be repeated' },
  denyHost: { type: 'array', says: 'show no page of this host; may be repeated' },
  privateHosts: { type: 'boolean', says: 'show no page of this machine or its own network', otherwise: true },
}

/** `--no-private-hosts`: what is on by itself is switched off */
export const flagOf = (field: string, { type, otherwise }: Taken): string =>
  `${type === 'boolean' && otherwise === true ? 'no-' : ''}${kebab(field)}`

/** The rules as they are written, '' for none: the same words are the same rules. */
export function ruleWords(given: RuleFlags): string {
  const words = (Object.entries(ruleFlags) as [keyof RuleFlags, Taken][]).flatMap(([field, taken]) => {
    const [flag, value] = [`--${flagOf(field, taken)}`, given[field]]
    if (Array.isArray(value)) return value.map(each => `${flag} ${each}`)
    return value === undefined || value === (taken.otherwise ?? false) ? [] : [flag]
  })
  return words.join(' ')
}

/** An option of a command line. The name of its field in camelCase is its flag in kebab-case, which is always accepted. */
export interface OptionSpec {
  /** the name of the flag, if it differs from that of the field */
  readonly flag?: string
  readonly type: 'string' | 'integer' | 'boolean' | 'array'
  readonly description?: string
  /** how `--help` names the value: `WxH` */
  readonly value?: string
  /** the value is a path, relative to the working directory */
  readonly isPath?: true
  /** it is a rule: giving it again with another value is an error instead of the last word */
  readonly isRule?: true
  readonly enum?: readonly string[]
  readonly default?: string | number | boolean
}
export type OptionSpecs = { readonly [field: string]: OptionSpec }

/** `maxChars` is the flag `max-chars` */
export const kebab = (field: string): string => field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** `limitChars` is the positional argument `LIMIT-CHARS` */
export const placeholder = (field: string): string => kebab(field).toUpperCase()

/** The flag as `--help` shows it: an option that is on by default is listed as `--no-private-hosts`. */
export const flagOf = (field: string, { type, flag = kebab(field), default: initial }: OptionSpec): string =>
  `--${type === 'boolean' && initial === true ? 'no-' : ''}${flag}`

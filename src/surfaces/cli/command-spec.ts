/** A field as the command line takes it. */
export interface OptionSpec {
  readonly type: 'string' | 'integer' | 'boolean' | 'array'
  readonly description?: string
  readonly enum?: readonly string[]
  readonly default?: string | number | boolean
}
export interface CommandSpec {
  /** the verb behind the command */
  readonly verb: string
  readonly description: string
  /** required fields, in the order in which they are written */
  readonly required: readonly string[]
  readonly fields: { readonly [field: string]: OptionSpec }
}
export type CommandSpecs = { readonly [command: string]: CommandSpec }

/** a required field is written in its place: REF */
export const placeholder = (field: string): string => kebab(field).toUpperCase()
/** `maxChars` is --max-chars */
export const kebab = (field: string): string => field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

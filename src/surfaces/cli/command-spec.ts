import type { OptionSpecs } from '../flags/option-spec.ts'

/** A command of the command line that runs a verb on a page. */
export interface CommandSpec {
  readonly verb: string
  readonly description: string
  /** fields that must be given; written as positional arguments, in this order */
  readonly required: readonly string[]
  /** fields that may be written as positional arguments after the required ones, in this order */
  readonly positional?: readonly string[]
  readonly fields: OptionSpecs
}
export type CommandSpecs = { readonly [command: string]: CommandSpec }

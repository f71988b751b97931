import type { OptionSpecs } from '../flags/option-spec.ts'

/** A command of the command line that runs a verb on a page. */
export interface CommandSpec {
  readonly verb: string
  readonly description: string
  /** fields that must be given; written as positional arguments, in this order */
  readonly required: readonly string[]
  readonly fields: OptionSpecs
}
export type CommandSpecs = { readonly [command: string]: CommandSpec }

import { parseCommand } from '../../../contract/parse-command.ts'
import { kebab, placeholder } from '../../flags/option-spec.ts'
import type { CommandSpec } from '../command-spec.ts'
import { commandSpecs } from '../commands.generated.ts'

/** The command that a client sends. An error names a field as it is written on the command line: REF, --max-chars. */
export function callOf(verb: string, args: object): ReturnType<typeof parseCommand> {
  const { required = [], positional = [] } = Object.values<Partial<CommandSpec>>(commandSpecs).find(spec => spec.verb === verb) ?? {}
  const spell = (field: string): string => ([...required, ...positional].includes(field) ? placeholder(field) : `--${kebab(field)}`)
  return parseCommand({ ...args, name: verb }, { label: verb, spell })
}

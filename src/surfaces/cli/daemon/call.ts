import { isVerbName, type ParsedCommand, verbs } from '../../../contract/commands.ts'
import { failure } from '../../../contract/failures.ts'
import { complete, parseCommand, readFields } from '../../../contract/parse-command.ts'
import { kebab, placeholder } from '../../flags/option-spec.ts'
import { commandSpecs } from '../commands.generated.ts'

/** The command that a client asks for. What is wrong with it is named as it is written on the command line: REF, --max-chars. */
export function callOf(verb: string, args: unknown): ReturnType<typeof parseCommand> {
  if (!isVerbName(verb)) return parseCommand(verb, args)
  const needs = Object.values(commandSpecs).find(row => row.verb === verb)?.required ?? []
  const spell = (field: string): string => (needs.includes(field) ? placeholder(field) : `--${kebab(field)}`)
  const read = readFields(verbs[verb].input, args, verb)
  if (read.ok) return complete(verb, read.value as Omit<ParsedCommand, 'name'>, spell)
  const { code, message } = read.error
  return { ok: false, error: failure(code, message.replace(/^\w+(?= must be | is missing)/, spell)) }
}

import { parseCommand } from './parse-command.ts'
import type { AnyCommand } from './run.ts'

const forms = new WeakMap<object, AnyCommand>()

/** A command that is one part of `fillForm`. It is parsed here, so that all layers see the same object. */
export function asPartOfForm(command: AnyCommand, form: AnyCommand): AnyCommand {
  const parsed = parseCommand(command)
  const part = parsed.ok ? parsed.value : command
  forms.set(part, form)
  return part
}

/** The `fillForm` that a command is a part of. */
export const formOf = (command: AnyCommand): AnyCommand | undefined => forms.get(command)

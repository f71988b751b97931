// Commands that a person is asked about together: the parts of a form, and the actions of one call.
import { parseCommand } from './parse-command.ts'
import type { AnyCommand } from './run.ts'

/** The actions of one call, in order. It is not a verb: only its members are carried out. */
export interface JointCommand extends AnyCommand {
  readonly name: typeof jointName
  readonly commands: readonly AnyCommand[]
}

const jointName = 'actions'
export const joint = (commands: readonly AnyCommand[]): JointCommand => ({ name: jointName, commands })
export const isJoint = (command: AnyCommand): command is JointCommand => command.name === jointName && Array.isArray(command.commands)

/** `fillForm, click`: what is done, for people. */
export const verbsOf = (command: AnyCommand): string =>
  isJoint(command) ? command.commands.map(({ name }) => name).join(', ') : command.name

const wholes = new WeakMap<object, AnyCommand>()

/** A command that is one part of `fillForm`. It is parsed here, so that all layers see the same object. */
export function asPartOfForm(command: AnyCommand, form: AnyCommand): AnyCommand {
  const parsed = parseCommand(command)
  const part = parsed.ok ? parsed.value : command
  wholes.set(part, form)
  return part
}

/** Marks the commands of one call, so that a layer that gets one of them knows the others. */
export function joinCommands(commands: readonly AnyCommand[]): void {
  const whole = joint(commands)
  for (const command of commands) wholes.set(command, whole)
}

/** What a command is a part of: a form, a call, or a form in a call. */
export function wholesOf(command: AnyCommand): { readonly form?: AnyCommand; readonly call?: JointCommand } {
  const around = wholes.get(command)
  if (!around) return {}
  if (isJoint(around)) return { call: around }
  const call = wholes.get(around)
  return { form: around, ...(call && isJoint(call) && { call }) }
}

// Commands that a person is asked about together: the parts of a form, and the actions of one call.
import { parseCommand } from './parse-command.ts'
import type { AnyCommand } from './run.ts'

/** The actions of one call, in order. It is not a verb: only its members are carried out. */
export interface JointCommand extends AnyCommand {
  readonly name: typeof jointName
  readonly commands: readonly AnyCommand[]
  /** for each command, the refs of the fields that the call sets before it */
  readonly sets?: readonly (readonly string[])[]
}

const jointName = 'actions'
export const joint = (commands: readonly AnyCommand[], sets?: JointCommand['sets']): JointCommand => ({
  name: jointName,
  commands,
  ...(sets && { sets }),
})
export const isJoint = (command: AnyCommand): command is JointCommand => command.name === jointName && Array.isArray(command.commands)

/** `fillForm, click`: what is done, for people. */
export const verbsOf = (command: AnyCommand): string =>
  isJoint(command) ? command.commands.map(({ name }) => name).join(', ') : command.name

/** The refs of the fields that a command sets to values that it names. */
export function fieldsSetBy({ name, ref, fields }: AnyCommand): readonly string[] {
  if (name === 'fillForm') return (fields as readonly { readonly ref: string }[]).map(field => field.ref)
  return settingVerbs.has(name) && typeof ref === 'string' ? [ref] : []
}
const settingVerbs: ReadonlySet<string> = new Set(['fill', 'type', 'select', 'check', 'uncheck', 'upload'])

interface Whole {
  readonly command: AnyCommand
  /** the same for all parts of one execution: a command that is carried out again is not the one that was approved */
  readonly execution: object
}
const wholes = new WeakMap<object, Whole>()

/**
 * A command that is one part of `fillForm`. It is parsed here, so that all layers see the same object.
 *
 * @param execution the same object for all parts of one execution of the form
 */
export function asPartOfForm(command: AnyCommand, form: AnyCommand, execution: object): AnyCommand {
  const parsed = parseCommand(command)
  const part = parsed.ok ? parsed.value : command
  wholes.set(part, { command: form, execution })
  return part
}

/** Marks the commands of one call, so that a layer that gets one of them knows the others. */
export function joinCommands(commands: readonly AnyCommand[]): void {
  const whole = joint(commands)
  for (const command of commands) wholes.set(command, { command: whole, execution: whole })
}

/** What a command is a part of: a form, a call, or a form in a call. */
export function wholesOf(command: AnyCommand): { readonly form?: AnyCommand; readonly execution?: object; readonly call?: JointCommand } {
  const around = wholes.get(command)
  if (!around) return {}
  if (isJoint(around.command)) return { call: around.command }
  const call = wholes.get(around.command)?.command
  return { form: around.command, execution: around.execution, ...(call && isJoint(call) && { call }) }
}

import { parseCommand } from '../contract/parse-command.ts'
import type { ActionData } from '../contract/results.ts'
import type { AnyCommand, Result } from '../contract/run.ts'

const fieldsBeforeOthers = new WeakSet<object>()

/** A command of `fillForm` that is followed by another one. It is parsed here, so that all layers see the same object. */
export function asFieldBeforeOthers(command: AnyCommand): AnyCommand {
  const parsed = parseCommand(command)
  const marked = parsed.ok ? parsed.value : command
  fieldsBeforeOthers.add(marked)
  return marked
}

export const isFieldBeforeOthers = (command: AnyCommand): boolean => fieldsBeforeOthers.has(command)

/** the field is of another kind, and nothing was done */
const otherKind: ReadonlySet<string> = new Set(['not_editable', 'not_a_select'])

/**
 * Whether a command only set one of several fields, so that the page is described once for all of them: evidence and recordings of a form
 * with 60 fields would otherwise take a screenshot and two snapshots for each.
 */
export function isPartOfForm(command: AnyCommand, result: Result): boolean {
  if (!isFieldBeforeOthers(command)) return false
  if (!result.ok) return otherKind.has(result.error.code)
  const { effect } = (result.data ?? {}) as Partial<ActionData>
  return effect?.url === undefined && effect?.dialog === undefined
}

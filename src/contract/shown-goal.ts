import type { LogEntry } from './journal.ts'
import { redacted } from './page-api.ts'

/** The type of the event with the goal as it is shown, once the run has typed a part of it into a field that hides it. */
export const goalRedacted = 'goal.redacted'

/**
 * The goal of a run as it may be shown and exported. The first event has the goal as it was given, which the run needs when it is resumed.
 *
 * @example
 * const title = shownGoal(events) ?? shownLabel(events)
 */
export function shownGoal(events: readonly LogEntry[]): string | undefined {
  const goal = redactedGoal(events) ?? events[0]?.goal
  return typeof goal === 'string' ? goal : undefined
}

/** The label of a run as it may be shown: the label of an agent's run is its goal. */
export function shownLabel(events: readonly LogEntry[]): string {
  const first = events[0]
  return String((first?.label === first?.goal ? shownGoal(events) : first?.label) ?? '')
}

const redactedGoal = (events: readonly LogEntry[]): unknown => events.filter(({ type }) => type === goalRedacted).at(-1)?.goal

/** What was redacted in the goal of a run, for a process that has only its log. */
export function wordsRedactedIn(events: readonly LogEntry[]): readonly string[] {
  const [goal, shown] = [events[0]?.goal, redactedGoal(events)]
  if (typeof goal !== 'string' || typeof shown !== 'string') return []
  const parts = shown.split(redacted).map(part => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(`^${parts.join('([\\s\\S]+?)')}$`).exec(goal)?.slice(1) ?? []
}

import type { RunInfo } from '../contract/journal.ts'
import { shownGoal, shownLabel } from '../contract/shown-goal.ts'
import type { LogEntry } from './log.ts'

/**
 * The end of a run, as the program that runs the agent knows it.
 *
 * @example
 * const outcome: RunOutcome = { text: 'The order is placed.', steps: 7, usage: { input: 5120, output: 210 } }
 */
export interface RunOutcome {
  /** how it ended: the stop reason of an agent, such as `closed` or `error` */
  readonly reason?: string
  /** the final answer of the agent */
  readonly text?: string
  /** number of turns of the model */
  readonly steps?: number
  /** tokens, as the model reports them: `{ input: 5120, output: 210 }` */
  readonly usage?: { readonly [kind: string]: number }
}

/**
 * meta.json: the summary of a run, derived from its events.
 *
 * @example
 * const { label, durationMs, toolUses }: RunSummary = (await writeReport(folder)).summary
 */
export interface RunSummary extends RunOutcome {
  readonly run: string
  readonly label: string
  readonly startedAt: string
  /** absent if the run was not ended */
  readonly endedAt?: string
  readonly durationMs: number
  readonly toolUses: { readonly [tool: string]: number }
  readonly toolFailures: number
  /** number of commands that could change something */
  readonly commands: number
  readonly assertions: { readonly held: number; readonly failed: number }
  /** number of events and hash of the last one, to detect later changes of the log */
  readonly log: { readonly events: number; readonly head: string }
}

/**
 * What a list of runs says about a run, from its events.
 *
 * @example
 * const { label, goal = label } = runFactsOf((await store.read(id)).events)
 */
export function runFactsOf(events: readonly LogEntry[]): Pick<RunInfo, 'label' | 'goal' | 'startedAt' | 'endedAt' | 'reason'> {
  const goal = shownGoal(events)
  const ended = events.find(({ type }) => type === 'run.ended')
  const last = events.at(-1)
  const reason = ended
    ? (ended.reason ?? events.find(({ type }) => type === 'agent.ended')?.reason)
    : last?.type === 'agent.parked'
      ? last.reason
      : undefined
  return {
    label: shownLabel(events),
    ...(goal !== undefined && { goal }),
    startedAt: events[0]?.at ?? '',
    ...(ended && { endedAt: ended.at }),
    ...(typeof reason === 'string' && { reason }),
  }
}

export function summaryOf(events: readonly LogEntry[], head: string): RunSummary {
  const first = events[0]
  const ended = events.filter(({ type }) => type === 'run.ended').at(-1)
  const calls = events.filter(({ type }) => type === 'tool.call')
  const uses = new Map<string, number>()
  for (const { tool } of calls) uses.set(String(tool), (uses.get(String(tool)) ?? 0) + 1)
  const assertions = events.filter(({ type }) => type === 'assertion')
  const held = assertions.filter(event => event.held === true).length
  const { text, steps, usage, reason } = (ended ?? {}) as RunOutcome
  return {
    run: first?.run ?? '',
    label: shownLabel(events),
    startedAt: first?.at ?? '',
    ...(ended && { endedAt: ended.at }),
    durationMs: Date.parse(events.at(-1)?.at ?? '') - Date.parse(first?.at ?? '') || 0,
    ...(typeof reason === 'string' && { reason }),
    ...(typeof text === 'string' && { text }),
    ...(steps !== undefined && { steps }),
    ...(usage && { usage }),
    toolUses: Object.fromEntries(uses),
    toolFailures: events.filter(({ type, ok }) => type === 'tool.result' && ok === false).length,
    commands: events.filter(({ type }) => type === 'command').length,
    assertions: { held, failed: assertions.length - held },
    log: { events: events.length, head },
  }
}

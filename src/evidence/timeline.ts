import type { LogEntry } from './log.ts'

/** A tool call with the commands it ran, or a command that no tool ran. */
export interface TimelineStep {
  readonly name: string
  readonly arguments: unknown
  readonly at: string
  /** absent if the outcome is unknown */
  readonly ok?: boolean
  readonly ms?: number
  /** the answer that the model read */
  readonly text?: string
  /** events of the commands that were run on the page */
  readonly commands: readonly LogEntry[]
  readonly frames: readonly string[]
  readonly snapshots: readonly string[]
  readonly notSaved: readonly string[]
}

/** Groups the events of a run by tool call or command. */
export function timelineOf(events: readonly LogEntry[]): readonly TimelineStep[] {
  const groups: LogEntry[][] = []
  const calls = new Map<unknown, LogEntry[]>()
  const steps = new Map<unknown, LogEntry[]>()
  for (const event of events) {
    if (!stepEvents.has(event.type)) continue
    const found = calls.get(event.call) ?? steps.get(event.step)
    const group = found ?? []
    if (!found) groups.push(group)
    group.push(event)
    if (event.call !== undefined) calls.set(event.call, group)
    if (event.step !== undefined) steps.set(event.step, group)
  }
  return groups.map(stepOf)
}

const stepEvents = new Set(['tool.call', 'command', 'result', 'evidence', 'picture', 'tool.result'])

function stepOf(group: readonly LogEntry[]): TimelineStep {
  const first = group[0] as LogEntry
  const isCall = first.type === 'tool.call'
  const last = group.filter(({ type }) => type === (isCall ? 'tool.result' : 'result')).at(-1)
  const files = group.flatMap(event => listOf(event.files))
  return {
    name: String(isCall ? first.tool : (first.verb ?? first.type)),
    arguments: last?.arguments ?? first.arguments,
    at: first.at,
    ...(last && { ok: last.ok === true, ms: Date.parse(last.at) - Date.parse(first.at) }),
    ...(first.type === 'picture' && { ok: true, ms: 0 }),
    ...(last?.text !== undefined && { text: String(last.text) }),
    commands: group.filter(({ type }) => type === 'command' || type === 'result'),
    frames: files.filter(file => file.startsWith('frames/')),
    snapshots: files.filter(file => file.startsWith('snapshots/')),
    notSaved: group.flatMap(event => listOf(event.notSaved)),
  }
}

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

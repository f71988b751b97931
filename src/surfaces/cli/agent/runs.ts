import { resolve } from 'node:path'
import type { AgentUsage } from '../../../contract/agent-run.ts'
import { verbsOf } from '../../../contract/joint-commands.ts'
import type { LogEntry, RunInfo } from '../../../contract/journal.ts'
import { shownGoal, shownLabel } from '../../../contract/shown-goal.ts'
import { cut, toSentence } from '../../../contract/text.ts'
import { fileRunStore } from '../../../evidence/run-store.ts'
import { parseOptions } from '../../flags/parse-options.ts'
import { stderr, stdout } from '../../terminal.ts'
import { summaryOf } from './print-events.ts'

export const runsHelp = `pagehand runs   List the runs of agents, newest first

  --evidence DIR   the folder of runs (default: that of the user)
  --json           print the list as JSON

Exit codes: 0 success, 2 usage error.
`

const options = { evidence: { type: 'string' }, json: { type: 'boolean' } } as const

/** `pagehand runs` */
export async function listRuns(words: readonly string[]): Promise<number> {
  const parsed = parseOptions(words, options)
  if (!parsed.ok || parsed.positionals.length > 0)
    return usageError(parsed.ok ? `unexpected argument ${parsed.positionals[0]}` : parsed.why, 'runs')
  const runs = await storeOf(parsed.options.evidence).list()
  if (parsed.options.json === true) return print(JSON.stringify({ ok: true, runs }))
  return print(runs.length === 0 ? 'there are no runs' : runs.map(toLine).join('\n'))
}

const toLine = ({ id, state, reason, startedAt, goal, label, pendingApprovals }: RunInfo): string =>
  `${id}   ${state}${reason === undefined ? '' : `: ${reason}`}${pendingApprovals > 0 ? ` (${pendingApprovals} to approve)` : ''}   ${startedAt.replace('T', ' ').slice(0, 16)}   ${cut((goal ?? label).replace(/\s+/g, ' '), 60)}`

/** `pagehand run show` */
export async function showRun(words: readonly string[]): Promise<number> {
  const parsed = parseOptions(words, options)
  if (!parsed.ok) return usageError(parsed.why, 'run')
  const [id, ...others] = parsed.positionals
  if (id === undefined || others.length > 0) return usageError('name one run; pagehand runs lists them', 'run')
  const store = storeOf(parsed.options.evidence)
  const { events, damage } = await store.read(id)
  const approvals = await store.approvals({ run: id })
  if (parsed.options.json === true) return print(JSON.stringify({ ok: !damage, id, events, approvals: approvals.map(withoutPicture) }))
  const waiting = approvals
    .filter(({ state }) => state === 'pending')
    .map(({ request }) => `waits for approval ${request.id}: ${verbsOf(request.command)} (${request.classes.join(', ')})`)
  const lines = [`goal: ${shownGoal(events) ?? shownLabel(events)}`, ...events.flatMap(lineOf), ...waiting]
  return print([...lines, ...(damage ? [`the log is damaged from line ${damage.line} on: ${damage.why}`] : [])].join('\n'))
}

const withoutPicture = <T extends { readonly request: { readonly picture?: unknown } }>(record: T): T => ({
  ...record,
  request: { ...record.request, picture: undefined },
})

/** The events that a person wants to see. */
function lineOf(event: LogEntry): string[] {
  const time = event.at.slice(11, 19)
  const first = (text: unknown) => cut(String(text ?? '').split('\n', 1)[0] ?? '', 120)
  if (event.type === 'agent.turn' && event.text) return [`${time}       ${cut(String(event.text).replace(/\s+/g, ' '), 160)}`]
  if (event.type === 'tool.call') return [`${time}  ${String(event.tool)} ${cut(JSON.stringify(event.arguments), 120)}`]
  if (event.type === 'command' && event.fingerprint) return [`${time}       on ${cut(String(event.fingerprint), 140)}`]
  if (event.type === 'approval.requested')
    return [`${time}       asked ${String(event.approval)}: ${[event.classes].flat().join(', ')} at ${cut(String(event.url), 100)}`]
  if (event.type === 'approval.decided')
    return [
      `${time}       ${event.approved === true ? `approved (${String(event.scope)})` : 'denied'} by ${String(event.by)}${event.reason ? `: ${cut(String(event.reason), 100)}` : ''}`,
    ]
  if (event.type === 'tool.result') return [`${time}       ${event.ok === true ? '' : '✗ '}${first(event.text)}`]
  if (event.type === 'agent.parked') return [`${time}  parked: ${String(event.reason)}`]
  if (event.type === 'run.resumed') return [`${time}  resumed`]
  if (event.type === 'agent.ended') return [`${time}  ${String(event.reason)}: ${summaryOf(event.usage as AgentUsage)}`]
  return event.type === 'run.ended' && event.text ? [`${time}  ${cut(String(event.text), 500)}`] : []
}

const storeOf = (folder: unknown) => fileRunStore(typeof folder === 'string' ? { folder: resolve(folder) } : {})

const print = (text: string): Promise<number> => new Promise(done => stdout.write(`${text}\n`, () => done(0)))

function usageError(why: string, about: string): number {
  stderr.write(`pagehand: ${toSentence(why)} Run: pagehand help ${about}\n`)
  return 2
}

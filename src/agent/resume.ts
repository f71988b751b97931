import type { AgentNeed, AgentUsage, StopReason } from '../contract/agent-run.ts'
import type { ApprovalRecord } from '../contract/approval.ts'
import { verbsOf } from '../contract/joint-commands.ts'
import type { LogEntry } from '../contract/journal.ts'
import type { OutcomeCheck } from './browser-agent.ts'
import type { AgentLimits, PriceTable } from './budget.ts'
import { OpenCall } from './open-call.ts'
import { isResumable } from './run-record.ts'
import type { RunEnd } from './run-state.ts'
import type { TranscriptCall, Turn } from './transcript.ts'

/** What the log of a run says about it. */
export interface RestoredRun {
  readonly goal: string
  readonly turns: Turn[]
  /** what the run has used; undefined if its model never answered */
  readonly usage?: AgentUsage
  /** the page that was open last */
  readonly url?: string
  /** the hosts that the run is for */
  readonly sites: readonly string[]
  /** what the run may use; a limit belongs to the run, not to the process */
  readonly limits: AgentLimits
  readonly prices: PriceTable
  /** what the run waited for when it was parked */
  readonly need?: AgentNeed
  /** actions that were begun and have no result */
  readonly unknown: readonly string[]
  /** how the agent ended: its process died before it ended the run, and nothing else is left to do */
  readonly end?: RestoredEnd
}

interface RestoredEnd extends RunEnd {
  readonly checks?: readonly OutcomeCheck[]
}

/**
 * Folds the events of a run into what its model had read. Typed text is not in a log, so arguments show [typed]; every call has an answer,
 * and one whose answer was lost says so.
 */
export function restoreRun(events: readonly LogEntry[]): RestoredRun {
  const turns: Turn[] = []
  const calls = new Map<unknown, TranscriptCall>()
  let open: OpenCall | undefined
  const actions = new Map<unknown, string>()
  let usage: AgentUsage | undefined
  let url: string | undefined
  let sites: readonly string[] = []
  let limits: AgentLimits = {}
  let prices: PriceTable = {}
  let need: AgentNeed | undefined
  let checks: OutcomeCheck[] = []
  let end: RestoredEnd | undefined
  for (const event of events) {
    if (isUsage(event.usage)) usage = event.usage
    if (event.type === 'agent.started' && Array.isArray(event.sites)) sites = event.sites.map(String)
    if (event.type === 'agent.started' && typeof event.page === 'string') url = event.page
    if (event.type === 'agent.started' || event.type === 'agent.limits') {
      limits = { ...limits, ...(event.limits as AgentLimits) }
      prices = { ...prices, ...(event.prices as PriceTable | undefined) }
    }
    if (event.type === 'agent.turn') {
      turns.push({ ...(typeof event.text === 'string' && { text: event.text }), calls: [] })
      need = undefined
      for (const { tool, error } of listOf(event.invalid))
        addCall(turns, { tool, answer: { ok: false, text: String(error) }, input: {} }, event)
    }
    if (event.type === 'tool.call' || event.type === 'run.resumed') open?.endWithProcess()
    if (event.type === 'tool.call') {
      const call = addCall(turns, { tool: event.tool, input: event.arguments }, event)
      calls.set(event.call, call)
      open = new OpenCall(call)
    }
    open?.add(event)
    if (event.type === 'tool.refused')
      addCall(turns, { tool: event.tool, input: {}, answer: { ok: false, text: String(event.text) } }, event)
    if (event.type === 'tool.result') {
      const call = calls.get(event.call)
      if (call) call.answer = { ok: event.ok === true, text: String(event.text) }
    }
    if (event.type === 'agent.note') addNote(turns, String(event.text))
    if (event.type === 'agent.parked') need = (event.need ?? undefined) as AgentNeed | undefined
    // a process that died while it checked the outcome left statements that count no longer
    if (event.type === 'run.resumed') checks = []
    if (event.type === 'assertion') checks.push({ says: String(event.says), held: event.held === true })
    if (event.type === 'agent.ended') end ??= endOf(event, checks)
    if (event.type === 'command') actions.set(event.step, String(event.verb))
    if (event.type === 'result') {
      actions.delete(event.step)
      const page = event.page as { readonly url?: unknown } | undefined
      if (typeof page?.url === 'string') url = page.url
    }
  }
  open?.endWithProcess()
  return {
    goal: String(events[0]?.goal ?? events[0]?.label ?? ''),
    turns,
    sites,
    limits,
    prices,
    ...(usage && { usage }),
    ...(url !== undefined && { url }),
    ...(need && { need }),
    unknown: [...actions.values()],
    ...(end && { end }),
  }
}

function endOf({ reason, summary, evidence, error }: LogEntry, checks: readonly OutcomeCheck[]): RestoredEnd | undefined {
  const end: RestoredEnd = {
    reason: reason as StopReason,
    summary: String(summary ?? ''),
    evidence: Array.isArray(evidence) ? evidence.map(String) : [],
    ...(error !== undefined && { error: error as NonNullable<RunEnd['error']> }),
    ...(checks.length > 0 && { checks }),
  }
  return isResumable(end) ? undefined : end
}

function addCall(
  turns: Turn[],
  { tool, ...call }: Omit<TranscriptCall, 'id' | 'tool'> & { readonly tool: unknown },
  { seq }: LogEntry,
): TranscriptCall {
  const added: TranscriptCall = { id: `event-${seq}`, tool: String(tool), ...call }
  if (turns.length === 0) turns.push({ calls: [] })
  turns.at(-1)?.calls.push(added)
  return added
}

function addNote(turns: Turn[], text: string): void {
  const turn = turns.at(-1)
  if (turn) turn.note = turn.note ? `${turn.note}\n${text}` : text
}

/** The message to the model when a run is resumed. */
export function resumeNote({ need, unknown }: RestoredRun, approvals: readonly ApprovalRecord[]): string {
  const decided = approvals.flatMap(({ state, staleBecause, request, decision }) => {
    if (state === 'stale' && staleBecause === 'browser')
      return [
        `The question about ${verbsOf(request.command)} is over: what was typed into the page was lost with the browser. Fill it in again and make the same call; the user is asked again.`,
      ]
    if (state === 'approved') return [`The user approved ${verbsOf(request.command)}: make the same call again.`]
    return state === 'denied'
      ? [`The user denied ${verbsOf(request.command)}${decision?.reason ? `: ${decision.reason}` : ''}. Do something else, or close.`]
      : []
  })
  return [
    'The run was interrupted and goes on now.',
    ...decided.slice(-3),
    ...(need?.kind === 'handoff' ? ['The person was asked to do what you wanted in the browser. See whether it is done.'] : []),
    ...unknown
      .slice(-3)
      .map(verb => `outcome_unknown: ${verb} was begun before the interruption and may have happened. It is not repeated.`),
    'Refs of earlier answers may be gone: look at the page before you act.',
  ].join('\n')
}

const isUsage = (value: unknown): value is AgentUsage =>
  typeof value === 'object' && value !== null && 'activeMs' in value && 'steps' in value

const listOf = (value: unknown): readonly { readonly tool: string; readonly error: unknown }[] => (Array.isArray(value) ? value : [])

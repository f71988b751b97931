import type { StudioMessage } from 'pagehand/agent'
import type { LogContent, RunStore } from 'pagehand/evidence'
import { type ApprovalPart, type BrowserPlace, type HandoffPart, studioProblems } from 'pagehand/wire'
import type { ChatStore, RunRow } from '../store/chat-store.ts'
import type { RunParts } from './agent-run.ts'
import { overBecause, toApprovalPart } from './approvals.ts'
import { isAnswered } from './stored-message.ts'

type Part = StudioMessage['parts'][number]

/** A run that an earlier process left open, and that goes on when a person says so. */
export interface ParkedRun {
  readonly runId: string
  /** the message that it is a part of */
  readonly message: StudioMessage
  readonly parts: RunParts
  readonly place: BrowserPlace | undefined
  /** what the person has to do; undefined if a question is open */
  readonly handoff: HandoffPart | undefined
  /** Ends it for good. */
  end(by: string): Promise<void>
}

const interruption = studioProblems.run_interrupted

/** Tells the truth about a run that had not ended when the last process did. Returns it if it can go on. */
export async function recoverRun(
  { id, chat, detail }: RunRow,
  { store, runs }: { store: ChatStore; runs: RunStore },
): Promise<ParkedRun | undefined> {
  const parts = detail as RunParts
  const messages = await store.messages(chat)
  const message = messages.find(each => each.parts.some(part => part.type === 'data-sub-agent-run' && part.data.runId === id))
  const save = async (change: Partial<RunParts['run']>, more: readonly Part[]) => {
    const saved = { ...parts, run: { ...parts.run, ...change } }
    await store.saveRun(chat, saved)
    if (!message) return { saved, message }
    const changed = replaceParts(message, [{ type: 'data-sub-agent-run', id, data: saved.run }, ...more])
    await store.saveMessage(chat, changed)
    return { saved, message: changed }
  }
  const log = await runs.read(id).catch(() => undefined)
  const end = message ? endOf(log) : { reason: 'error', summary: interruption }
  if (end) {
    const questions = message ? openQuestions(message, id) : []
    await save({ state: 'ended', stopReason: end.reason, summary: end.summary }, [
      ...questions.map(stale),
      ...(isAnswered(end.reason) ? [{ type: 'text', text: end.summary } as const] : []),
    ])
    return undefined
  }
  const records = (await runs.approvals({ run: id })).filter(({ state }) => state === 'pending' || state === 'approved')
  const asked = records.map(record => toApprovalPart(record, chat))
  // a plan was made before anything was opened; every other question was about a page that is gone with its browser
  const plans = asked.filter(({ kind, state }) => kind === 'plan' && state === 'pending')
  const lost = asked.filter(({ kind, decision }) => kind === 'action' && (decision === undefined || decision.scope === 'once'))
  const waiting = message && handoffIn(message, id)
  const handoff: HandoffPart | undefined =
    plans.length > 0
      ? undefined
      : waiting?.state === 'waiting'
        ? waiting
        : { runId: id, reason: interruption, state: 'waiting', kind: 'interrupted' }
  const kept = await save({ state: handoff ? 'handoff' : 'waiting' }, [
    ...plans.map((data): Part => ({ type: 'data-approval', id: data.id, data })),
    ...lost.map((each): Part => ({ type: 'data-approval', id: each.id, data: overBecause(each, 'browser') })),
    ...(handoff ? [{ type: 'data-handoff', id, data: handoff } as const] : []),
  ])
  if (!kept.message) return undefined
  const { saved, message: current } = kept
  return {
    runId: id,
    message: current,
    parts: saved,
    place: parts.place,
    handoff,
    async end(by) {
      const journal = await runs.open(id)
      await journal.end({ text: 'The user stopped the run.' })
      const run = { ...saved.run, state: 'ended' as const, stopReason: 'aborted', summary: 'The user stopped the run.' }
      await store.saveRun(chat, { ...saved, run })
      await store.saveMessage(
        chat,
        replaceParts(current, [
          { type: 'data-sub-agent-run', id, data: run },
          ...openQuestions(current, id).map(stale),
          ...(handoff ? [{ type: 'data-handoff', id, data: { ...handoff, state: 'done' } } as const] : []),
          { type: 'data-manual-stop', id, data: { runId: id, at: new Date().toISOString(), by } },
        ]),
      )
    },
  }
}

/** How the log says that the run ended; undefined if it can be continued. */
function endOf(log: LogContent | undefined): { readonly reason: string; readonly summary: string } | undefined {
  if (!log || log.damage) return { reason: 'error', summary: interruption }
  const ended = log.events.find(({ type }) => type === 'run.ended')
  const reason = log.events.filter(({ type }) => type === 'agent.ended').at(-1)?.reason
  return ended && { reason: String(reason ?? 'error'), summary: String(ended.text ?? '') }
}

/** Parts with an id take the place of earlier ones. */
function replaceParts(message: StudioMessage, changes: readonly Part[]): StudioMessage {
  const parts = [...message.parts]
  for (const change of changes) {
    const index = 'id' in change ? parts.findIndex(part => part.type === change.type && 'id' in part && part.id === change.id) : -1
    if (index === -1) parts.push(change)
    else parts[index] = change
  }
  return { ...message, parts }
}

const openQuestions = ({ parts }: StudioMessage, run: string): readonly ApprovalPart[] =>
  parts.flatMap(part => (part.type === 'data-approval' && part.data.runId === run && part.data.state === 'pending' ? [part.data] : []))

const stale = (data: ApprovalPart): Part => ({ type: 'data-approval', id: data.id, data: overBecause(data, 'run') })

const handoffIn = ({ parts }: StudioMessage, run: string): HandoffPart | undefined =>
  parts.flatMap(part => (part.type === 'data-handoff' && part.data.runId === run ? [part.data] : [])).at(-1)

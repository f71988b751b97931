import type { AnyRun } from '../contract/run.ts'
import type { BrowserAgentOptions } from './browser-agent.ts'
import { describeReplay, replay } from './recording-replay.ts'
import type { RestoredRun } from './resume.ts'
import type { AgentRecord } from './run-record.ts'
import { currentUrl, driverOf } from './run-sites.ts'
import type { RunState } from './run-state.ts'

interface FirstMessageContext {
  readonly options: BrowserAgentOptions
  readonly state: RunState
  readonly record: AgentRecord
  readonly restored?: RestoredRun
  /** the driver with all layers of the run */
  readonly run: AnyRun
  /** opens the page of the user, and returns what the model reads about it */
  readonly openUrl: (url: string, signal: AbortSignal) => Promise<{ readonly ok: boolean; readonly text: string }>
}

/** The goal, and the page that the user named as open-url shows it: that saves the model a step. A recording is repeated first. */
export async function firstMessage(context: FirstMessageContext, signal: AbortSignal): Promise<string> {
  const { options, state, restored, run, openUrl } = context
  const { goal, page, recording, recordingValues: set = {} } = options
  if (restored) remindOfPage(context)
  if (recording && !restored && !state.end) {
    const replayed = await replay(recording, run, { set, signal })
    const words = describeReplay(replayed)
    if (replayed.ok) state.stop('closed', { summary: words, evidence: replayed.done.map(({ did }) => did) })
    // a recording that did nothing leaves everything to the model
    if (replayed.done.length > 0 || replayed.stopped?.hasActed) return `${goal}\n\n${words} Look at the page and go on from there.`
  }
  const url = typeof page === 'string' ? page : await lostPage(context)
  const opened = url === undefined || state.end ? undefined : await openUrl(url, signal)
  // where nobody can be asked, the person has done it before the run was resumed
  if (restored?.need?.kind === 'handoff' && state.hasPerson && !state.end) await state.waitForPerson(restored.need, signal)
  if (!opened) return goal
  const { ok, text } = opened
  if (!ok) return `${goal}\n\nThe page was not opened:\n${text}`
  state.setOpenedPage(text)
  return `${goal}\n\nThe page was opened:\n${text}`
}

/** The model of a resumed run must look first; one that was parked before its first step has nothing to compare the page with. */
function remindOfPage({ state, record }: FirstMessageContext): void {
  const turn = state.turns.at(-1)
  if (!turn) return
  state.requireLook()
  const note = record.events.filter(({ type }) => type === 'agent.note').at(-1)?.text
  turn.note = [turn.note, note].filter(Boolean).join('\n')
}

/** The page of a resumed run, if this is another browser, which has none open. */
async function lostPage({ restored, options }: FirstMessageContext): Promise<string | undefined> {
  if (restored?.url === undefined || !/^https?:/.test(restored.url)) return undefined
  const url = await currentUrl(driverOf(options))
  return url === undefined || url === 'about:blank' ? restored.url : undefined
}

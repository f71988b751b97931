import { approvalLayer } from '../approval/layer.ts'
import type { ActionClass, Approve } from '../contract/approval.ts'
import type { RunStore } from '../contract/journal.ts'
import { type AnyRun, wrap } from '../contract/run.ts'
import { fileSize } from '../evidence/file-size.ts'
import { recordRun } from '../evidence/record.ts'
import type { AgentApprovals } from './browser-agent.ts'
import type { Recording } from './recording.ts'
import { describeReplay, type ReplayOptions, type ReplayResult, replay } from './recording-replay.ts'

interface ReplayRunOptions extends ReplayOptions {
  readonly store: RunStore
  readonly approvals?: Pick<AgentApprovals, 'approve' | 'policy'>
}

/** The outcome of a replay that was recorded as a run. */
export interface ReplayRunResult extends ReplayResult {
  readonly run: string
  readonly report: string
  /** what a person would have to approve */
  readonly asks?: readonly ActionClass[]
}

/**
 * Repeats a recording as a run of its own: with evidence, and with the approvals of an agent. That the actions were approved when they were
 * recorded does not count.
 */
export async function replayRun(recording: Recording, driver: AnyRun, options: ReplayRunOptions): Promise<ReplayRunResult> {
  const { store, approvals: { approve = nobody, policy } = {}, ...replayOptions } = options
  const { set = {} } = replayOptions
  const journal = await store.create({
    label: `replay ${recording.goal}`,
    secrets: recording.secrets.flatMap(name => set[name] ?? []),
  })
  const record = recordRun(journal)
  const asking = approvalLayer({
    journal,
    sites: sitesOf(recording, set),
    approve,
    grants: store.grants,
    fileSize,
    ...(policy && { policy }),
  })
  try {
    const replayed = await replay(recording, wrap(driver, asking, record.layer), replayOptions)
    const open = (await journal.approvals()).filter(({ state }) => state === 'pending')
    // who stops a replay does not want to be asked about the rest of it
    const isStopped = replayOptions.signal?.aborted === true
    const asks = isStopped ? [] : open.flatMap(({ request }) => request.classes)
    const { stopped } = replayed
    const result = stopped && asks.length > 0 ? { ...replayed, stopped: { ...stopped, why: unanswered(asks) } } : replayed
    const reason = result.ok ? 'closed' : isStopped ? 'aborted' : asks.length > 0 ? 'needs_approval' : 'error'
    const report = await record.end({ reason, text: describeReplay(result) })
    return { ...result, run: journal.id, report, ...(asks.length > 0 && { asks }) }
  } finally {
    await journal.close()
  }
}

/** A replay ends with its process, so that nobody can decide later: the id of the request would lead nowhere. */
const unanswered = (asks: readonly ActionClass[]): string =>
  `a person must approve it first (${asks.join(', ')}), and nobody did. The action was not performed`

const nobody: Approve = async () => 'pending'

/** The site of the recording, as the user sets it. Other sites that it leads to ask. */
function sitesOf({ parameters }: Recording, set: { readonly [name: string]: string }): readonly string[] {
  const site = set.site ?? parameters.site ?? ''
  return URL.canParse(site) ? [new URL(site).host] : []
}

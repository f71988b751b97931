import type { ApprovalAnswer, ApprovalDecision, ApprovalRequest, StaleReason } from '../contract/approval.ts'
import type { HeldDownload } from '../contract/held-downloads.ts'
import type { RunJournal } from '../contract/journal.ts'
import { riskReasons } from '../contract/risk-reasons.ts'
import type { AbortSignalLike } from '../contract/run.ts'
import { ruleText } from './grant-rules.ts'
import { type DownloadDecision, type JudgedDownload, nameOf } from './held-downloads.ts'
import { newRequestId } from './plan.ts'

interface DownloadRequestsOptions {
  readonly journal: RunJournal
  answer(request: ApprovalRequest, signal: AbortSignalLike | undefined): Promise<ApprovalAnswer | 'pending' | 'declined'>
  record(id: string, answer: ApprovalAnswer): Promise<ApprovalDecision>
  decisionOf(id: string): Promise<ApprovalDecision | undefined>
  grant(request: ApprovalRequest, decision: ApprovalDecision): Promise<void>
  readonly whereToDecide: string | undefined
}

/** Asks a person about downloads that have begun; the approval is used before the file is saved. */
export class DownloadRequests {
  readonly #options: DownloadRequestsOptions
  /** by the id of the download */
  readonly #open = new Map<string, ApprovalRequest>()

  constructor(options: DownloadRequestsOptions) {
    this.#options = options
  }

  /** Asks once; later calls only look whether there is a decision. */
  async ask(judged: JudgedDownload, signal: AbortSignalLike | undefined): Promise<DownloadDecision> {
    const { answer, record, decisionOf, whereToDecide } = this.#options
    const { download } = judged
    const asked = this.#open.get(download.id)
    const request = asked ?? (await this.#request(judged))
    const answered = asked ? 'pending' : await answer(request, signal)
    const decision = typeof answered === 'string' ? await decisionOf(request.id) : await record(request.id, answered)
    if (decision) return this.#apply(judged, request, decision)
    const where = whereToDecide === undefined ? '' : ` ${whereToDecide}`
    const note = `approval_required: a person must approve the download of ${nameOf(download)} first: request ${request.id}. The file was not saved yet.${where}`
    return asked ? {} : { note }
  }

  /** Ends the requests about downloads that are gone, such as those of a browser that has crashed. */
  async endLost(held: readonly HeldDownload[]): Promise<void> {
    for (const [id, request] of this.#open) {
      if (held.some(each => each.id === id)) continue
      this.#open.delete(id)
      await this.#options.journal.append({ type: 'approval.stale', approval: request.id, because: 'browser' satisfies StaleReason })
    }
  }

  async #apply({ download }: JudgedDownload, request: ApprovalRequest, decision: ApprovalDecision): Promise<DownloadDecision> {
    const { journal, grant } = this.#options
    const { approved, reason } = decision
    if (!approved) {
      this.#open.delete(download.id)
      const because = reason ? `: ${JSON.stringify(reason)}` : ''
      return {
        outcome: 'discard',
        note: `approval_denied: the user did not approve the download of ${nameOf(download)}${because}. The file was deleted.`,
      }
    }
    await journal.append({ type: 'approval.used', approval: request.id, actionId: request.actionId, step: request.step })
    this.#open.delete(download.id)
    await grant(request, decision)
    return { outcome: 'save' }
  }

  async #request({ download, origin }: JudgedDownload): Promise<ApprovalRequest> {
    const { journal } = this.#options
    const { id, name, url, page, bytes } = download
    const command = { name: 'download', url }
    const request: ApprovalRequest = {
      id: newRequestId(),
      run: journal.id,
      ...downloadSlot(journal, download),
      commandHash: journal.hashOf({ ...command, id }),
      command,
      classes: ['download'],
      reasons: [riskReasons.download_began],
      reasonCodes: ['download_began'],
      origin,
      url: page,
      files: [{ path: name, ...(bytes !== undefined && { bytes }) }],
      rule: ruleText([{ classes: ['download'], origin: origin || 'this page' }]),
      askedAt: new Date().toISOString(),
      kind: 'action',
    }
    await journal.request(request)
    this.#open.set(id, request)
    return journal.scrub(request)
  }
}

/** A download is not an action of the run: it must not get the id of one, which would be another after a restart. */
export const downloadSlot = (journal: RunJournal, { id }: HeldDownload): { readonly step: number; readonly actionId: string } => {
  const steps = journal.events().flatMap(({ step }) => (typeof step === 'number' ? step : []))
  return { step: steps.at(-1) ?? 0, actionId: `download.${id}` }
}

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserAgentOptions } from 'pagehand/agent'
import type { RunStore } from 'pagehand/evidence'
import { parseGrantRule } from 'pagehand/tools'
import type { ApprovalAnswer, ApprovalPart, Grant, StudioSettings } from 'pagehand/wire'

export interface RunApprovalsOptions {
  readonly chatId: string
  readonly settings: StudioSettings
  /** a request was made or decided */
  onApproval(approval: ApprovalPart): void
}

type ApprovalRecord = Awaited<ReturnType<RunStore['approvals']>>[number]
type ApprovalRequest = ApprovalRecord['request']

/** The questions that runs ask, and the answers of people, in whichever window they are given. */
export class Approvals {
  readonly #runs: RunStore
  readonly #folder: string

  /** @param folder the folder of all runs, where the pictures of requests are kept */
  constructor(runs: RunStore, folder: string) {
    this.#runs = runs
    this.#folder = folder
  }

  async pending(chatOf: (run: string) => string): Promise<readonly ApprovalPart[]> {
    const records = await this.#runs.approvals({ pending: true })
    // a run that was stopped does not wait for its answer any more
    return records.map(record => toApprovalPart(record, chatOf(record.request.run))).filter(({ chatId }) => chatId !== '')
  }

  async decide({ id, approved, scope, reason }: ApprovalAnswer, chatOf: (run: string) => string) {
    const decision = { approved, scope, by: 'studio', at: new Date().toISOString(), ...(reason !== undefined && { reason }) }
    const outcome = await this.#runs.decide(id, decision)
    const record = (await this.#runs.approvals()).find(({ request }) => request.id === id)
    return { outcome, approval: record ? toApprovalPart(record, chatOf(record.request.run)) : null }
  }

  async grants(): Promise<readonly Grant[]> {
    return (await this.#runs.grants.list()).map(({ id, rule, scope, createdAt }) => ({ id, rule, ...clausesOf(rule), scope, createdAt }))
  }

  revoke(id: string): Promise<boolean> {
    return this.#runs.grants.revoke(id)
  }

  /** The options of an agent whose questions are answered in the studio. */
  forRun({ chatId, settings, onApproval }: RunApprovalsOptions): Pick<BrowserAgentOptions, 'approvals' | 'evidence'> {
    return {
      evidence: this.#runs,
      approvals: {
        grants: this.#runs.grants,
        policy: { classes: settings.policy },
        approve: async (request, signal) => {
          await this.#savePicture(request)
          onApproval(toApprovalPart({ request, state: 'pending' }, chatId))
          // in whichever window, or by `pagehand approve`: the run waits as long as it takes
          const decision = await this.#runs.decision(request.id, signal)
          onApproval(toApprovalPart({ request, state: decision.approved ? 'approved' : 'denied', decision }, chatId))
          return decision
        },
      },
    }
  }

  async #savePicture({ id, run, picture }: ApprovalRequest): Promise<void> {
    if (!picture) return
    const folder = join(this.#folder, run, 'approvals')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, `${id}.png`), Buffer.from(picture.base64, 'base64'), { mode: 0o600 })
  }
}

/** `fillForm, click` for the actions of one call */
const verbsOf = ({ name, commands }: ApprovalRecord['request']['command']): string =>
  Array.isArray(commands) ? commands.map((each: { readonly name: string }) => each.name).join(', ') : name

export function toApprovalPart({ request, state, decision }: ApprovalRecord, chatId: string): ApprovalPart {
  const { id, run, kind, command, classes, reasons, reasonCodes, origin, url, target, picture, rule, runRule, askedAt, plan } = request
  const words = target ? [target.role, target.name && JSON.stringify(target.name)].filter(Boolean).join(' ') : ''
  return {
    id,
    runId: run,
    chatId,
    kind,
    state: state === 'used' ? 'approved' : state,
    action: plan ? (plan.text ?? '') : [verbsOf(command), words].filter(Boolean).join(' '),
    verb: verbsOf(command),
    classes,
    reasons,
    ...(reasonCodes && { reasonCodes }),
    origin: plan ? plan.sites.join(', ') : origin,
    url,
    rule,
    ...clausesOf(rule),
    ...(runRule !== undefined && { runRule, runClauses: clausesOf(runRule).clauses ?? [] }),
    askedAt,
    ...(target && { target: { role: target.role, name: target.name, path: target.path } }),
    ...(picture && { picture: `/api/runs/${run}/files/approvals/${id}.png` }),
    ...(decision && { decision }),
  }
}

const clausesOf = (rule: string): Pick<Grant, 'clauses'> => {
  const clauses = parseGrantRule(rule)?.map(({ classes, origin }) => ({ classes, ...(origin !== undefined && { origin }) }))
  return clauses ? { clauses } : {}
}

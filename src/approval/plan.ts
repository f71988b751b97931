import type { ApprovalRequest, Approve, RunPlan } from '../contract/approval.ts'
import type { RunJournal } from '../contract/journal.ts'
import { randomBytes } from '../contract/random-bytes.ts'
import type { AbortSignalLike } from '../contract/run.ts'
import { requireSites } from './approval-policy.ts'
import { planRule } from './grant-rules.ts'

export const neverAborted: AbortSignalLike = { aborted: false }

/** Short, because people type it, and unique among the requests of a user. */
export const newRequestId = (): string => [...randomBytes(10)].map(byte => (byte % 32).toString(32)).join('')

/**
 * Options of `approvePlan`.
 *
 * @example
 * const options: PlanOptions = { journal, approve: async () => 'pending' }
 */
export interface PlanOptions {
  readonly journal: RunJournal
  readonly approve: Approve
  readonly signal?: AbortSignalLike
}

/**
 * Asks once for what a run intends to do. If it is approved, the classes of the plan need no further question on its sites, for this run.
 *
 * @example
 * const { approved } = await approvePlan({ sites: ['shop.example'], classes: ['submit'], text: 'Buy green tea.' }, { journal, approve })
 */
export async function approvePlan(
  plan: RunPlan,
  { journal, approve, signal = neverAborted }: PlanOptions,
): Promise<{ readonly approved: boolean; readonly reason?: string } | 'pending'> {
  requireSites(plan.sites)
  const text = JSON.stringify(plan)
  const before = (await journal.approvals()).find(({ request }) => request.kind === 'plan' && JSON.stringify(request.plan) === text)
  const request = before?.request ?? (await requestPlan(plan, journal))
  let decision = before?.decision
  if (!decision) {
    const answer = await approve(request, signal).catch(() => 'pending' as const)
    if (typeof answer !== 'string') decision = await journal.decide(request.id, { by: 'host', ...answer, at: new Date().toISOString() })
    else decision = (await journal.approvals()).find(each => each.request.id === request.id)?.decision
  }
  if (!decision) return 'pending'
  const { approved, reason, by } = decision
  const isGranted = journal.events().some(event => event.type === 'grant.added' && event.plan === request.id)
  if (approved && request.rule && !isGranted) await journal.append({ type: 'grant.added', rule: request.rule, by, plan: request.id })
  return { approved, ...(reason !== undefined && { reason }) }
}

async function requestPlan(plan: RunPlan, journal: RunJournal): Promise<ApprovalRequest> {
  const command = { name: 'plan', plan }
  const { actionId, step, commandHash } = journal.slotOf(command)
  const request: ApprovalRequest = {
    id: newRequestId(),
    run: journal.id,
    step,
    actionId,
    commandHash,
    command: { name: 'plan' },
    classes: plan.classes,
    reasons: ['It is the plan of the run.'],
    origin: '',
    url: '',
    rule: planRule(plan),
    askedAt: new Date().toISOString(),
    kind: 'plan',
    plan,
  }
  await journal.request(request)
  return request
}

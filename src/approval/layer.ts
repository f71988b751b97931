import type { ApprovalAnswer, ApprovalDecision, ApprovalRecord, ApprovalRequest, Approve, Grant, GrantStore } from '../contract/approval.ts'
import { isVerbName, verbs } from '../contract/commands.ts'
import type { RunJournal } from '../contract/journal.ts'
import { say, term } from '../contract/message.ts'
import { keepNotes } from '../contract/notes.ts'
import { PagehandError, toFailure } from '../contract/pagehand-error.ts'
import { parseCommand } from '../contract/parse-command.ts'
import { type AbortSignalLike, type AnyCommand, type AnyRun, fail, type Layer, type Result } from '../contract/run.ts'
import { withoutTyped } from '../contract/typed-text.ts'
import { type ApprovalPolicy, requirePolicy, requireSites } from './approval-policy.ts'
import { abortedFailure, type Explanation, inspectTargets, judge } from './explain.ts'
import { parseGrantRule, ruleText } from './grant-rules.ts'
import { type Part, Permits } from './permits.ts'
import { neverAborted, newRequestId } from './plan.ts'
import { areOnlyOnes, factsOf, isSame, subjectOf, takePicture, withoutRef } from './request.ts'
import { originOf } from './risk.ts'

/**
 * How actions of a run are approved.
 *
 * @example
 * const options: ApprovalOptions = { journal: record.journal, sites: ['shop.example'], approve: async () => 'pending' }
 */
export interface ApprovalOptions {
  /** @default reading, moving and writing on the run's sites is allowed; everything else asks */
  readonly policy?: ApprovalPolicy
  /** the journal of the run: requests and decisions are part of it */
  readonly journal: RunJournal
  /** the sites that the run is for: hosts such as shop.example or *.shop.example */
  readonly sites: readonly string[]
  /** Asks a person. */
  readonly approve: Approve
  /** Stored grants, beside those of the run. @default none */
  readonly grants?: GrantStore
  /** Takes a screenshot for each request, with the target marked. @default true */
  readonly picture?: boolean
  /** The command line with which the user decides a request, for the failure `approval_required`. @default the failure names the request only */
  readonly commandFor?: (id: string) => string
  /** Called when a person has approved that the run goes to another site, before the action. */
  readonly onSites?: (sites: readonly string[]) => void
}

/**
 * A layer that asks a person before an action the policy does not allow. It belongs above the evidence layer:
 * `wrap(session.run, approvalLayer(…), record.layer)`. An approval is for one action on one element of one page, and is used once.
 *
 * @example
 * const record = await startRun('evidence')
 * const approvals = approvalLayer({ journal: record.journal, sites: ['shop.example'], approve: async request => ask(request) })
 * const run = wrap(session.run, approvals, record.layer)
 */
export function approvalLayer(options: ApprovalOptions): Layer {
  const broker = new ApprovalBroker(options)
  return keepNotes(next => (command, signal) => broker.run(next, command, signal))
}

class ApprovalBroker {
  readonly #options: ApprovalOptions
  readonly #policy: ApprovalPolicy
  /** the sites of the run, and those that a person has added */
  #sites: readonly string[]
  /** the requests of this process, whose refs are those of this browser */
  readonly #own = new Set<string>()
  readonly #permits = new Permits()

  constructor(options: ApprovalOptions) {
    this.#options = options
    this.#policy = requirePolicy(options.policy)
    this.#sites = requireSites(options.sites)
  }

  async run(next: AnyRun, given: AnyCommand, signal?: AbortSignalLike): Promise<Result> {
    // reading never asks, and is not delayed by an inspection
    if (isVerbName(given.name) && verbs[given.name].risk === 'look') return next(given, signal)
    const parsed = parseCommand(given)
    if (!parsed.ok) return parsed
    try {
      return await this.#decide(next, { command: parsed.value, given }, signal)
    } catch (error) {
      if (error instanceof PagehandError) return { ok: false, error: toFailure(error) }
      throw error
    }
  }

  async #decide(next: AnyRun, { command, given }: Omit<Part, 'verdict'>, signal: AbortSignalLike | undefined): Promise<Result> {
    const { journal } = this.#options
    const slot = journal.slotOf(command)
    // done before: the layer below returns the recorded result
    if (journal.action(slot.actionId)) return next(command, signal)
    const found = await inspectTargets(next, command, signal)
    if ('failure' in found) return { ok: false, error: found.failure }
    const verdict = judge(command, found, await this.#explainOptions())
    if (verdict.rule === 'deny') {
      await journal.append({
        type: 'approval.refused',
        step: slot.step,
        actionId: slot.actionId,
        classes: verdict.classes,
        why: verdict.why,
      })
      return fail('approval_denied', say`${term(verdict.why)} The action was not performed.`)
    }
    if (verdict.rule === 'allow') {
      journal.assign(command, { ...slot, facts: factsOf(verdict) })
      return next(command, signal)
    }
    return this.#askTogether(next, { command, verdict, given }, signal)
  }

  /**
   * Asks once for a form, or for the actions of one call. What its parts turn out to be when they are carried out must be part of the
   * answer; otherwise they ask themselves.
   */
  async #askTogether(next: AnyRun, part: Part, signal?: AbortSignalLike): Promise<Result> {
    const { journal } = this.#options
    const { command, verdict } = part
    const perform = (approval: string) => {
      journal.assign(command, { ...journal.slotOf(command), facts: { ...factsOf(verdict), approval } })
      return next(command, signal)
    }
    const approval = this.#permits.approvalFor(part)
    if (approval !== undefined) return perform(approval)
    const [question] = await this.#permits.questions(next, part, { ...(await this.#explainOptions()), signal })
    if (!question) return this.#ask(next, part, signal)
    const performWhole: AnyRun = (each, stop) => {
      if (each !== question.command) return next(each, stop)
      const used = journal.slotOf(each).facts?.approval ?? ''
      this.#permits.add(question, used)
      return perform(used)
    }
    return this.#ask(performWhole, question, signal)
  }

  async #explainOptions() {
    return { policy: this.#policy, sites: this.#sites, grants: await this.#grants(), run: this.#options.journal.id }
  }

  async #grants(): Promise<readonly Grant[]> {
    const { journal, grants } = this.#options
    return [...runGrants(journal), ...((await grants?.list()) ?? [])]
  }

  async #ask(next: AnyRun, { command, verdict }: { command: AnyCommand; verdict: Explanation }, signal?: AbortSignalLike): Promise<Result> {
    const { journal } = this.#options
    const { commandHash } = journal.slotOf(command)
    const open = (await journal.approvals()).filter(({ state }) => openStates.has(state))
    const asked = open.filter(({ request }) => request.commandHash === commandHash)
    const same =
      asked.find(({ request }) => isSame(request, journal.scrub(subjectOf(verdict)))) ??
      (await this.#findInOtherBrowser(next, { command, verdict, open }, signal))
    // an approval for this command that was given for another page or element is used up by it
    const stale = asked.find(each => each !== same && each.state === 'approved')
    if (stale && !same) return this.#stale(stale.request)
    if (same?.state === 'denied') return denied(same)
    if (same?.state === 'approved' && same.decision)
      return this.#use(next, { command, request: same.request, decision: same.decision }, signal)
    const request = same?.request ?? (await this.#request(next, { command, verdict }, signal))
    const answer = await this.#answer(request, signal)
    if (signal?.aborted) return { ok: false, error: abortedFailure() }
    const decision = answer === 'pending' ? await this.#decisionOf(request.id) : await this.#record(request.id, answer)
    if (!decision) return required(request.id, this.#options.commandFor?.(request.id))
    return decision.approved ? this.#use(next, { command, request, decision }, signal) : denied({ request, state: 'denied', decision })
  }

  /** The request for the same action of an earlier process: its refs are those of another browser, but the element must be the only one. */
  async #findInOtherBrowser(
    next: AnyRun,
    { command, verdict, open }: { command: AnyCommand; verdict: Explanation; open: readonly ApprovalRecord[] },
    signal?: AbortSignalLike,
  ): Promise<ApprovalRecord | undefined> {
    const { journal } = this.#options
    const intentHash = journal.hashOf(withoutRef(command))
    const found = open.find(
      ({ request }) =>
        !this.#own.has(request.id) && request.intentHash === intentHash && isSame(request, journal.scrub(subjectOf(verdict))),
    )
    return found && (await areOnlyOnes(next, verdict.targets, signal)) ? found : undefined
  }

  /** A failed answer is not a denial. */
  async #answer(request: ApprovalRequest, signal?: AbortSignalLike): Promise<ApprovalAnswer | 'pending'> {
    try {
      return await this.#options.approve(request, signal ?? neverAborted)
    } catch {
      return 'pending'
    }
  }

  /** The decision that another window or process has made. */
  async #decisionOf(id: string): Promise<ApprovalDecision | undefined> {
    return (await this.#options.journal.approvals()).find(({ request }) => request.id === id)?.decision
  }

  #record(id: string, { by = 'host', ...answer }: ApprovalAnswer): Promise<ApprovalDecision> {
    return this.#options.journal.decide(id, { ...answer, by, at: new Date().toISOString() })
  }

  async #request(
    next: AnyRun,
    { command, verdict }: { command: AnyCommand; verdict: Explanation },
    signal?: AbortSignalLike,
  ): Promise<ApprovalRequest> {
    const { journal, picture = true } = this.#options
    const { actionId, step, commandHash } = journal.slotOf(command)
    const shot = picture ? await takePicture(next, command, signal) : undefined
    const isOnly = await areOnlyOnes(next, verdict.targets, signal)
    const request: ApprovalRequest = {
      id: newRequestId(),
      run: journal.id,
      step,
      actionId,
      commandHash,
      ...(isOnly && { intentHash: journal.hashOf(withoutRef(command)) }),
      command: withoutTyped(command),
      classes: verdict.classes,
      reasons: verdict.reasons,
      reasonCodes: verdict.reasonCodes,
      ...subjectOf(verdict),
      ...(shot && { picture: shot }),
      rule: verdict.grant,
      ...(verdict.runGrant !== verdict.grant && { runRule: verdict.runGrant }),
      askedAt: new Date().toISOString(),
      kind: 'action',
    }
    await journal.request(request)
    this.#own.add(request.id)
    return journal.scrub(request)
  }

  /** Carries out an approved action, if the page is still the one that was approved. */
  async #use(
    next: AnyRun,
    { command, request, decision }: { command: AnyCommand; request: ApprovalRequest; decision: ApprovalDecision },
    signal?: AbortSignalLike,
  ): Promise<Result> {
    const { journal, onSites } = this.#options
    const found = await inspectTargets(next, command, signal)
    if ('failure' in found) return found.failure.code === 'aborted' ? { ok: false, error: found.failure } : this.#stale(request)
    const now = judge(command, found, await this.#explainOptions())
    if (!isSame(request, journal.scrub(subjectOf(now)))) return this.#stale(request)
    await this.#grant(request, decision)
    const to = request.classes.includes('navigate-out') ? hostOf(request.destination ?? '') : ''
    if (to && decision.scope !== 'once') this.#sites = [...this.#sites, to]
    if (to) onSites?.([...new Set([...this.#sites, to])])
    // the intent names the approval, so that one durable line is its use and the beginning of the action
    journal.assign(command, {
      actionId: request.actionId,
      step: request.step,
      commandHash: request.commandHash,
      facts: { ...factsOf(now), approval: request.id },
    })
    return next(command, signal)
  }

  async #grant({ rule, runRule = rule, classes }: ApprovalRequest, { scope, by }: ApprovalDecision): Promise<void> {
    if (scope === 'once') return
    const clauses = parseGrantRule(scope === 'run' ? runRule : rule)
    if (!clauses) return
    const text = ruleText(scope === 'always' ? clauses.map(clause => ({ ...clause, origin: undefined })) : clauses)
    const { journal, grants } = this.#options
    if (scope === 'run' || !grants) await journal.append({ type: 'grant.added', rule: text, by, classes })
    else await grants.add({ rule: text, scope, by })
  }

  async #stale({ id }: ApprovalRequest): Promise<Result> {
    await this.#options.journal.append({ type: 'approval.stale', approval: id })
    return fail(
      'approval_stale',
      say`The page is not the one that ${term(id)} was asked for: its URL, or the element, has changed. The action was not performed.`,
    )
  }
}

const openStates = new Set(['pending', 'approved', 'denied'])

/** The grants of a run are in its log, and end with it. */
const runGrants = (journal: RunJournal): readonly Grant[] =>
  journal
    .events()
    .filter(({ type }) => type === 'grant.added')
    .map(({ seq, rule, by, at }) => ({ id: `r${seq}`, rule: String(rule), scope: 'run', run: journal.id, by: String(by), createdAt: at }))

const required = (id: string, command: string | undefined): Result => {
  const how = command === undefined ? '' : ` The user decides it in a terminal: \`${command}\`.`
  return fail('approval_required', say`A person must approve this first: request ${term(id)}. The action was not performed.${term(how)}`)
}

const denied = ({ decision }: Pick<ApprovalRecord, 'request' | 'state' | 'decision'>): Result =>
  // the reason is the word of the person who runs this, not of the page
  fail(
    'approval_denied',
    say`The user did not approve this${term(decision?.reason ? `: ${JSON.stringify(decision.reason)}` : '')}. The action was not performed.`,
  )

const hostOf = (url: string): string => /^https?:\/\/(.+)$/.exec(originOf(url))?.[1] ?? ''

import type {
  ActionClass,
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalFile,
  ApprovalRecord,
  ApprovalRequest,
  Approve,
  Grant,
  GrantStore,
  StaleReason,
} from '../contract/approval.ts'
import { isVerbName, verbs } from '../contract/commands.ts'
import { messageOf } from '../contract/error-message.ts'
import type { ActionSlot, JournalEvent, RunJournal } from '../contract/journal.ts'
import { say, term } from '../contract/message.ts'
import { keepNotes } from '../contract/notes.ts'
import { PagehandError, toFailure } from '../contract/pagehand-error.ts'
import { parseCommand } from '../contract/parse-command.ts'
import { type AbortSignalLike, type AnyCommand, type AnyRun, fail, type Layer, type Result } from '../contract/run.ts'
import { withoutTyped } from '../contract/typed-text.ts'
import { type ApprovalPolicy, requirePolicy, requireSites } from './approval-policy.ts'
import { DownloadRequests, downloadSlot } from './download-requests.ts'
import { abortedFailure, type Explanation, inspectTargets, judge } from './explain.ts'
import { parseGrantRule, ruleText } from './grant-rules.ts'
import { HeldDownloads } from './held-downloads.ts'
import { OpenRequests, wholeHash } from './open-requests.ts'
import { type Part, Permits } from './permits.ts'
import { neverAborted, newRequestId } from './plan.ts'
import { clientDeclined, denied, notLogged, required, stale, unwritten } from './refusals.ts'
import { areOnlyOnes, dataOf, factsOf, isAboutUrlOnly, isSame, isSameAction, subjectOf, takePicture, withoutRef } from './request.ts'
import { retireRequests } from './retire-requests.ts'
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
  /**
   * Where the user decides, as a sentence for the failure `approval_required`, which a model reads: it must not say how to approve.
   * @default the failure names the request only
   */
  readonly whereToDecide?: string
  /** The size of a file that an upload would give to the page, for the question. @default the question names the file only */
  readonly fileSize?: (path: string) => Promise<number | undefined>
  /** Called when a person has approved that the run goes to another site, before the action. */
  readonly onSites?: (sites: readonly string[]) => void
}

/**
 * A layer that asks a person before an action the policy does not allow. It belongs above the evidence layer:
 * `wrap(session.run, approvalLayer(…), record.layer)`. An approval is for one action on one element of one page with the data that was shown,
 * and is used once: its use is in the journal before the action begins, whatever other layers there are.
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
  readonly #open: OpenRequests
  readonly #permits = new Permits()
  readonly #downloads: HeldDownloads
  #retired: Promise<void> | undefined

  constructor(options: ApprovalOptions) {
    this.#options = options
    this.#policy = requirePolicy(options.policy)
    this.#sites = requireSites(options.sites)
    this.#open = new OpenRequests(options.journal)
    const requests = new DownloadRequests({
      journal: options.journal,
      answer: (request, signal) => this.#answer(request, signal),
      record: (id, answer) => this.#record(id, answer),
      decisionOf: id => this.#decisionOf(id),
      grant: (request, decision) => this.#grant(request, decision),
      whereToDecide: options.whereToDecide,
    })
    this.#downloads = new HeldDownloads({
      rules: () => this.#explainOptions(),
      ask: (judged, signal) => requests.ask(judged, signal),
      onHeld: held => requests.endLost(held),
      onDenied: ({ download }) => this.#refused(downloadSlot(options.journal, download), ['download'], 'The policy denies download here.'),
    })
  }

  async run(next: AnyRun, given: AnyCommand, signal?: AbortSignalLike): Promise<Result> {
    // reading is not judged, and is not delayed by an inspection
    const isLook = isVerbName(given.name) && verbs[given.name].risk === 'look'
    if (isLook) return this.#downloads.around(next, given, { act: () => next(given, signal), isLook, signal })
    const parsed = parseCommand(given)
    if (!parsed.ok) return parsed
    const command = parsed.value
    try {
      const act = () => this.#decide(next, { command, given }, signal)
      return await this.#downloads.around(next, command, { act, isLook, signal })
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
    const found = await inspectTargets(next, command, { signal })
    if ('failure' in found) return { ok: false, error: found.failure }
    const verdict = judge(command, found, await this.#explainOptions())
    if (verdict.rule === 'deny') {
      await this.#refused(slot, verdict.classes, verdict.why)
      return fail('approval_denied', say`${term(verdict.why)} The action was not performed.`)
    }
    const part = { command, verdict, given }
    return verdict.rule === 'allow' ? this.#perform(next, part, { signal }) : this.#askTogether(next, part, signal)
  }

  /** Carries out an action. Requests about the page it acts on are over before it begins. */
  async #perform(
    next: AnyRun,
    { command, verdict, given }: Part,
    { approval, signal }: { readonly approval?: string; readonly signal: AbortSignalLike | undefined },
  ): Promise<Result> {
    const { journal } = this.#options
    try {
      await this.#open.endByAct(next, { given, command, approval, signal })
    } catch (error) {
      return notLogged(command, error)
    }
    journal.assign(command, { ...journal.slotOf(command), facts: { ...factsOf(verdict), ...(approval !== undefined && { approval }) } })
    // without this, the page may not send a form in answer to the action
    if (verdict.classes.some(each => sendingClasses.has(each))) await inspectTargets(next, command, { signal, guard: 'sends' })
    const act = () => next(command, signal)
    return verdict.classes.includes('download') ? this.#downloads.allow(next, act) : act()
  }

  /**
   * Asks once for a form, or for the actions of one call. What its parts turn out to be when they are carried out must be part of the
   * answer; otherwise they ask themselves.
   */
  async #askTogether(next: AnyRun, part: Part, signal?: AbortSignalLike): Promise<Result> {
    const options = { ...(await this.#explainOptions()), signal }
    const approval = await this.#permits.approvalFor(next, part, options)
    if (approval !== undefined) return this.#perform(next, part, { approval, signal })
    const [question] = await this.#permits.questions(next, part, options)
    const { command, verdict } = question ?? part
    const begin = (used: string) => {
      if (question) this.#permits.add(question, used, part)
      return this.#perform(next, part, { approval: used, signal })
    }
    return this.#ask(next, { command, verdict, part, begin }, signal)
  }

  async #explainOptions() {
    return { policy: this.#policy, sites: this.#sites, grants: await this.#grants(), run: this.#options.journal.id }
  }

  async #grants(): Promise<readonly Grant[]> {
    const { journal, grants } = this.#options
    return [...runGrants(journal), ...((await grants?.list()) ?? [])]
  }

  async #ask(next: AnyRun, question: Question, signal?: AbortSignalLike): Promise<Result> {
    const { journal } = this.#options
    const { command, verdict } = question
    this.#retired ??= retireRequests(journal)
    await this.#retired
    const { commandHash } = journal.slotOf(command)
    const lost = this.#open.takeLost(commandHash)
    if (lost !== undefined) return stale(lost, 'act')
    const open = (await journal.approvals()).filter(({ state }) => openStates.has(state))
    const subject = journal.scrub(subjectOf(verdict))
    const asked = open.filter(({ request }) => request.commandHash === commandHash && this.#isUsable(request))
    const same = asked.find(({ request }) => isSame(request, subject))
    // an approval for this command that was given for another page, element or data is used up by it
    const changed = asked.find(each => each !== same && each.state === 'approved')
    if (changed && !same) return this.#endByPage(changed.request)
    const before = same ?? (await this.#findInOtherBrowser(next, { command, verdict, open }, signal))
    if (before?.state === 'denied') return denied(before)
    if (before && before !== same && before.decision) return this.#applyLasting(next, { part: question.part, record: before }, signal)
    if (same?.state === 'approved' && same.decision)
      return this.#use(next, { question, request: same.request, decision: same.decision }, signal)
    const request = same?.request ?? (await this.#request(next, question, signal))
    const answer = await this.#answer(request, signal)
    if (signal?.aborted) return { ok: false, error: abortedFailure() }
    const decision = typeof answer === 'string' ? await this.#decisionOf(request.id) : await this.#record(request.id, answer)
    if (!decision) return required(request.id, answer === 'declined' ? clientDeclined : this.#options.whereToDecide)
    if (decision.approved) return this.#use(next, { question, request, decision }, signal)
    this.#open.delete(request.id)
    return denied({ request, state: 'denied', decision })
  }

  /** A request of this process and browser, or one that means the same in any browser. */
  #isUsable(request: ApprovalRequest): boolean {
    return this.#open.isOwn(request.id) || isAboutUrlOnly(request)
  }

  /** A decision of an earlier process that does not depend on the data: a denial, or one that lasts. The element must be the only one. */
  async #findInOtherBrowser(
    next: AnyRun,
    { command, verdict, open }: { command: AnyCommand; verdict: Explanation; open: readonly ApprovalRecord[] },
    signal?: AbortSignalLike,
  ): Promise<ApprovalRecord | undefined> {
    const { journal } = this.#options
    const intentHash = journal.hashOf(withoutRef(command))
    const subject = journal.scrub(subjectOf(verdict))
    const found = open.find(
      ({ request, decision }) =>
        decision && !this.#isUsable(request) && request.intentHash === intentHash && isSameAction(request, subject),
    )
    return found && (await areOnlyOnes(next, verdict.targets, signal)) ? found : undefined
  }

  /** A failed answer is not a denial. */
  async #answer(request: ApprovalRequest, signal?: AbortSignalLike): Promise<ApprovalAnswer | 'pending' | 'declined'> {
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

  async #request(next: AnyRun, { command, verdict, part }: Question, signal?: AbortSignalLike): Promise<ApprovalRequest> {
    const { journal, picture = true } = this.#options
    const { actionId, step, commandHash } = journal.slotOf(command)
    const shot = picture ? await takePicture(next, { command, url: verdict.url }, signal) : undefined
    const isOnly = await areOnlyOnes(next, verdict.targets, signal)
    const data = dataOf(verdict)
    const files = await this.#filesOf(command)
    const request: ApprovalRequest = {
      id: newRequestId(),
      run: journal.id,
      step,
      actionId,
      commandHash,
      ...(isOnly && { intentHash: journal.hashOf(withoutRef(command)) }),
      command: shownCommand(command, verdict),
      classes: verdict.classes,
      reasons: verdict.reasons,
      reasonCodes: verdict.reasonCodes,
      ...subjectOf(verdict),
      ...(data && { data }),
      ...(files.length > 0 && { files }),
      ...(shot && { picture: shot }),
      rule: verdict.grant,
      ...(verdict.runGrant !== verdict.grant && { runRule: verdict.runGrant }),
      askedAt: new Date().toISOString(),
      kind: 'action',
    }
    await this.#written(journal.request(request))
    await this.#open.add(next, { request, whole: wholeHash(journal, part), signal })
    return journal.scrub(request)
  }

  #filesOf({ name, files }: AnyCommand): Promise<readonly ApprovalFile[]> {
    const paths = name === 'upload' && Array.isArray(files) ? files.map(String) : []
    return Promise.all(
      paths.map(async path => {
        const bytes = await this.#options.fileSize?.(path)
        return { path, ...(bytes !== undefined && { bytes }) }
      }),
    )
  }

  /** Carries out an approved action, if the page is still the one that was approved. Its use is in the journal before it begins. */
  async #use(
    next: AnyRun,
    { question, request, decision }: { question: Question; request: ApprovalRequest; decision: ApprovalDecision },
    signal?: AbortSignalLike,
  ): Promise<Result> {
    const { journal } = this.#options
    const { command, begin } = question
    const found = await inspectTargets(next, command, { signal })
    if ('failure' in found) return found.failure.code === 'aborted' ? { ok: false, error: found.failure } : this.#endByPage(request)
    const now = judge(command, found, await this.#explainOptions())
    if (!isSame(request, journal.scrub(subjectOf(now)))) return this.#endByPage(request)
    // something was done on the page while the person was asked, or another call has used the approval
    if (!this.#open.take(request)) return stale(request.id, 'act')
    const { actionId, step, commandHash } = request
    try {
      await journal.append({ type: 'approval.used', approval: request.id, actionId, step })
    } catch (error) {
      return notLogged(command, error)
    }
    await this.#grant(request, decision)
    const to = request.classes.includes('navigate-out') ? hostOf(request.destination ?? '') : ''
    if (to && decision.scope !== 'once') this.#sites = [...this.#sites, to]
    if (to) this.#options.onSites?.([...new Set([...this.#sites, to])])
    journal.assign(command, { actionId, step, commandHash, facts: { ...factsOf(now), approval: request.id } })
    return begin(request.id)
  }

  /** What a decision of an earlier process allows for longer than one action is allowed; the action itself is judged again. */
  async #applyLasting(
    next: AnyRun,
    { part, record: { request, decision } }: { part: Part; record: ApprovalRecord },
    signal?: AbortSignalLike,
  ): Promise<Result> {
    await this.#write({ type: 'approval.used', approval: request.id })
    await this.#grant(request, decision as ApprovalDecision)
    return this.#decide(next, part, signal)
  }

  async #grant({ rule, runRule = rule, classes }: ApprovalRequest, { scope, by }: ApprovalDecision): Promise<void> {
    if (scope === 'once') return
    const clauses = parseGrantRule(scope === 'run' ? runRule : rule)
    if (!clauses) return
    const text = ruleText(scope === 'always' ? clauses.map(clause => ({ ...clause, origin: undefined })) : clauses)
    const { grants } = this.#options
    if (scope === 'run' || !grants) await this.#write({ type: 'grant.added', rule: text, by, classes })
    else await grants.add({ rule: text, scope, by })
  }

  async #endByPage({ id }: ApprovalRequest): Promise<Result> {
    this.#open.delete(id)
    await this.#write({ type: 'approval.stale', approval: id, because: 'page' satisfies StaleReason })
    return stale(id, 'page')
  }

  #refused({ step, actionId }: Pick<ActionSlot, 'step' | 'actionId'>, classes: readonly ActionClass[], why: string): Promise<void> {
    return this.#write({ type: 'approval.refused', step, actionId, classes, why })
  }

  #write(event: JournalEvent): Promise<void> {
    return this.#written(this.#options.journal.append(event))
  }

  /** Nothing is done that the journal does not know of. */
  async #written(writing: Promise<void>): Promise<void> {
    try {
      await writing
    } catch (error) {
      throw error instanceof PagehandError ? error : new PagehandError('not_logged', unwritten, { page: { error: messageOf(error) } })
    }
  }
}

/** What a person is asked about, and how it begins once the approval is used. */
interface Question extends Pick<Part, 'command' | 'verdict'> {
  /** the action that comes first */
  readonly part: Part
  readonly begin: (approval: string) => Promise<Result>
}

/** what these classes mean may be done by sending a form */
const sendingClasses: ReadonlySet<ActionClass> = new Set(['submit', 'pay', 'delete'])
const openStates = new Set(['pending', 'approved', 'denied'])

/** The grants of a run are in its log, and end with it. */
const runGrants = (journal: RunJournal): readonly Grant[] =>
  journal
    .events()
    .filter(({ type }) => type === 'grant.added')
    .map(({ seq, rule, by, at }) => ({ id: `r${seq}`, rule: String(rule), scope: 'run', run: journal.id, by: String(by), createdAt: at }))

/** What is typed may be a secret; a key is one only in a field that may hold a secret. */
const shownCommand = (command: AnyCommand, { target }: Explanation): AnyCommand => ({
  ...withoutTyped(command),
  ...(command.name === 'press' && target && !target.secret && { key: command.key }),
})

const hostOf = (url: string): string => /^https?:\/\/(.+)$/.exec(originOf(url))?.[1] ?? ''

import type { ActionClass, ApprovalRule, Grant, RiskAssessment } from '../contract/approval.ts'
import { type Failure, failure } from '../contract/failures.ts'
import { fieldsSetBy, isJoint } from '../contract/joint-commands.ts'
import { say } from '../contract/message.ts'
import { toError } from '../contract/pagehand-error.ts'
import { parseCommand } from '../contract/parse-command.ts'
import type { LoadedBy } from '../contract/results.ts'
import type { AbortSignalLike, AnyCommand, AnyRun } from '../contract/run.ts'
import type { TargetFacts } from '../contract/target.ts'
import { cut } from '../contract/text.ts'
import { type ApprovalPolicy, originFor, requirePolicy, requireSites, ruleFor } from './approval-policy.ts'
import { findGrant, ruleText, runRule } from './grant-rules.ts'
import { joinVerdicts } from './joint-verdict.ts'
import { assessRisk, inspectionsOf, originOf } from './risk.ts'
import { type SentFacts, sentBy } from './sent-by.ts'

/**
 * What decides about a command.
 *
 * @example
 * const options: ExplainOptions = { sites: ['shop.example'] }
 */
export interface ExplainOptions {
  /** @default the defaults of all classes */
  readonly policy?: ApprovalPolicy
  /** The sites of the run. @default that of the open page */
  readonly sites?: readonly string[]
  /** @default none */
  readonly grants?: readonly Grant[]
  /** The run that grants of the scope `run` hold for. */
  readonly run?: string
  readonly signal?: AbortSignalLike | undefined
  /** The refs of fields that are set before the command: what they hold is not part of the data that it sends. @default none */
  readonly except?: readonly string[]
}

/**
 * The classes of a command, the rule for it, and why.
 *
 * @example
 * const { rule, why }: Explanation = await explain(session.run, { name: 'click', ref: 'e12' })
 */
export interface Explanation extends RiskAssessment, SentFacts {
  readonly rule: ApprovalRule
  /** one sentence in our own words */
  readonly why: string
  /** the document that the action touches */
  readonly origin: string
  readonly url: string
  /** the classes that ask */
  readonly asks: readonly ActionClass[]
  /** the grant that would allow it, as text */
  readonly grant: string
  /** the grant for the rest of the run, as text */
  readonly runGrant: string
  /** the elements that the action touches */
  readonly targets: readonly TargetFacts[]
  /** the element that the target is dragged onto */
  readonly onto?: TargetFacts
  /** the words of the dialog that is answered */
  readonly dialog?: string
}

/**
 * Says which classes a command has and what the policy says about it, without acting.
 *
 * @example
 * const { classes, rule, why } = await explain(session.run, { name: 'click', ref: 'e12' }, { sites: ['shop.example'] })
 */
export async function explain(run: AnyRun, command: AnyCommand, options: ExplainOptions = {}): Promise<Explanation> {
  const parsed = parseCommand(command)
  if (!parsed.ok) throw toError(parsed.error)
  const found = await inspectTargets(run, parsed.value, { ...options, guard: false })
  if ('failure' in found) throw toError(found.failure)
  const sites = options.sites === undefined ? sitesOfPage((await currentPage(run, options.signal)).url) : requireSites(options.sites)
  return judge(parsed.value, found, { ...options, policy: requirePolicy(options.policy), sites })
}

/** The host of a page as a rule for sites, as a run that begins with the page has it. */
const sitesOfPage = (url: string): readonly string[] => {
  const host = originOf(url).replace(/^\w+:\/\//, '')
  return host === '' ? [] : [host]
}

export interface InspectedTargets {
  readonly targets: readonly TargetFacts[]
  readonly url: string
  /** see `RiskContext` */
  readonly loadedBy?: LoadedBy
  readonly dialog?: string
  /** of each action of a call */
  readonly members?: readonly InspectedTargets[]
}

export interface InspectTargetsOptions extends Pick<ExplainOptions, 'signal' | 'except'> {
  /**
   * The next action fails if it would reach another control, or send another form, than the one that was judged; `sends`: it was judged to
   * send something. @default true
   */
  readonly guard?: boolean | 'sends'
}

/**
 * The elements that a command would touch. Fails if it names one that is not there, since then it cannot do anything. With `guard`, the page
 * stops the next press on one of them if it would reach another control than those that were inspected.
 */
export async function inspectTargets(
  run: AnyRun,
  command: AnyCommand,
  { signal, except = [], guard = true }: InspectTargetsOptions = {},
): Promise<InspectedTargets | { readonly failure: Failure }> {
  if (isJoint(command)) {
    const members: InspectedTargets[] = []
    for (const [index, each] of command.commands.entries()) {
      const found = await inspectTargets(run, each, { signal, except: command.sets?.[index] ?? [], guard })
      if ('failure' in found) return found
      members.push(found)
    }
    return { targets: members.flatMap(each => each.targets), url: members[0]?.url ?? '', members }
  }
  const targets: TargetFacts[] = []
  const left = [...except, ...(command.name === 'fillForm' || command.name === 'type' ? fieldsSetBy(command) : [])]
  for (const inspection of inspectionsOf(command)) {
    const result = await run(
      {
        name: 'inspect',
        ...inspection,
        ...(guard === 'sends' ? { sends: true } : guard && { guard }),
        ...(left.length > 0 && { except: left }),
      },
      signal,
    )
    if (result.ok) targets.push(result.data as TargetFacts)
    else if (fatal.has(result.error.code) && inspection.ref !== undefined) return { failure: result.error }
    else if (result.error.code === 'aborted') return { failure: result.error }
    else return { ...(await currentPage(run, signal)), targets: [] }
  }
  return targets[0] ? { targets, url: targets[0].url } : { ...(await currentPage(run, signal)), targets }
}

/** the command cannot be carried out; other failures only mean that nothing is known about its target */
const fatal = new Set(['ref_not_found', 'invalid_ref', 'not_running', 'browser_crashed', 'page_crashed', 'target_closed'])

/** What the driver knows about the page without a call to it. */
export async function currentPage(
  run: AnyRun,
  signal?: AbortSignalLike,
): Promise<Omit<InspectedTargets, 'targets'> & { readonly tab?: string }> {
  const result = await run({ name: 'status' }, signal)
  const { page, url, tab, loadedBy, dialog } = (result.ok ? result.data : {}) as UntypedStatus
  const { method, button } = loadedBy ?? {}
  return {
    url: typeof page?.url === 'string' ? page.url : typeof url === 'string' ? url : '',
    ...(typeof method === 'string' && { loadedBy: { method, ...(typeof button === 'string' && { button }) } }),
    ...(typeof tab === 'string' && { tab }),
    ...(typeof dialog?.message === 'string' && { dialog: cut(dialog.message, maxDialogWords) }),
  }
}

const maxDialogWords = 300

/** a driver of the host may report anything */
interface UntypedStatus {
  readonly page?: { readonly url?: unknown }
  readonly url?: unknown
  readonly tab?: unknown
  readonly loadedBy?: { readonly method?: unknown; readonly button?: unknown }
  readonly dialog?: { readonly message?: unknown }
}

/** The verdict about a command whose targets are known; policy and sites are valid. */
export function judge(command: AnyCommand, found: InspectedTargets, options: ExplainOptions): Explanation {
  const { targets, url, members = [], loadedBy, dialog } = found
  if (isJoint(command)) return joinVerdicts(command.commands.map((each, at) => judge(each, members[at] ?? { targets: [], url }, options)))
  const { policy = {}, sites = [], grants = [] } = options
  const isForm = command.name === 'fillForm'
  const isUnknown = targets.length < inspectionsOf(command).length
  const [first, second] = targets
  const assessment = assessRisk(command, {
    sites,
    ...(loadedBy && { loadedBy }),
    ...(dialog !== undefined && { dialog }),
    ...(first && { target: first }),
    ...(command.name === 'drag' && second && { to: second }),
    ...(isForm && !isUnknown && { fields: targets }),
  })
  const origin = first?.origin ?? originOf(url)
  const rules = assessment.classes.map(actionClass => {
    const at = originFor(actionClass, assessment, origin)
    const rule = ruleFor(policy, actionClass, { origin: at, sites })
    const grant = rule === 'ask' ? findGrant(grants, { actionClass, origin: at, run: options.run ?? '' }) : undefined
    return { actionClass, at, rule: grant ? ('allow' as const) : rule, grant }
  })
  const denied = rules.filter(({ rule }) => rule === 'deny')
  const asks = rules.filter(({ rule }) => rule === 'ask')
  const granted = rules.filter(({ grant }) => grant)
  const clauses = (asks.length > 0 ? asks : rules).map(({ actionClass, at }) => ({ classes: [actionClass], origin: at || noSite }))
  const names = (list: typeof rules) => list.map(({ actionClass }) => actionClass).join(', ')
  return {
    ...assessment,
    ...(isForm && first && { target: formTarget(targets) }),
    ...(command.name === 'drag' && first && second && { target: dragTarget(first, second), onto: second }),
    ...sentBy(command, targets),
    ...(command.name === 'dialog' && dialog !== undefined && { dialog }),
    targets,
    origin,
    url,
    rule: denied.length > 0 ? 'deny' : asks.length > 0 ? 'ask' : 'allow',
    asks: asks.map(({ actionClass }) => actionClass),
    why:
      denied.length > 0
        ? `The policy denies ${names(denied)} here.`
        : asks.length > 0
          ? `The policy asks before ${names(asks)} here.`
          : granted.length > 0
            ? `A grant allows it: ${granted.map(({ grant }) => `${grant?.id} "${grant?.rule}"`).join(', ')}.`
            : `The policy allows ${names(rules)} here.`,
    grant: ruleText(clauses),
    runGrant: runRule(clauses, { posts: targets.some(posts) }),
  }
}

const posts = ({ submits, enterSubmits }: TargetFacts): boolean => (submits ?? enterSubmits)?.method === 'post'

/** A form as it is shown and compared: by all the fields that are set. */
const formTarget = (fields: readonly TargetFacts[]): TargetFacts => {
  const { text: _, ...first } = fields[0] as TargetFacts
  return { ...first, role: 'form', name: fields.map(({ role, name }) => name || role).join(', ') }
}

/** An element that is dropped on another one, which says as much about what happens. */
const dragTarget = (from: TargetFacts, to: TargetFacts): TargetFacts => ({
  ...from,
  name: [from, to].map(({ role, name, text = '' }) => name || text || role).join(', '),
  path: from.path === to.path ? from.path : `${from.path}, ${to.path}`,
})

/** a page without an origin cannot be named in a grant: this text is not a rule, and allows nothing */
const noSite = 'this page'

export const abortedFailure = (): Failure => failure('aborted', say`The wait for an approval was stopped; the action was not performed.`)

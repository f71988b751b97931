import type { RiskReason } from './risk-reasons.ts'
import type { AbortSignalLike, AnyCommand } from './run.ts'
import type { FormTarget, SentData, TargetFacts } from './target.ts'

/**
 * What an action would do, from harmless to dangerous. A command may have several.
 *
 * @example
 * const classes: readonly ActionClass[] = ['submit', 'pay']
 */
export type ActionClass = (typeof actionClasses)[number]

/**
 * The classes of actions: `read` looks, `move` changes what is shown or opens a page of the run's sites, `write` operates a page, `submit`
 * sends a form or publishes something, `navigate-out` opens another site, `credentials` fills in a password, code or card number.
 *
 * @example
 * const isClass = (word: string) => (actionClasses as readonly string[]).includes(word)
 */
export const actionClasses = [
  'read',
  'move',
  'write',
  'submit',
  'navigate-out',
  'download',
  'upload',
  'credentials',
  'pay',
  'delete',
  'eval',
] as const

/**
 * The classes of one command, and why.
 *
 * @example
 * const { classes, reasons }: RiskAssessment = await explain(session.run, { name: 'click', ref: 'e12' }, { sites: ['shop.example'] })
 */
export interface RiskAssessment {
  readonly classes: readonly ActionClass[]
  /** one sentence for each class, in our own words */
  readonly reasons: readonly string[]
  /** the same reasons by code */
  readonly reasonCodes: readonly RiskReason[]
  /** the names of the secrets that the command enters */
  readonly secrets?: readonly string[]
  /** the element that the command would touch */
  readonly target?: TargetFacts
  /** the URL that the command would open or send a form to */
  readonly destination?: string
}

/**
 * What a policy says about an action.
 *
 * @example
 * const rule: ApprovalRule = 'ask'
 */
export type ApprovalRule = 'allow' | 'ask' | 'deny'

/**
 * How long a decision holds: for this action, for the run, for this site and class, or for all sites.
 *
 * @example
 * const scope: ApprovalScope = 'run'
 */
export type ApprovalScope = (typeof approvalScopes)[number]
export const approvalScopes = ['once', 'run', 'site', 'always'] as const

/** Role, name and place of the element that a request is about. */
export interface ApprovalTarget extends Pick<TargetFacts, 'role' | 'name' | 'path' | 'text'> {}

/**
 * What an action would send, type or choose, for people. Secrets are `[secret]`, hidden fields are counted.
 *
 * @example
 * const words = ({ fields }: ApprovalData) => fields.map(({ label, value }) => `${label}: ${value}`).join(', ')
 */
export interface ApprovalData extends Omit<SentData, 'digest'> {}

/**
 * A file that an upload gives to the page.
 *
 * @example
 * const line = ({ path, bytes }: ApprovalFile) => `${path}, ${bytes ?? 'unknown'} bytes`
 */
export interface ApprovalFile {
  readonly path: string
  /** undefined if it is not known */
  readonly bytes?: number
}

/**
 * A question for a person: may this run do this, here, now? The strings in `url` and `target` are the page's.
 *
 * @example
 * const approve: Approve = async ({ classes, url, target }) => ({ approved: await ask(`${classes} on ${url}: ${target?.name}`), scope: 'once' })
 */
export interface ApprovalRequest {
  readonly id: string
  readonly run: string
  readonly step: number
  readonly actionId: string
  /** hash of the command with all its arguments */
  readonly commandHash: string
  /**
   * hash of the command without its ref: it identifies the action in another browser, where refs differ. Absent if the page has other
   * elements with the role and the name of the target.
   */
  readonly intentHash?: string
  /** the command without typed text */
  readonly command: AnyCommand
  readonly classes: readonly ActionClass[]
  readonly reasons: readonly string[]
  /** the same reasons by code; absent in requests of earlier versions and of plans */
  readonly reasonCodes?: readonly RiskReason[]
  /** origin of the document that the action touches */
  readonly origin: string
  readonly url: string
  readonly target?: ApprovalTarget
  /** the URL that the action would open or send a form to */
  readonly destination?: string
  /** what the action would send, type or choose; absent if there is nothing */
  readonly data?: ApprovalData
  /** how the form is sent */
  readonly method?: FormTarget['method']
  /** a digest of all the data, hidden and secret fields included; it must be the same when the approval is used */
  readonly digest?: string
  /** the element that the target is dragged onto */
  readonly onto?: ApprovalTarget
  /** the words of the dialog that is answered */
  readonly dialog?: string
  /** the files of an upload */
  readonly files?: readonly ApprovalFile[]
  /** the page, with the target marked; absent if there is nothing on it */
  readonly picture?: ApprovalPicture
  /** the grant that a lasting approval would create, as text */
  readonly rule: string
  /** the grant of an approval for the rest of the run, if it is another one */
  readonly runRule?: string
  /** time in ISO 8601 */
  readonly askedAt: string
  readonly kind: 'action' | 'plan'
  /** what the run intends to do, if the request is about its plan */
  readonly plan?: RunPlan
}

export interface ApprovalPicture {
  readonly mime: string
  readonly base64: string
}

/**
 * What a run intends to do, approved once before it begins.
 *
 * @example
 * const plan: RunPlan = { sites: ['shop.example'], classes: ['submit'], limits: { steps: 30 }, text: 'Buy one pack of green tea.' }
 */
export interface RunPlan {
  /** hosts, such as shop.example or *.shop.example */
  readonly sites: readonly string[]
  /** classes that need no further question on these sites */
  readonly classes: readonly ActionClass[]
  readonly limits?: { readonly [name: string]: number }
  /** what it is for, in the words of the run */
  readonly text?: string
}

/**
 * The answer to a request.
 *
 * @example
 * const decision: ApprovalDecision = { approved: false, scope: 'once', reason: 'wrong size', by: 'ann', at: new Date().toISOString() }
 */
export interface ApprovalDecision {
  readonly approved: boolean
  readonly scope: ApprovalScope
  readonly reason?: string
  /** who decided */
  readonly by: string
  /** time in ISO 8601 */
  readonly at: string
}

/**
 * Asks a person. `'pending'`: nobody answers now; the request stays open, in this run and on disk. It must not answer for the person: a
 * window that is closed is `'pending'`, not a denial. `'declined'`: the program that should have asked refused, and nobody knows whether a
 * person has seen the question; the request stays open too.
 *
 * @example
 * const approve: Approve = async () => 'pending'
 */
export type Approve = (request: ApprovalRequest, signal: AbortSignalLike) => Promise<ApprovalAnswer | 'pending' | 'declined'>

/**
 * What `approve` returns; `by` is added if it is absent.
 *
 * @example
 * const answer: ApprovalAnswer = { approved: true, scope: 'run' }
 */
export type ApprovalAnswer = Omit<ApprovalDecision, 'at' | 'by'> & { readonly by?: string }

/**
 * Why a request is over: the page is not the one that was shown, the run did something else on it, the browser is another one, or the run
 * has ended.
 *
 * @example
 * const isLost = (reason: StaleReason) => reason === 'browser'
 */
export type StaleReason = (typeof staleReasons)[number]
export const staleReasons = ['page', 'act', 'browser', 'run'] as const

/**
 * A request with what became of it.
 *
 * @example
 * const isOpen = ({ state }: ApprovalRecord) => state === 'pending'
 */
export interface ApprovalRecord {
  readonly request: ApprovalRequest
  readonly state: 'pending' | 'approved' | 'denied' | 'used' | 'stale'
  /** why it is stale */
  readonly staleBecause?: StaleReason
  /** the turn of the model that asked, which the events of an agent call its step; absent if no agent did */
  readonly turn?: number
  readonly decision?: ApprovalDecision
}

/**
 * A lasting permission. `rule` is its text and its meaning: `allow submit on https://shop.example`.
 *
 * @example
 * const grant: Grant = { id: 'g1', rule: 'allow submit on https://shop.example', scope: 'site', createdAt: '2026-01-01T00:00:00.000Z', by: 'ann' }
 */
export interface Grant {
  readonly id: string
  readonly rule: string
  readonly scope: Exclude<ApprovalScope, 'once'>
  /** the run that it holds for, if its scope is `run` */
  readonly run?: string
  readonly createdAt: string
  readonly by: string
}

/**
 * The grants of a user. Those of a run end with it.
 *
 * @example
 * for (const { id, rule } of await store.grants.list()) console.log(id, rule)
 */
export interface GrantStore {
  list(): Promise<readonly Grant[]>
  add(grant: Omit<Grant, 'id' | 'createdAt'>): Promise<Grant>
  /** false if there is no such grant */
  revoke(id: string): Promise<boolean>
}

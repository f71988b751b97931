import * as z from 'zod'
import { type ActionClass, type ApprovalRule, actionClasses, type RiskAssessment } from '../contract/approval.ts'
import { failure } from '../contract/failures.ts'
import { term } from '../contract/message.ts'
import { PagehandError } from '../contract/pagehand-error.ts'
import type { ParseResult } from '../contract/parse-command.ts'
import { isInHosts, parseHostRules } from '../policy/host-rules.ts'
import { parseUrl } from '../policy/parse-url.ts'
import { isOwnSite, originOf } from './risk.ts'

type ClassRules = { readonly [name in ActionClass]?: ApprovalRule }

/**
 * Which classes of actions are allowed, ask or are denied, for all sites and for single ones. A class that is not named has its default:
 * `read`, `move` and `write` are allowed, the others ask.
 *
 * @example
 * const policy: ApprovalPolicy = { classes: { eval: 'deny' }, origins: [{ origin: 'https://shop.example', classes: { submit: 'allow' } }] }
 */
export interface ApprovalPolicy {
  readonly classes?: ClassRules
  /** The rules of a site replace those of `classes` there; if several match, the strictest counts. */
  readonly origins?: readonly OriginRules[]
}

export interface OriginRules {
  /** https://shop.example, or a host: shop.example, *.shop.example, 127.0.0.1:8080 */
  readonly origin: string
  readonly classes: ClassRules
}

/**
 * The default of each class.
 *
 * @example
 * const asks = Object.entries(defaultRules).filter(([, rule]) => rule === 'ask')
 */
export const defaultRules: { readonly [name in ActionClass]: ApprovalRule } = {
  read: 'allow',
  move: 'allow',
  write: 'allow',
  submit: 'ask',
  'navigate-out': 'ask',
  download: 'ask',
  upload: 'ask',
  credentials: 'ask',
  pay: 'ask',
  delete: 'ask',
  eval: 'ask',
}

const classesSchema = z
  .partialRecord(z.enum(actionClasses), z.enum(['allow', 'ask', 'deny']))
  .refine(rules => Object.keys(rules).length > 0, {
    message: 'must name at least one class',
  })
const policySchema = z
  .strictObject({
    classes: classesSchema.optional(),
    origins: z
      .array(z.strictObject({ origin: z.string(), classes: classesSchema }))
      .min(1)
      .optional(),
  })
  .refine(({ classes, origins }) => classes || origins, { message: 'is empty: it takes classes, origins' })

/**
 * Checks a policy from a file or a user. An unknown field is an error, since it may have been meant to forbid something.
 *
 * @example
 * const parsed = parseApprovalPolicy(JSON.parse(await readFile('approvals.json', 'utf8')))
 * if (!parsed.ok) throw new Error(parsed.error.message)
 */
export function parseApprovalPolicy(given: unknown): ParseResult<ApprovalPolicy> {
  const parsed = policySchema.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as z.core.$ZodIssue
    const where = ['policy', ...issue.path.map(String)].join('.')
    return refuse(issue.code === 'unrecognized_keys' ? `${where} has no ${JSON.stringify(issue.keys[0])}.` : `${where}: ${issue.message}.`)
  }
  const wrong = parsed.data.origins?.find(({ origin }) => !isOriginPattern(origin))
  if (wrong)
    return refuse(`${JSON.stringify(wrong.origin.slice(0, 80))} is not an origin or a host: write https://shop.example or *.shop.example.`)
  return { ok: true, value: parsed.data as ApprovalPolicy }
}

const refuse = (message: string): ParseResult<never> => ({ ok: false, error: failure('invalid_input', term(message)) })

/** Throws for a policy, a site or a grant that is not valid, so that a layer is never made of one. */
export function requirePolicy(given: ApprovalPolicy | undefined): ApprovalPolicy {
  if (given === undefined) return {}
  const parsed = parseApprovalPolicy(given)
  if (!parsed.ok) throw new PagehandError('invalid_input', term(parsed.error.message))
  return parsed.value
}

export function requireSites(sites: readonly string[]): readonly string[] {
  const wrong = sites.find(site => !isHost(site))
  if (wrong !== undefined)
    throw new PagehandError('invalid_input', term(`${JSON.stringify(wrong)} is not a host: write shop.example or *.shop.example.`))
  return sites
}

const isHost = (given: string): boolean => parseHostRules({ allow: [given] }).ok
export const isOriginPattern = (given: string): boolean =>
  given.includes('://') ? originOf(given) === given && !given.includes('*') : isHost(given)

/** Whether an origin matches https://shop.example, or a host such as *.shop.example. */
export function matchesOrigin(pattern: string, origin: string): boolean {
  if (pattern.includes('://')) return pattern === origin
  const parsed = parseUrl(origin)
  return (
    parsed !== null &&
    isInHosts([pattern], { hostname: parsed.hostname, port: Number(parsed.port) || (parsed.protocol === 'https:' ? 443 : 80) })
  )
}

const strictness: readonly ApprovalRule[] = ['allow', 'ask', 'deny']
const strictest = (rules: readonly ApprovalRule[]): ApprovalRule =>
  strictness[Math.max(...rules.map(rule => strictness.indexOf(rule)))] ?? 'deny'

/** The origin that a class is about: where the action leads for `navigate-out`, else the document it touches. */
export const originFor = (actionClass: ActionClass, { destination = '' }: Pick<RiskAssessment, 'destination'>, origin: string): string =>
  actionClass === 'navigate-out' ? originOf(destination) || destination : origin

/** What the policy says about one class. */
export function ruleFor(
  policy: ApprovalPolicy,
  actionClass: ActionClass,
  { origin, sites }: { origin: string; sites: readonly string[] },
): ApprovalRule {
  const named = (policy.origins ?? [])
    .filter(entry => matchesOrigin(entry.origin, origin))
    .flatMap(({ classes }) => classes[actionClass] ?? [])
  if (named.length > 0) return strictest(named)
  const rule = policy.classes?.[actionClass] ?? defaultRules[actionClass]
  // what a run does to other sites than its own is not what it was started for
  return rule === 'allow' && actionClass === 'write' && !isOwnSite(origin, sites) ? 'ask' : rule
}

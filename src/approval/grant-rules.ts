import { type ActionClass, actionClasses, type Grant, type RunPlan } from '../contract/approval.ts'
import { isOriginPattern, matchesOrigin } from './approval-policy.ts'

interface Clause {
  readonly classes: readonly ActionClass[]
  /** undefined: any site */
  readonly origin: string | undefined
}

const anySite = 'any site'

/** `allow submit, pay on https://shop.example; allow navigate-out to https://pay.example`: the text is the meaning of a grant. */
export function ruleText(clauses: readonly Clause[]): string {
  return clauses
    .map(({ classes, origin = anySite }) => `allow ${classes.join(', ')} ${classes.includes('navigate-out') ? 'to' : 'on'} ${origin}`)
    .join('; ')
}

/** The clauses of a grant; undefined if its text is not a rule, so that it allows nothing. */
export function parseRule(rule: string): readonly Clause[] | undefined {
  const clauses = rule.split(';').map(part => {
    const [, names = '', origin = ''] = /^allow ([a-z, -]+) (?:on|to) (.+)$/.exec(part.trim()) ?? []
    const classes = names.split(',').map(name => name.trim())
    const isKnown = classes.every(name => (actionClasses as readonly string[]).includes(name))
    if (!isKnown || !(origin === anySite || isOriginPattern(origin))) return undefined
    return { classes: classes as ActionClass[], origin: origin === anySite ? undefined : origin }
  })
  return clauses.every(clause => clause !== undefined) ? (clauses as readonly Clause[]) : undefined
}

/** The grant that covers a class at an origin, for this run. */
export function findGrant(
  grants: readonly Grant[],
  { actionClass, origin, run }: { actionClass: ActionClass; origin: string; run: string },
): Grant | undefined {
  return grants.find(grant => {
    if (grant.scope === 'run' && grant.run !== run) return false
    return parseRule(grant.rule)?.some(
      clause => clause.classes.includes(actionClass) && (clause.origin === undefined || matchesOrigin(clause.origin, origin)),
    )
  })
}

/** The rule that an approved plan grants. */
export const planRule = ({ sites, classes }: RunPlan): string =>
  ruleText(
    sites.flatMap(origin => {
      const onSite = classes.filter(each => each !== 'navigate-out')
      return [
        ...(onSite.length > 0 ? [{ classes: onSite, origin }] : []),
        ...(classes.includes('navigate-out') ? [{ classes: ['navigate-out' as const], origin }] : []),
      ]
    }),
  )

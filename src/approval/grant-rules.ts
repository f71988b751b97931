import { type ActionClass, actionClasses, type Grant, type RunPlan } from '../contract/approval.ts'
import { isOriginPattern, matchesOrigin } from './approval-policy.ts'

/**
 * A part of a grant: classes that are allowed on, or to, a site.
 *
 * @example
 * const clause: GrantClause = { classes: ['submit'], origin: 'https://shop.example' }
 */
export interface GrantClause {
  readonly classes: readonly ActionClass[]
  /** undefined: any site */
  readonly origin: string | undefined
}

const anySite = 'any site'

/** `allow submit, pay on https://shop.example; allow navigate-out to https://pay.example`: the text is the meaning of a grant. */
export function ruleText(clauses: readonly GrantClause[]): string {
  const places = new Map<string, Set<ActionClass>>()
  for (const { classes, origin = anySite } of clauses)
    for (const each of classes) {
      const place = `${each === 'navigate-out' ? 'to' : 'on'} ${origin}`
      places.set(place, (places.get(place) ?? new Set()).add(each))
    }
  return [...places].map(([place, classes]) => `allow ${actionClasses.filter(each => classes.has(each)).join(', ')} ${place}`).join('; ')
}

const routine: readonly ActionClass[] = ['submit', 'credentials']

/**
 * What an approval for the rest of a run allows. Who lets a run post a form of a site or log in there lets it do both there, so that a
 * checkout of several pages does not ask on each of them; the question says so. A form that only reads, such as a search, has nothing to do
 * with passwords. Everything else, such as paying, is only allowed if it was asked about.
 *
 * @param posts whether the question is about a form that is sent with POST
 */
export function runRule(clauses: readonly GrantClause[], { posts }: { readonly posts: boolean }): string {
  const isRoutine = ({ classes }: GrantClause) => classes.includes('credentials') || (posts && classes.includes('submit'))
  return ruleText(clauses.map(clause => (isRoutine(clause) ? { ...clause, classes: [...clause.classes, ...routine] } : clause)))
}

/**
 * The clauses of a grant; undefined if its text is not a rule, so that it allows nothing.
 *
 * @example
 * const [{ classes, origin }] = parseGrantRule('allow submit, pay on https://shop.example') ?? []
 */
export function parseGrantRule(rule: string): readonly GrantClause[] | undefined {
  const clauses = rule.split(';').map(part => {
    const [, names = '', where, origin = ''] = /^allow ([a-z, -]+) (on|to) (.+)$/.exec(part.trim()) ?? []
    const classes = names.split(',').map(name => name.trim())
    // as `ruleText` writes it: pages are opened `to` a site, and everything else happens `on` one
    const isKnown = classes.every(
      name => (actionClasses as readonly string[]).includes(name) && (name === 'navigate-out') === (where === 'to'),
    )
    if (!isKnown || !(origin === anySite || isOriginPattern(origin))) return undefined
    return { classes: classes as ActionClass[], origin: origin === anySite ? undefined : origin }
  })
  return clauses.every(clause => clause !== undefined) ? (clauses as readonly GrantClause[]) : undefined
}

/** The grant that covers a class at an origin, for this run. */
export function findGrant(
  grants: readonly Grant[],
  { actionClass, origin, run }: { actionClass: ActionClass; origin: string; run: string },
): Grant | undefined {
  return grants.find(grant => {
    if (grant.scope === 'run' && grant.run !== run) return false
    return parseGrantRule(grant.rule)?.some(
      clause => clause.classes.includes(actionClass) && (clause.origin === undefined || matchesOrigin(clause.origin, origin)),
    )
  })
}

/** The rule that an approved plan grants. */
export const planRule = ({ sites, classes }: RunPlan): string => ruleText(sites.map(origin => ({ classes, origin })))

// What the server reports as codes and facts, in the language of the page.
import type { Effect } from '../../../../src/contract/page-api.ts'
import type { ApprovalPart, BrowserEventPart, GrantClause, StepOutcome, SubAgentRunPart } from '../../../../src/wire/parts.ts'
import type { StudioProblem } from '../../../../src/wire/problems.ts'
import type { Messages } from './en.ts'

/** Why an action needs a decision. */
export const reasonWords = ({ reasons, reasonCodes }: Pick<ApprovalPart, 'reasons' | 'reasonCodes'>, { facts }: Messages): string =>
  reasons.map((sentence, index) => facts.reasons[reasonCodes?.[index] as keyof typeof facts.reasons] ?? sentence).join(' ')

/** What a grant allows, by site. */
export const ruleWords = (
  { rule, clauses }: { readonly rule: string; readonly clauses?: readonly GrantClause[] },
  { facts, approval }: Messages,
): string => {
  if (clauses === undefined) return rule
  const bySite = new Map<string, { origin: string | undefined; isTo: boolean; classes: string[] }>()
  for (const { classes, origin } of clauses) {
    const isTo = classes.includes('navigate-out')
    const site = bySite.get(`${isTo} ${origin}`) ?? { origin, isTo, classes: [] }
    bySite.set(`${isTo} ${origin}`, site)
    site.classes.push(...classes.map(each => approval.classes[each] ?? each))
  }
  return [...bySite.values()].map(facts.clause).join(facts.clauseSeparator)
}

/** What came of a step, in one line; '' if there is nothing to say. */
export const outcomeWords = ({ outcome, effect }: Pick<BrowserEventPart, 'outcome' | 'effect'>, { facts }: Messages): string => {
  if (outcome === undefined) return effect?.split('\n', 1)[0] ?? ''
  const { title, fields = 0, read } = outcome
  const phrases = [...(fields > 1 ? [facts.fields(fields)] : []), ...effectPhrases(outcome, facts)]
  const changes = outcome.effect !== undefined && phrases.length === 0 ? facts.noEffect : phrases.join(facts.separator)
  return [title ?? '', capitalized(changes), read === undefined ? '' : facts.read(read)].filter(Boolean).join(facts.separator)
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** of several fields, the value of the last one says little */
const fieldEffects: ReadonlySet<string> = new Set(['value', 'characters', 'checked', 'selected'])

const effectPhrases = ({ effect = {}, fields = 0 }: StepOutcome, { effects }: Messages['facts']): readonly string[] => {
  const phraseOf = <Name extends keyof Effect>(name: Name): string => {
    const value = fields > 1 && fieldEffects.has(name) ? undefined : effect[name]
    return value === undefined || value === null ? '' : effects[name](value)
  }
  return (Object.keys(effects) as (keyof Effect)[]).map(phraseOf).filter(phrase => phrase !== '')
}

/** What went wrong, in the language of the page if the code is known. */
export const problemWords = ({ code, message }: StudioProblem, { facts }: Messages): string =>
  facts.problems[code as keyof typeof facts.problems] ?? message

/** How a run ended, or what it says itself. */
export const summaryWords = (
  { stopReason, summary }: Pick<SubAgentRunPart, 'stopReason' | 'summary'>,
  { facts }: Messages,
): string | undefined => facts.ends[stopReason as keyof typeof facts.ends] ?? summary

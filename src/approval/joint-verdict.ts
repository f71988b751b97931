// Several actions as one question: what a person reads about them, and what must be the same when they are carried out.
import type { ApprovalRule } from '../contract/approval.ts'
import type { SentField, TargetFacts } from '../contract/target.ts'
import type { Explanation } from './explain.ts'
import { parseGrantRule, ruleText } from './grant-rules.ts'

const unique = <Item>(list: readonly Item[]): readonly Item[] => [...new Set(list)]
const destinationsOf = (verdicts: readonly Explanation[]): readonly string[] =>
  unique(verdicts.flatMap(({ destination }) => destination ?? []))

/** Whether one question can name all of it: one page, one site, one place where it leads. */
export const areOneQuestion = (verdicts: readonly Explanation[]): boolean =>
  verdicts.length > 1 &&
  verdicts.every(({ rule }) => rule === 'ask') &&
  unique(verdicts.map(({ origin }) => origin)).length === 1 &&
  unique(verdicts.map(({ url }) => withoutFragment(url))).length === 1 &&
  destinationsOf(verdicts).length <= 1

/** The verdict about actions that are carried out in order. */
export function joinVerdicts(verdicts: readonly Explanation[]): Explanation {
  const first = verdicts[0] as Explanation
  const [destination] = destinationsOf(verdicts)
  const target = jointTarget(verdicts)
  const asks = unique(verdicts.flatMap(each => each.asks))
  const joinRules = (rules: readonly string[]) => ruleText(rules.flatMap(rule => parseGrantRule(rule) ?? []))
  return {
    classes: unique(verdicts.flatMap(each => each.classes)),
    reasons: unique(verdicts.flatMap(each => each.reasons)),
    reasonCodes: unique(verdicts.flatMap(each => each.reasonCodes)),
    targets: verdicts.flatMap(each => each.targets),
    ...joinData(verdicts),
    origin: first.origin,
    url: first.url,
    ...(target && { target }),
    ...(destination !== undefined && { destination }),
    rule: strictest.find(rule => verdicts.some(each => each.rule === rule)) ?? 'deny',
    asks,
    why: unique(verdicts.map(({ why }) => why)).join(' '),
    grant: joinRules(verdicts.map(({ grant }) => grant)),
    runGrant: joinRules(verdicts.map(({ runGrant }) => runGrant)),
  }
}

/** All that is typed and sent, in the order of the actions; what an earlier action sets is named once. */
function joinData(verdicts: readonly Explanation[]): Pick<Explanation, 'data' | 'method'> {
  const all = verdicts.flatMap(({ data }) => data ?? [])
  if (all.length === 0) return {}
  const digests = all.flatMap(({ digest }) => digest ?? [])
  const method = verdicts.flatMap(each => each.method ?? []).at(-1)
  const [more, hidden] = [all.reduce((sum, each) => sum + (each.more ?? 0), 0), Math.max(...all.map(each => each.hidden ?? 0))]
  return {
    data: {
      ...(digests.length > 0 && { digest: digests.join(' ') }),
      fields: uniqueFields(all.flatMap(({ fields }) => fields)),
      ...(more > 0 && { more }),
      ...(hidden > 0 && { hidden }),
    },
    ...(method && { method }),
  }
}

export const uniqueFields = (fields: readonly SentField[]): readonly SentField[] =>
  fields.filter((field, at) => fields.findIndex(each => each.label === field.label && each.value === field.value) === at)

const strictest: readonly ApprovalRule[] = ['deny', 'ask', 'allow']

/** All elements that are touched, in order: another name, text or place of one of them is another question. */
function jointTarget(verdicts: readonly Explanation[]): TargetFacts | undefined {
  const targets = verdicts.flatMap(({ target }) => target ?? [])
  const [first] = targets
  if (!first) return undefined
  const words = targets.flatMap(({ text }) => text ?? [])
  const { text: _, ...facts } = first
  return {
    ...facts,
    role: 'group',
    name: targets.map(({ role, name, text = '' }) => `${role} ${JSON.stringify(name || text)}`).join(', '),
    path: unique(targets.map(({ path }) => path)).join(', '),
    ...(words.length > 0 && { text: words.join(', ') }),
  }
}

export const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')

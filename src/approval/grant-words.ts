import type { ActionClass, ApprovalRequest, ApprovalScope } from '../contract/approval.ts'
import { parseGrantRule, ruleText } from './grant-rules.ts'

const classWords: { readonly [name in ActionClass]: string } = {
  read: 'read',
  move: 'move around',
  write: 'click and fill in fields',
  submit: 'send forms',
  'navigate-out': 'open pages',
  download: 'download files',
  upload: 'upload files',
  credentials: 'enter passwords, codes and card numbers',
  pay: 'pay',
  delete: 'delete',
  eval: 'run JavaScript',
}

/** `send forms, and enter passwords, codes and card numbers on https://shop.example`: what a rule lets a run do, for a person. */
function ruleWords(rule: string, isEverywhere: boolean): string | undefined {
  const clauses = parseGrantRule(rule)?.map(clause => (isEverywhere ? { ...clause, origin: undefined } : clause))
  // the same site is named once
  return (
    clauses &&
    parseGrantRule(ruleText(clauses))
      ?.map(({ classes, origin = 'any site' }) => {
        const place = `${classes.includes('navigate-out') ? 'of' : 'on'} ${origin}`
        return `${classes.map(each => classWords[each]).join(', and ')} ${place}`
      })
      .join('; ')
  )
}

/** What an approval of this scope lets runs do, in a phrase. */
export function grantWords(
  { rule, runRule = rule, kind }: Pick<ApprovalRequest, 'rule' | 'runRule' | 'kind'>,
  scope: ApprovalScope,
): string {
  if (scope === 'once' && kind === 'action') return 'this once'
  const isRun = scope === 'run' || kind === 'plan'
  const words = ruleWords(isRun ? runRule : rule, scope === 'always')
  // a page without an origin cannot be named in a grant
  if (words === undefined) return 'this once: the page has no site that a grant could name'
  return `${isRun ? 'for the rest of this run' : 'in every run from now on'}: ${words}`
}

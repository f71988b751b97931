import type { ApprovalRequest } from '../../contract/approval.ts'
import { inline, quote } from '../../render/text/quote.ts'

/** What a person must know to decide: what, where, why, and what a lasting answer would allow. Words of the page are quoted. */
export function describeApproval(request: ApprovalRequest): readonly string[] {
  const { classes, reasons, url, origin, target, destination, command, rule, kind, plan } = request
  if (kind === 'plan' && plan)
    return [
      `The run asks to work on ${plan.sites.join(', ')} without further questions about: ${plan.classes.join(', ')}`,
      ...(plan.text === undefined ? [] : [`for:    ${quote(plan.text, 300)}`]),
      ...Object.entries(plan.limits ?? {}).map(([name, value]) => `limit:  ${name} ${value}`),
    ]
  const { name, ...fields } = command
  return [
    `what:   ${name}${Object.keys(fields).length > 0 ? ` ${inline(JSON.stringify(fields), 200)}` : ''} (${classes.join(', ')})`,
    ...(target
      ? [
          `on:     ${inline(target.role, 40)} ${quote(target.name || target.text || '', 120)}${target.path ? ` in ${inline(target.path, 200)}` : ''}`,
        ]
      : []),
    `where:  ${quote(url, 300)}${origin && !url.startsWith(origin) ? ` (a frame of ${quote(origin, 120)})` : ''}`,
    ...(destination === undefined ? [] : [`goes to: ${quote(destination, 300)}`]),
    `why:    ${reasons.join(' ')}`,
    `rule:   ${inline(rule, 300)}`,
  ]
}

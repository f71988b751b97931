import { grantWords } from '../../approval/grant-words.ts'
import { dataWords, fileWords } from '../../approval/question-words.ts'
import type { ApprovalRequest, ApprovalScope } from '../../contract/approval.ts'
import { isJoint } from '../../contract/joint-commands.ts'
import type { AnyCommand } from '../../contract/run.ts'
import { inline, quote } from '../../render/text/quote.ts'

/** What a person must know to decide: what, where, why, and what a lasting answer would allow. Words of the page are quoted. */
export const describeApproval = (request: ApprovalRequest, picture?: string): readonly string[] => [
  ...describeAction(request, picture),
  ...(request.kind === 'plan' ? [] : [`run:    ${grantLine(request, 'run')}`, `site:   ${grantLine(request, 'site')}`]),
]

/** What an approval of a scope allows, in one line. */
export const grantLine = (request: ApprovalRequest, scope: ApprovalScope): string => inline(grantWords(request, scope), 400)

/** What a request is about, without what an answer would allow. */
export function describeAction(request: ApprovalRequest, picture?: string): readonly string[] {
  const { classes, reasons, url, origin, target, destination, command, kind, plan, data, method, onto, files = [], dialog } = request
  if (kind === 'plan' && plan)
    return [
      `The run asks to work on ${plan.sites.join(', ')} without further questions about: ${plan.classes.join(', ')}`,
      ...(plan.text === undefined ? [] : [`for:    ${quote(plan.text, 300)}`]),
      ...Object.entries(plan.limits ?? {}).map(([name, value]) => `limit:  ${name} ${value}`),
    ]
  return [
    `what:   ${wordsOf(command)} (${classes.join(', ')})`,
    ...(target
      ? [
          `on:     ${inline(target.role, 40)} ${quote(target.name || target.text || '', 120)}${target.path ? ` in ${inline(target.path, 200)}` : ''}`,
        ]
      : []),
    ...(onto ? [`onto:   ${inline(onto.role, 40)} ${quote(onto.name || onto.text || '', 120)}`] : []),
    ...files.map(file => `file:   ${fileWords(file)}`),
    ...(dialog === undefined ? [] : [`dialog: ${quote(dialog, 300)}`]),
    ...(data ? [`${method === undefined || method === 'dialog' ? 'fields:' : 'sends: '} ${dataWords(data)}`] : []),
    `where:  ${quote(url, 300)}${origin && !url.startsWith(origin) ? ` (a frame of ${quote(origin, 120)})` : ''}`,
    ...(destination === undefined ? [] : [`to:     ${quote(destination, 300)}`]),
    `why:    ${reasons.join(' ')}`,
    ...(picture === undefined ? [] : [`image:  ${picture}`]),
  ]
}

/** `fill "[typed]"`: the element and the fields of a form are named in another line. */
function wordsOf(command: AnyCommand): string {
  if (isJoint(command)) return command.commands.map(wordsOf).join(', then ')
  const { name, ref: _, fields: __, ...others } = command
  const shown = Object.entries(others).map(([field, value]) => `${field} ${JSON.stringify(value)}`)
  return inline([name, ...shown].join(', '), 200)
}

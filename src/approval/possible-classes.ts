import type { ActionClass } from '../contract/approval.ts'
import type { VerbName } from '../contract/commands.ts'
import { type ApprovalPolicy, defaultRules } from './approval-policy.ts'

const onClick = ['write', 'move', 'submit', 'navigate-out', 'download', 'upload', 'pay', 'delete'] as const
const inField = ['write', 'credentials', 'upload'] as const

/** The classes that `assessRisk` can give to each verb, whatever the element is. */
export const possibleClasses: { readonly [name in VerbName]: readonly ActionClass[] } = {
  snapshot: ['read'],
  query: ['read'],
  inspect: ['read'],
  wait: ['read'],
  screenshot: ['read'],
  console: ['read'],
  requests: ['read'],
  status: ['read'],
  observe: ['read'],
  extract: ['read'],
  read: ['read'],
  hover: ['move'],
  focus: ['move'],
  blur: ['move'],
  scroll: ['move'],
  scrollIntoView: ['move'],
  close: ['move'],
  back: ['move'],
  forward: ['move'],
  reload: ['write'],
  open: ['move', 'navigate-out'],
  tabs: ['read', 'move', 'navigate-out'],
  click: onClick,
  dblclick: onClick,
  longpress: onClick,
  check: ['write'],
  uncheck: ['write'],
  drag: ['write'],
  select: inField,
  fill: inField,
  type: [...inField, ...onClick],
  press: [...inField, ...onClick],
  upload: ['upload', 'submit', 'navigate-out', 'write'],
  evaluate: ['eval'],
  dialog: ['move', 'submit'],
  fillForm: [...inField, ...onClick],
}

/**
 * Whether one of these verbs can need the approval of a person under a policy. Tools that can have `needsApproval: true`.
 *
 * @example
 * const asks = needsApproval(['open'], { classes: { 'navigate-out': 'allow' } }) // false
 */
export const needsApproval = (names: readonly VerbName[], policy: ApprovalPolicy = {}): boolean =>
  names
    .flatMap(name => possibleClasses[name])
    .some(each => {
      const rules = [policy.classes?.[each] ?? defaultRules[each], ...(policy.origins ?? []).flatMap(({ classes }) => classes[each] ?? [])]
      // writing asks on other sites than those of the run, also where it is allowed
      return each === 'write' || rules.some(rule => rule === 'ask')
    })

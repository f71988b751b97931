import { say, term } from '../../contract/message.ts'
import { roleOf } from '../../engine/accessibility/roles.ts'
import { statesOf } from '../../engine/accessibility/states.ts'
import { engineError } from '../runtime/errors.ts'
import type { Target } from '../view/target.ts'
import type { Condition } from './select.ts'
import { reportState, requireEnabled } from './target.ts'

const checkableRoles = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/
/** these are checkable if they say so: https://w3c.github.io/aria/#aria-checked */
const maybeCheckableRoles = /^(option|treeitem)$/

/** Throws unless the element can be checked, or unchecked. Returns the condition that it is. */
export function checkedCondition(target: Target, checked: boolean): Condition {
  const { dom, node } = target
  const role = roleOf(dom, node)
  const isCheckable = checkableRoles.test(role) || (maybeCheckableRoles.test(role) && statesOf(dom, node, role).checked !== undefined)
  if (!isCheckable) throw engineError('not_checkable', say`${target} is a ${term(role)}, which is neither checked nor unchecked`)
  if (!checked && /radio$/.test(role)) throw engineError('not_uncheckable', say`${target} is a radio`)
  requireEnabled(target)
  reportState(target)
  return () => statesOf(dom, node, role).checked === checked
}

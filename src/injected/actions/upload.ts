import { say } from '../../contract/message.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { Target } from '../view/target.ts'
import { dispatchInputAndChange } from './change-event.ts'
import type { Condition } from './select.ts'
import { reportState, requireEnabled } from './target.ts'

export const isFileInput = ({ dom, node }: Target): boolean => dom.tag(node) === 'input' && dom.attr(node, 'type')?.toLowerCase() === 'file'

/** Removes the files of a file input. */
export function clearFiles({ node }: Target): void {
  if (!native.filesOf(node)?.length) return
  native.setInputValue(node, '')
  dispatchInputAndChange(node)
}

/** Throws unless the file input is enabled and takes that many files. Returns the condition that it has them. */
export function filesCondition(target: Target, count: number): Condition {
  requireEnabled(target)
  reportState(target)
  if (count > 1 && target.dom.attr(target.node, 'multiple') === null)
    throw engineError('invalid_input', say`${target} takes one file, not ${count}`)
  return () => native.filesOf(target.node)?.length === count
}

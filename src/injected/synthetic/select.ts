import { say } from '../../contract/message.ts'
import type { UploadFile } from '../../contract/page-api.ts'
import { dispatchInputAndChange } from '../actions/change-event.ts'
import { checkedCondition } from '../actions/check.ts'
import { requireJudgedOptions } from '../actions/inspect.ts'
import { findListOptions } from '../actions/list-options.ts'
import { type Condition, selectOptions } from '../actions/select.ts'
import { findHitPoint, requireEnabled } from '../actions/target.ts'
import { clearFiles, filesCondition, isFileInput } from '../actions/upload.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { Target } from '../view/target.ts'
import { press } from './pointer.ts'

/** Selects options by value or text; `secrets` are the values if a secret is among them. */
export function select(target: Target, values: readonly string[], secrets: readonly string[] = []): Condition {
  requireEnabled(target)
  return target.dom.tag(target.node) === 'select' ? selectOptions(target, values) : clickOptions(target, values, secrets)
}

/** Clicks options of a list that the page draws. A closed list is clicked to open it, and the caller has to try again. */
function clickOptions(target: Target, values: readonly string[], secrets: readonly string[]): Condition {
  const { toClick, open, isSelected } = findListOptions(target, values)
  if (!open) {
    press(target, findHitPoint(target), {})
    const message = say`the list of ${target} was closed; it is being opened, so choose again, or take a snapshot`
    throw { ...engineError('option_not_found', message), opened: true }
  }
  for (const option of toClick) {
    // the press before it may have changed the list
    requireJudgedOptions(target, [option], secrets)
    const optionTarget = { ...target, node: option as Element }
    requireEnabled(optionTarget)
    press(optionTarget, findHitPoint(optionTarget), {})
  }
  return isSelected
}

export function check(target: Target, checked: boolean): Condition {
  const { dom, node } = target
  const isDone = checkedCondition(target, checked)
  const wasMixed = dom.is(node, 'indeterminate')
  if (!isDone()) press(target, findHitPoint(target), {})
  // a click on a mixed checkbox may check or uncheck it
  if (wasMixed && !dom.is(node, 'indeterminate') && !isDone()) press(target, findHitPoint(target), {})
  if (dom.tag(node) === 'input' && !isDone())
    throw engineError('not_committed', say`the page keeps ${target} ${checked ? 'unchecked' : 'checked'}`)
  return isDone
}

export function upload(target: Target, files: readonly UploadFile[]): Condition {
  if (!isFileInput(target)) throw engineError('not_editable', say`${target} takes no files`)
  const hasFiles = filesCondition(target, files.length)
  if (!files.length) {
    clearFiles(target)
    return hasFiles
  }
  const transfer = new DataTransfer()
  for (const { name, type = '', base64 } of files) transfer.items.add(new File([bytesOf(base64)], name, { type }))
  native.setFiles(target.node, transfer.files)
  if (!hasFiles()) throw engineError('not_committed', 'this browser lets no script choose files')
  dispatchInputAndChange(target.node)
  return hasFiles
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  let text: string
  try {
    text = atob(base64)
  } catch {
    throw engineError('invalid_input', 'a file has a name and base64')
  }
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

import { say } from '../../contract/message.ts'
import { deferChange, dispatchChange, fieldValue } from '../actions/change-event.ts'
import { pasteText } from '../actions/editors.ts'
import { send } from '../actions/events.ts'
import {
  type Field,
  focusField,
  hasCaret,
  hasValue,
  holdsValue,
  isValueField,
  maxLengthOf,
  moveCaretToEnd,
  requireAcceptable,
  selectText,
  setFieldValue,
  setRawValue,
  shownValue,
  textSelection,
} from '../actions/fields.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import { focusedIn } from '../view/focused.ts'

/** Replaces the value of a field. Returns the condition that must hold once the page has settled. */
export function fill(field: Field, value: string, commit: boolean): () => boolean {
  focusField(field.target)
  if (fieldValue(field.node) === undefined) return replaceAll(field, value)
  const before = fieldValue(field.node) as string
  const { node, target } = field
  target.session.actions.partialText.delete(node)
  requireAcceptable(field, value)
  const init = { inputType: value ? 'insertText' : 'deleteContentBackward', data: value || null }
  if (!isValueField(field) && !send(node, 'InputEvent', 'beforeinput', init))
    throw engineError('not_committed', 'the page refused the text')
  setFieldValue(field, value)
  moveCaretToEnd(field)
  send(node, 'InputEvent', 'input', { ...init, cancelable: false })
  if (commit || isValueField(field)) dispatchChange(node)
  else if (value !== before) deferChange(node, before)
  const isFilled = () => holdsValue(field, value)
  if (!isFilled()) throw engineError('not_committed', say`the page changed the value of ${target}`, { page: { value: shownValue(field) } })
  return isFilled
}

/** Replaces the text from `start` to `end`. Returns false if the page or the length of the field prevents it. */
export function replaceText(field: Field, start: number, end: number, text: string, inputType = 'insertText'): boolean {
  const { node, target } = field
  const before = textSelection(field).text
  const next = before.slice(0, start) + text + before.slice(end)
  if ((text && next.length > maxLengthOf(field)) || !send(node, 'InputEvent', 'beforeinput', { inputType, data: text || null }))
    return false
  const valueBefore = fieldValue(node) as string
  setRawValue(field, next)
  selectText(field, start + text.length)
  if (!hasCaret(field)) target.session.actions.partialText.set(node, fieldValue(node) ? '' : next)
  send(node, 'InputEvent', 'input', { inputType, data: text || null, cancelable: false })
  deferChange(node, valueBefore)
  return true
}

/** Inserts text at the caret, over the selection. */
export function insertText(field: Field, text: string): boolean {
  const { node, target } = field
  if (native.editContext(node)) return pasteText(node, text)
  if (fieldValue(node) === undefined) return editCommand(target.document, 'insertText', text)
  const { start, end } = textSelection(field)
  return replaceText(field, start, end, text)
}

const inputTypes = new Map([
  ['insertText', 'insertText'],
  ['insertParagraph', 'insertParagraph'],
  ['insertLineBreak', 'insertLineBreak'],
  ['delete', 'deleteContentBackward'],
  ['forwardDelete', 'deleteContentForward'],
])

/** Runs an editing command of the browser; false if an editor that keeps its own text handled `beforeinput`. */
export function editCommand(document: Document, name: string, text = ''): boolean {
  const inputType = inputTypes.get(name)
  const node = inputType && focusedIn(document)
  const targetRanges = selectedRanges(document)
  // browsers fire `beforeinput` for user input, but not for execCommand
  if (node && !send(node, 'InputEvent', 'beforeinput', { inputType, data: text || null, targetRanges })) return false
  asPage(() => native.execCommand(document, name, false, text))
  return true
}

/** the target ranges of an edit; none in Chromium before 90, where a script cannot make them */
function selectedRanges(document: Document): StaticRange[] {
  const selection = native.selectionOf(document)
  try {
    return selection?.rangeCount ? [new StaticRange(selection.getRangeAt(0))] : []
  } catch {
    return []
  }
}

/** Replaces the content of an editable element: typed, or pasted if typing has no effect. */
function replaceAll(field: Field, value: string): () => boolean {
  const { node, target } = field
  const isFilled = () => hasValue(field, value)
  const selectAll = () => native.selectionOf(target.document)?.selectAllChildren(node)
  selectAll()
  if (!editCommand(target.document, value ? 'insertText' : 'delete', value) || isFilled()) return isFilled
  selectAll()
  if (!pasteText(node, value) && !isFilled()) throw engineError('not_committed', say`${target} does not take text from a script`)
  return isFilled
}

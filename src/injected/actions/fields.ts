import { say, term } from '../../contract/message.ts'
import type { SecretRules } from '../../contract/secret-place.ts'
import { statesOf } from '../../engine/accessibility/states.ts'
import type { Dom } from '../../engine/dom.ts'
import { redacted } from '../../engine/secrets.ts'
import { cut, textBelow } from '../../engine/text.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { isWithin, unveiled } from '../view/dom.ts'
import { focusedIn } from '../view/focused.ts'
import { sceneOf } from '../view/scene.ts'
import type { Target } from '../view/target.ts'
import { fieldValue } from './change-event.ts'
import { bare, drawnText, editorAround, hasEditorText, maxComparedText } from './editors.ts'
import { focusElement } from './focus.ts'
import { isFormatted, wordsOf } from './formatted-value.ts'
import { reportState, requireEnabled, visibleElement } from './target.ts'

/** input types whose text is typed, those whose value is set at once, and those without text */
const textTypes = /^(text|search|url|tel|email|password|number|)$/
const valueTypes = /^(date|month|week|time|datetime-local|color|range)$/
const otherTypes = /^(checkbox|radio|button|submit|reset|image|file|hidden)$/
const valueFormats: { readonly [type: string]: string } = {
  date: 'yyyy-mm-dd',
  month: 'yyyy-mm',
  week: 'yyyy-Www',
  time: 'hh:mm',
  'datetime-local': 'yyyy-mm-ddThh:mm',
  color: '#rrggbb',
}
/** the selection API does not work for these */
const typesWithoutCaret = /^(email|number)$/

/** how deep in an editor its lines are */
const maxEditorLevels = 8

/** An element that takes text: a form field or an editable element. */
export interface Field {
  readonly target: Target
  readonly node: Element
  readonly tag: string
  readonly type: string
}

/** whether its value is set at once instead of typed */
export const isValueField = (field: Field): boolean => valueTypes.test(field.type)

const typeOf = (dom: Dom<Node>, node: Node) => {
  const type = (dom.attr(node, 'type') ?? '').toLowerCase()
  // an unknown type means text
  return dom.tag(node) === 'input' && (otherTypes.test(type) || valueTypes.test(type) || textTypes.test(type)) ? type : ''
}

/** The field of a target: the element itself, or the only field in it. Throws unless it is enabled, writable and drawn. */
export function fieldOf(target: Target): Field {
  const { dom } = target
  const node = findEditable(target)
  const field = node && { target: { ...target, node }, node, tag: dom.tag(node), type: typeOf(dom, node) }
  if (!field || otherTypes.test(field.type))
    throw engineError('not_editable', say`${target} takes no text${field?.type === 'file' ? '; use upload' : ''}`)
  requireEnabled(field.target)
  if (statesOf(dom, field.node, '').readonly) throw engineError('not_editable', say`${target} is read-only`)
  visibleElement(field.target, 'nearest')
  reportState(target)
  return field
}

function findEditable(target: Target): Element | null {
  const { dom, node } = target
  if (/^(input|textarea)$/.test(dom.tag(node)) || dom.is(node, 'editable') || native.editContext(node)) return node
  const found: Element[] = []
  const stack: Node[] = [node]
  for (let each = stack.pop(); each && found.length < 2; each = stack.pop()) {
    if (/^(input|textarea)$/.test(dom.tag(each)) || (dom.tag(each) && dom.is(each, 'editable'))) {
      if (!dom.hidden(each)) found.push(each as Element)
    } else if (dom.tag(each)) for (const child of Array.from(dom.children(each))) stack.push(child)
  }
  return found.length === 1 ? (found[0] as Element) : found.length ? null : findKeyField(target)
}

/** The field that receives the keys of an editor, if the target is most of what the editor draws. */
function findKeyField(target: Target): Element | null {
  const { dom, node, session } = target
  const heightOf = (element: Node) => sceneOf(session, node).layout?.box(element)?.height ?? 0
  for (let each = dom.parent(node), steps = 0; each && steps < maxEditorLevels; each = dom.parent(each), steps++) {
    const fields = native.elementAll(each, 'input,textarea,select,[contenteditable]')
    if (!fields.length) continue
    const field = fields[0] as Element
    const editor = fields.length === 1 && editorAround({ target: { ...target, node: field }, node: field, tag: dom.tag(field), type: '' })
    return editor && heightOf(node) * 2 > heightOf(editor) ? field : null
  }
  return null
}

/** Throws unless a secret may be entered in a field, by the origin of its document and by what it shows. */
export function requireSecretPlace(target: Target, node: Node, { origins, place }: SecretRules): void {
  // a page cannot redefine its location
  const origin = native.defaultView(target.document)?.location.origin ?? ''
  if (!origins.includes(origin)) throw engineError('secret_not_allowed', say`the secret is not for the origin of the frame of ${target}`)
  const { dom, session } = target
  const isMasked =
    /^password$/i.test(dom.attr(node, 'type') ?? '') ||
    !/^(none|)$/.test(native.styleValue(node, '-webkit-text-security')) ||
    session.secretFields.wasPassword(node)
  if (place !== 'any' && !isMasked && !(place === 'code' && dom.secret(node)))
    throw engineError('secret_not_allowed', say`${target} would show the secret, which is not declared visible`)
}

/** Focuses a field; a pending `change` of the field before it is fired on the way, as for a person. */
export function focusField(target: Target): void {
  const { node, document, dom } = target
  if (focusElement(node)) return
  // a field may pass the focus on to an element inside it
  if (!isWithin(dom, focusedIn(document), node))
    throw engineError('element_blocked', say`${target} cannot have the focus: something in front of it keeps it`)
}

export const setRawValue = ({ node, tag }: Field, value: string) =>
  (tag === 'input' ? native.setInputValue : native.setTextareaValue)(node, value)

/** Refuses a text that the field cannot contain, before anything changes. */
export function requireAcceptable(field: Field, value: string): void {
  const max = maxLengthOf(field)
  if (field.type === 'number' && Number.isNaN(Number(wordsOf(value).join(''))))
    throw engineError('not_committed', say`${field.target} takes a number`)
  if (value.length > max) throw engineError('not_committed', say`${field.target} takes at most ${max} characters`)
}

/** browsers ignore maxlength for numbers, and negative ones */
export function maxLengthOf({ node, type }: Field): number {
  const max = Number.parseInt(native.getAttribute(node, 'maxlength') ?? '', 10)
  return max >= 0 && type !== 'number' && !valueTypes.test(type) ? max : Infinity
}

/** Sets the value of a field without firing events. Restores the old value and throws if the field rejects the new one. */
export function setFieldValue(field: Field, value: string): void {
  const { type, node, target } = field
  const before = fieldValue(node) as string
  setRawValue(field, value)
  if (hasValue(field, value)) return
  setRawValue(field, before)
  const format = valueFormats[type]
  throw engineError('not_committed', say`${target} takes no such value${format ? say`; write it as ${term(format)}` : ''}`, {
    page: { value: shownValue(field) },
  })
}

/** Whether a field contains what was entered, perhaps as the page formats it. In a password every character counts. */
export function holdsValue(field: Field, value: string): boolean {
  const { node, type } = field
  const current = fieldValue(node)
  if (hasValue(field, value)) return true
  return current !== undefined && !isValueField(field) && type !== 'password' && !editorAround(field) && isFormatted(current, value)
}

/** The value for a failure; of a secret only its length. */
export function shownValue({ node, target: { dom } }: Field): string {
  const value = dom.value(node)
  return value === redacted ? `${Array.from(fieldValue(node) ?? '').length} characters` : cut(value, 40)
}

/** Whether a field or an editable element contains exactly this text. */
export function hasValue(field: Field, value: string): boolean {
  const { node } = field
  const editor = editorAround(field)
  if (editor) return hasEditorText(field, editor, value)
  const current = fieldValue(node)
  if (current !== undefined) return isSameValue(field, current, value)
  return drawnText(field, node) === bare(value)
}

const isSameValue = ({ type }: Field, current: string, wanted: string) => {
  const normalize = (text: string) => text.replace(/\r\n?/g, '\n')
  return type === 'color'
    ? current === wanted.toLowerCase()
    : normalize(current) === normalize(wanted) || (type === 'range' && Number(current) === Number(wanted))
}

/**
 * The text to compare before and after typing; it never leaves the page, so secrets are not redacted. An editor with an edit context reports
 * the lines at its caret.
 */
export const comparableText = ({ node, target: { dom } }: Field): string =>
  native.editContext(node)?.text ?? fieldValue(node) ?? unveiled(() => textBelow(dom, node, { max: maxComparedText }))

/** Focuses a field for typing, with the caret at the end unless it has the focus already. */
export function startTyping(field: Field): void {
  const { target, node } = field
  if (isValueField(field)) throw engineError('not_editable', say`${target} is set as a whole; use fill`)
  const hadFocus = focusedIn(target.document) === node
  focusField(target)
  if (!hadFocus) moveCaretToEnd(field)
}

interface TextSelection {
  readonly selectionStart: number | null
  readonly selectionEnd: number | null
  setSelectionRange(start: number, end: number): void
}

export const hasCaret = ({ node, type }: Field) => fieldValue(node) !== undefined && !typesWithoutCaret.test(type) && !valueTypes.test(type)

export function selectText(field: Field, start: number, end = start): void {
  if (hasCaret(field)) (field.node as unknown as TextSelection).setSelectionRange(start, end)
  else field.target.session.actions.selectedField = start < end ? field.node : null
}

export function moveCaretToEnd(field: Field): void {
  const value = fieldValue(field.node)
  const selection = value === undefined ? native.selectionOf(field.target.document) : null
  if (value !== undefined) selectText(field, value.length)
  selection?.selectAllChildren(field.node)
  selection?.collapseToEnd()
}

/** the text of a field, also of a number that is incomplete, and its selection */
export function textSelection(field: Field): { text: string; start: number; end: number } {
  const { partialText, selectedField } = field.target.session.actions
  const text = fieldValue(field.node) || partialText.get(field.node) || ''
  if (!hasCaret(field)) return { text, start: selectedField === field.node ? 0 : text.length, end: text.length }
  const { selectionStart, selectionEnd } = field.node as unknown as TextSelection
  return { text, start: selectionStart ?? text.length, end: selectionEnd ?? text.length }
}

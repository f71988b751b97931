import type { Dom } from '../../engine/dom.ts'
import { statesOf } from '../../engine/states.ts'
import { cut, textBelow } from '../../engine/text.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import { deferChange, dispatchChange, fieldValue } from './change-event.ts'
import { send } from './events.ts'
import { focusedIn, focusOn } from './focus.ts'
import { isWithin, needEnabled, seenOf, type Target } from './target.ts'

/** types whose text is written letter by letter, and those that are set as a whole */
const typed = /^(text|search|url|tel|email|password|number|)$/
const setTypes = /^(date|month|week|time|datetime-local|color|range)$/
const others = /^(checkbox|radio|button|submit|reset|image|file|hidden)$/
const formats: { readonly [type: string]: string } = {
  date: 'yyyy-mm-dd',
  month: 'yyyy-mm',
  week: 'yyyy-Www',
  time: 'hh:mm',
  'datetime-local': 'yyyy-mm-ddThh:mm',
  color: '#rrggbb',
}
/** browsers tell no caret in these */
const caretless = /^(email|number)$/
/** as much of an editor's text as is compared */
const enough = 1_000_000
export const isSet = (field: Field): boolean => setTypes.test(field.type)

/** Something that takes text: a field, or an element that is edited in place. */
export interface Field {
  readonly target: Target
  readonly node: Element
  readonly tag: string
  readonly type: string
}

const typeOf = (dom: Dom<Node>, node: Node) => {
  const said = (dom.attr(node, 'type') ?? '').toLowerCase()
  // a type that no browser knows is text
  return dom.tag(node) === 'input' && (others.test(said) || setTypes.test(said) || typed.test(said)) ? said : ''
}

/** The field that an element is, or the only one in it; it is enabled, can be written to, and is drawn. */
export function fieldOf(target: Target): Field {
  const { dom, ref } = target
  const node = editable(target)
  const field = node && { target: { ...target, node }, node, tag: dom.tag(node), type: typeOf(dom, node) }
  if (!field || others.test(field.type))
    throw engineError('not_editable', `${ref} takes no text${field?.type === 'file' ? '; use upload' : ''}`)
  needEnabled(field.target)
  if (statesOf(dom, field.node, '').readonly) throw engineError('not_editable', `${ref} is read-only`)
  seenOf(field.target, 'nearest')
  return field
}

function editable({ dom, node }: Target): Element | null {
  if (/^(input|textarea)$/.test(dom.tag(node)) || dom.is(node, 'editable') || native.editContext(node)) return node
  const inside: Element[] = []
  const stack: Node[] = [node]
  for (let each = stack.pop(); each && inside.length < 2; each = stack.pop()) {
    if (/^(input|textarea)$/.test(dom.tag(each)) || (dom.tag(each) && dom.is(each, 'editable'))) {
      if (!dom.hidden(each)) inside.push(each as Element)
    } else if (dom.tag(each)) for (const child of Array.from(dom.children(each))) stack.push(child)
  }
  return inside.length === 1 ? (inside[0] as Element) : null
}

/** The field has the focus: as with a person, what was written in another one is committed on the way. */
export function enter({ node, document, dom, ref }: Target): void {
  if (focusOn(node)) return
  // a field may hand the focus to something inside itself
  if (!isWithin(dom, focusedIn(document), node))
    throw engineError('element_blocked', `${ref} cannot have the focus: something in front of it keeps it`)
}

const setValue = ({ node, tag }: Field, value: string) => (tag === 'input' ? native.setInputValue : native.setTextareaValue)(node, value)

/** Replaces everything in a field. Returns what must be true afterwards. */
export function fill(field: Field, value: string, commit: boolean): () => boolean {
  enter(field.target)
  if (fieldValue(field.node) === undefined) return replaceAll(field, value)
  const before = fieldValue(field.node) as string
  const { type, node } = field
  half.delete(node)
  needRoom(field, value)
  const inputType = value ? 'insertText' : 'deleteContentBackward'
  const told = { inputType, data: value || null }
  if (!setTypes.test(type) && !send(node, 'InputEvent', 'beforeinput', told))
    throw engineError('not_committed', `the page refused the text`)
  put(field, value)
  toEnd(field)
  send(node, 'InputEvent', 'input', { ...told, cancelable: false })
  if (commit || setTypes.test(type)) dispatchChange(node)
  else if (value !== before) deferChange(node, before)
  const isHeld = () => holds(field, value)
  if (!isHeld())
    throw engineError('not_committed', `the page changed it: ${field.target.ref} holds "${cut(field.target.dom.value(node), 40)}" now`)
  return isHeld
}

export function needRoom(field: Field, value: string): void {
  if (value.length > lengthOf(field)) throw engineError('not_committed', `${field.target.ref} takes at most ${lengthOf(field)} characters`)
}

/** Sets what a field holds, without a word to the page; a value that it does not take is taken back. */
export function put(field: Field, value: string): void {
  const { type, node, target } = field
  const before = fieldValue(node) as string
  setValue(field, value)
  if (holds(field, value)) return
  const got = target.dom.value(node)
  setValue(field, before)
  const format = formats[type] ? `; write it as ${formats[type]}` : ''
  throw engineError('not_committed', `${target.ref} takes no such value: it would hold "${cut(got, 40)}"${format}`)
}

/** Whether a field, or an element that is edited in place, holds this and nothing else. */
export function holds(field: Field, value: string): boolean {
  const { node, target } = field
  const held = fieldValue(node)
  if (held !== undefined) return same(field, held, value)
  const bare = (text: string) => text.replace(/[\s\u200b\ufeff]+/g, '')
  const drawnIn = (element: Node) => bare(textBelow(target.dom, element, { shown: each => !target.dom.hidden(each), max: enough }))
  const lines = native.editContext(node)
  if (!lines) return drawnIn(node) === bare(value)
  const wanted = bare(value)
  const told = bare(lines.text)
  const drawn = drawnIn(seenOf(target).drawn)
  const each = value.split('\n')
  // it tells the lines at its caret and shows those in view; of a long text these are the last ones
  if (each.length > 9) {
    const plain = (text: string) => text.replace(/\d/g, '')
    return (!!told && wanted.endsWith(told)) || (!!plain(drawn) && plain(wanted).endsWith(plain(drawn)))
  }
  // the numbers of lines may stand before all of them, or each before its own
  const numbers = each.map((_, i) => i + 1).join('')
  const numbered = each.map((line, i) => i + 1 + bare(line)).join('')
  return told === wanted || drawn === wanted || drawn === numbers + wanted || drawn === numbered
}

/** what can be told of the text; an editor that draws it elsewhere tells the lines at its caret */
export const shown = ({ node, target }: Field): string => native.editContext(node)?.text ?? target.dom.value(node)

const same = ({ type }: Field, held: string, wanted: string) => {
  const plain = (text: string) => text.replace(/\r\n?/g, '\n')
  return type === 'color'
    ? held === wanted.toLowerCase()
    : plain(held) === plain(wanted) || (type === 'range' && Number(held) === Number(wanted))
}

/** browsers know no length for numbers, and none below 0 */
function lengthOf({ node, type }: Field): number {
  const said = Number.parseInt(native.getAttribute(node, 'maxlength') ?? '', 10)
  return said >= 0 && type !== 'number' && !setTypes.test(type) ? said : Infinity
}

interface Ranged {
  readonly selectionStart: number | null
  readonly selectionEnd: number | null
  setSelectionRange(start: number, end: number): void
}

/** what was typed into a field that tells no caret, and is no whole number yet: such a field holds nothing by its own account */
const half = new WeakMap<Node, string>()
/** such a field whose text is selected, which is all of it or nothing */
let whole: Node | null = null

const hasCaret = ({ node, type }: Field) => fieldValue(node) !== undefined && !caretless.test(type) && !setTypes.test(type)

export function caretTo(field: Field, start: number, end = start): void {
  if (hasCaret(field)) (field.node as unknown as Ranged).setSelectionRange(start, end)
  else whole = start < end ? field.node : null
}
export function toEnd(field: Field): void {
  const value = fieldValue(field.node)
  const selection = value === undefined ? native.selectionOf(field.target.document) : null
  if (value !== undefined) caretTo(field, value.length)
  selection?.selectAllChildren(field.node)
  selection?.collapseToEnd()
}

/** what is written, as far as it is, and where the caret stands in it; a number that is half written is none to the browser */
export function written(field: Field): { text: string; start: number; end: number } {
  const text = fieldValue(field.node) || half.get(field.node) || ''
  if (!hasCaret(field)) return { text, start: whole === field.node ? 0 : text.length, end: text.length }
  const { selectionStart, selectionEnd } = field.node as unknown as Ranged
  return { text, start: selectionStart ?? text.length, end: selectionEnd ?? text.length }
}

/** Puts `text` in place of what stands from `start` to `end`. False when the page, or the length of the field, did not let it. */
export function edit(field: Field, start: number, end: number, text: string, inputType = 'insertText'): boolean {
  const { node } = field
  const before = written(field).text
  const next = before.slice(0, start) + text + before.slice(end)
  if ((text && next.length > lengthOf(field)) || !send(node, 'InputEvent', 'beforeinput', { inputType, data: text || null })) return false
  const was = fieldValue(node) as string
  setValue(field, next)
  caretTo(field, start + text.length)
  if (!hasCaret(field)) half.set(node, fieldValue(node) ? '' : next)
  send(node, 'InputEvent', 'input', { inputType, data: text || null, cancelable: false })
  deferChange(node, was)
  return true
}

/** Writes at the caret, over what is selected. */
export function insert(field: Field, text: string): boolean {
  const { node, target } = field
  if (native.editContext(node)) return hand(node, text)
  if (fieldValue(node) === undefined) return command(target.document, 'insertText', text)
  const { start, end } = written(field)
  return edit(field, start, end, text)
}

const inputTypes = new Map([
  ['insertText', 'insertText'],
  ['insertParagraph', 'insertParagraph'],
  ['insertLineBreak', 'insertLineBreak'],
  ['delete', 'deleteContentBackward'],
  ['forwardDelete', 'deleteContentForward'],
])

/** The browser's own editing, for what is edited in place; false where an editor that keeps its text elsewhere took it over. */
export function command(document: Document, name: string, text = ''): boolean {
  const inputType = inputTypes.get(name)
  const node = inputType && focusedIn(document)
  const selection = native.selectionOf(document)
  const targetRanges = selection?.rangeCount && typeof StaticRange === 'function' ? [new StaticRange(selection.getRangeAt(0))] : []
  // browsers ask the page before a person's input, but not before a script's
  if (node && !send(node, 'InputEvent', 'beforeinput', { inputType, data: text || null, targetRanges })) return false
  asPage(() => native.execCommand(document, name, false, text))
  return true
}

/** Text for what draws it elsewhere, by https://w3c.github.io/edit-context/ or on its own: it comes as a new line, or as pasted. */
export function hand(node: Element, text: string): boolean {
  if (text === '\n') return !send(node, 'InputEvent', 'beforeinput', { inputType: 'insertParagraph', data: null })
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  // an editor that takes a paste prevents what the browser would do, and may do its own later
  return !send(node, 'ClipboardEvent', 'paste', { clipboardData })
}

/** Everything in an element that is edited in place: as typed, or where that does nothing, as pasted. */
function replaceAll(field: Field, value: string): () => boolean {
  const {
    node,
    target: { document, ref },
  } = field
  const isDone = () => holds(field, value)
  const all = () => native.selectionOf(document)?.selectAllChildren(node)
  all()
  if (!command(document, value ? 'insertText' : 'delete', value) || isDone()) return isDone
  all()
  if (!hand(node, value) && !isDone()) throw engineError('not_committed', `${ref} does not take text from a script`)
  return isDone
}

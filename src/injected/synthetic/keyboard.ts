import { type Key, parseKey } from '../../contract/keys.ts'
import type { Dom } from '../../engine/dom.ts'
import { cut } from '../../engine/text.ts'
import { dispatchChange, fieldValue, flushChange } from '../actions/change-event.ts'
import { send } from '../actions/events.ts'
import { caretTo, command, edit, type Field, hand, insert, isSet, written } from '../actions/fields.ts'
import { focusedIn, focusNext, focusOn } from '../actions/focus.ts'
import { scrollFrom } from '../actions/scroll.ts'
import { isWithin, type Target } from '../actions/target.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import { withModifiers } from './pointer.ts'

export function keyOf(given: unknown): Key {
  const key = parseKey(given)
  if (!key) throw engineError('invalid_key', `no such key: ${cut(`${given}`, 40)}`)
  return key
}

const init = ({ key, code, keyCode, modifiers }: Key) => ({ key, code, keyCode, which: keyCode, ...withModifiers(modifiers) })

/** Presses and releases a key on what has the focus. */
export function pressKey(target: Target, key: Key): void {
  const { modifiers } = key
  const hold = (type: string, at: number, down: number) => {
    const held = { ...(parseKey(modifiers[at]) as Key), modifiers: modifiers.slice(0, at + down) }
    send(focus(target), 'KeyboardEvent', type, init(held))
  }
  for (let at = 0; at < modifiers.length; at++) hold('keydown', at, 1)
  keyDown(target, key)
  keyUp(target, key)
  for (let at = modifiers.length - 1; at >= 0; at--) hold('keyup', at, 0)
}

const focus = ({ document }: Pick<Target, 'document'>): Element => focusedIn(document) ?? (native.bodyOf(document) as Element)

/** what Space was pressed on, and would press when it is let go */
let armed: Node | null = null

export function keyDown(target: Target, key: Key): void {
  const node = focus(target)
  armed = null
  if (!send(node, 'KeyboardEvent', 'keydown', init(key)) || !native.isConnected(node)) return
  if (key.text && !keypress(node, key)) return
  // a handler may have moved the focus, or taken the element away
  if (native.isConnected(node) && focus(target) === node) act({ ...target, node }, key)
}

/** Whether what follows is left to us. WebKit lets a made keypress of Enter press a button and send a form; the others do not. */
function keypress(node: Element, key: Key): boolean {
  const charCode = key.text.charCodeAt(0)
  const press = () => send(node, 'KeyboardEvent', 'keypress', { ...init(key), keyCode: charCode, which: charCode, charCode })
  if (key.key !== 'Enter') return press()
  const view = native.defaultView(native.ownerDocument(node) as Document) as Window
  let isLet: boolean | undefined
  // heard last of all, where the page does not stop it before
  const hear = (event: Event) => {
    isLet = !event.defaultPrevented
    event.preventDefault()
  }
  native.listen(view, 'keypress', hear, {})
  const isOurs = press()
  native.unlisten(view, 'keypress', hear, {})
  return isLet ?? (isOurs && !pressesItself())
}

/** tried on a form that is in no page */
function pressesItself(): boolean {
  const [form, field, button] = ['form', 'input', 'button'].map(tag => native.createElement(document, tag)) as [Element, Element, Element]
  let isPressed = false
  native.listen(
    button,
    'click',
    event => {
      isPressed = true
      event.preventDefault()
    },
    {},
  )
  native.appendChild(form, field)
  native.appendChild(form, button)
  send(field, 'KeyboardEvent', 'keypress', { key: 'Enter', keyCode: 13, which: 13, charCode: 13 })
  return isPressed
}

export function keyUp(target: Target, key: Key): void {
  const node = focus(target)
  const isLet = send(node, 'KeyboardEvent', 'keyup', init(key))
  // Space presses a button when it is let go, if it was pressed there and nobody prevented that
  if (isLet && key.key === ' ' && armed === node) click(node)
}

/** tag and type of an element */
const kindOf = (dom: Dom<Node>, node: Node) => `${dom.tag(node)} ${dom.attr(node, 'type') ?? ''}`.toLowerCase()
const pressedBySpace = /^(button |summary |input (checkbox|radio|button|submit|reset|file|image|color)$)/
const pressedByEnter = /^(button |summary |input (button|submit|reset|file|image|color)$)/

const click = (node: Element) => send(node, 'PointerEvent', 'click', { detail: 0, pointerId: -1 })

/** What the browser itself does for a key that nobody prevented. Fields first, then controls, then the page. */
function act(target: Target, key: Key): void {
  const { dom, node, document } = target
  const kind = kindOf(dom, node)
  const { key: name, modifiers } = key
  const mod = modifiers.includes('Control') || modifiers.includes('Meta')
  const [tag = '', type = ''] = kind.split(' ')
  const isField = fieldValue(node) !== undefined && !notWritten.test(type)
  if (name === 'Tab') focusNext(dom, document, modifiers.includes('Shift'))
  else if (name === 'Escape') closeTop(dom, document)
  else if (native.editContext(node)) !mod && key.text && hand(node, name === 'Enter' ? '\n' : key.text)
  else if (dom.is(node, 'editable')) editInPlace(document, key, mod)
  else if (isField) inField({ target, node, tag, type }, key, mod)
  else if (tag === 'select' && /^Arrow|^Home|^End/.test(name)) chooseNext(dom, node, name)
  else if (type === 'radio' && /^Arrow/.test(name)) nextRadio(dom, node, /Right|Down/.test(name))
  else if (name === 'Enter' && (pressedByEnter.test(kind) || native.matches(node, 'a[href],area[href]'))) click(node)
  else if (name === 'Enter' && tag === 'input') submitFrom(target, tag)
  else if (name === ' ' && pressedBySpace.test(kind)) armed = node
  else if (!mod && tag !== 'select') scrollFrom(target.session, node, key)
}

const notWritten = /checkbox|radio|button|submit|reset|image|file/
const stepped = /number|range|date|time|month|week/

/** a letter, a deletion, a step or a move of the caret; Enter sends the form, and other keys scroll */
function inField(field: Field, key: Key, mod: boolean): void {
  const { target, node, tag, type } = field
  const isRange = type === 'range'
  // a range is never read-only
  const isLocked = !isRange && target.dom.attr(node, 'readonly') !== null
  const moves = isRange ? /^Arrow/ : /^Arrow(Up|Down)/
  if (stepped.test(type) && moves.test(key.key)) isLocked || step(field, /Up|Right/.test(key.key) ? 1 : -1)
  else if (!isLocked && !isSet(field) && writes(field, key, mod)) return
  else if (key.key === 'Enter') submitFrom(target, tag)
  else if (key.key.length > 1 && !isSet(field)) scrollFrom(target.session, node, key)
}

/** false for a key that means nothing in a field */
function writes(field: Field, { key, text }: Key, mod: boolean): boolean {
  const { text: all, start, end } = written(field)
  if (mod) {
    if (key.toLowerCase() !== 'a') return false
    caretTo(field, 0, all.length)
    return true
  }
  if (key === 'Enter') return field.tag === 'textarea' && (edit(field, start, end, '\n', 'insertLineBreak') || true)
  if (text) return insert(field, text) || true
  const back = start === end ? start - ([...all.slice(0, start)].pop() ?? '').length : start
  const on = start === end ? end + ([...all.slice(end)][0] ?? '').length : end
  if (key === 'Backspace') return back < end && edit(field, back, end, '', 'deleteContentBackward')
  if (key === 'Delete') return start < on && edit(field, start, on, '', 'deleteContentForward')
  const to = { ArrowLeft: start === end ? back : start, ArrowRight: start === end ? on : end, Home: 0, End: all.length }[key]
  if (to === undefined) return false
  caretTo(field, to)
  return true
}

function editInPlace(document: Document, { key, text, modifiers }: Key, mod: boolean): void {
  if (mod) return void (key.toLowerCase() === 'a' && command(document, 'selectAll'))
  if (key === 'Enter') command(document, modifiers.includes('Shift') ? 'insertLineBreak' : 'insertParagraph')
  else if (text) command(document, 'insertText', text)
  else if (key === 'Backspace') command(document, 'delete')
  else if (key === 'Delete') command(document, 'forwardDelete')
  else if (/^Arrow(Left|Right)|^Home|^End/.test(key))
    native
      .selectionOf(document)
      ?.modify('move', /Left|Home/.test(key) ? 'backward' : 'forward', /Arrow/.test(key) ? 'character' : 'lineboundary')
}

/** Enter in a field: what was written is committed, and its form is sent if it would be, https://html.spec.whatwg.org/#implicit-submission */
function submitFrom({ node, dom }: Target, tag: string): void {
  flushChange(node)
  const form = tag === 'input' && native.isConnected(node) ? native.formOf(node) : null
  if (!form) return
  const all = native.formElements(form)
  let fields = 0
  for (let i = 0; i < all.length; i++) {
    const each = all[i] as Element
    const [what = '', type = ''] = kindOf(dom, each).split(' ')
    if (what === 'button' ? !/^(button|reset)$/.test(type) : what === 'input' && /^(submit|image)$/.test(type))
      return void (dom.is(each, 'disabled') || click(each)) // its default button, or nothing at all
    if (what === 'input' && !/checkbox|radio|hidden|file|range|color|button|reset/.test(type)) fields++
  }
  if (fields === 1 && native.requestSubmit) asPage(() => native.requestSubmit?.(form))
}

/** what opened last and closes by itself goes; else the topmost modal dialog asks to be closed */
function closeTop(dom: Dom<Node>, document: Document): void {
  const popovers = native.hidePopover ? Array.from(native.allOf(document, '[popover]:not([popover=manual]):popover-open')) : []
  const last = popovers.pop()
  if (last) asPage(() => native.hidePopover?.(last))
  if (last) return
  const all = Array.from(native.allOf(document, 'dialog[open]'))
    .filter(each => dom.is(each, 'modal'))
    .reverse()
  const top = all.find(each => isWithin(dom, focusedIn(document), each)) ?? all[0]
  if (top && send(top, 'Event', 'cancel', { bubbles: false, composed: false })) asPage(() => native.closeDialog?.(top))
}

function step({ node }: Field, by: number): void {
  const before = fieldValue(node)
  try {
    native.stepUp(node, by)
  } catch {
    // step=any has none to take; a number then goes by one
    if (Number.isFinite(Number(before))) native.setInputValue(node, `${Number(before) + by}`)
  }
  if (fieldValue(node) === before) return
  send(node, 'Event', 'input', { cancelable: false })
  dispatchChange(node)
}

function chooseNext(dom: Dom<Node>, select: Element, name: string): void {
  const options = Array.from(dom.options(select)).filter(option => !dom.is(option, 'disabled'))
  const at = options.findIndex(option => dom.is(option, 'selected'))
  const to = name === 'Home' ? 0 : name === 'End' ? options.length - 1 : at + (/Down|Right/.test(name) ? 1 : -1)
  const next = options[to]
  if (!next || to === at) return
  for (const each of options) native.setOptionSelected(each, false) // a list of several keeps them otherwise
  native.setOptionSelected(next, true)
  send(select, 'Event', 'input', { cancelable: false })
  dispatchChange(select)
}

function nextRadio(dom: Dom<Node>, radio: Element, on: boolean): void {
  const name = dom.attr(radio, 'name')
  if (!name) return
  const all = native.allOf(native.getRootNode(radio), `input[type=radio][name=${native.stringify(name)}]`)
  const group = Array.from(all).filter(each => native.formOf(each) === native.formOf(radio) && !dom.is(each, 'disabled'))
  const next = group[(group.indexOf(radio) + (on ? 1 : group.length - 1)) % group.length]
  if (!next || next === radio) return
  focusOn(next)
  click(next)
}

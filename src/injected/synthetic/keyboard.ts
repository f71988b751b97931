import { isModifier, type Key, parseKey } from '../../contract/keys.ts'
import { quoted, say } from '../../contract/message.ts'
import type { Dom } from '../../engine/dom.ts'
import { dispatchInputAndChange, fieldValue, flushChange } from '../actions/change-event.ts'
import { pasteText } from '../actions/editors.ts'
import { send } from '../actions/events.ts'
import { type Field, isValueField, selectText, textSelection } from '../actions/fields.ts'
import { focusElement, focusNext } from '../actions/focus.ts'
import { scrollByKey } from '../actions/scroll.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import { isWithin } from '../view/dom.ts'
import { focusedIn } from '../view/focused.ts'
import type { Target } from '../view/target.ts'
import { editCommand, insertText, replaceText } from './editing.ts'
import { modifierFlags } from './pointer.ts'

export function requireKey(given: unknown): Key {
  const key = parseKey(given)
  if (!key) throw engineError('invalid_key', say`no such key: ${quoted(given, 40)}`)
  return key
}

const eventInit = ({ key, code, keyCode, modifiers }: Key) => ({ key, code, keyCode, which: keyCode, ...modifierFlags(modifiers) })

/** Presses and releases a key on the focused element. */
export function pressKey(target: Target, key: Key): void {
  const { modifiers } = key
  const sendModifier = (type: string, at: number, down: number) => {
    const modifier = { ...(parseKey(modifiers[at]) as Key), modifiers: modifiers.slice(0, at + down) }
    send(keyTarget(target), 'KeyboardEvent', type, eventInit(modifier))
  }
  for (let at = 0; at < modifiers.length; at++) sendModifier('keydown', at, 1)
  keyDown(target, key)
  keyUp(target, key)
  for (let at = modifiers.length - 1; at >= 0; at--) sendModifier('keyup', at, 0)
}

const keyTarget = ({ document }: Pick<Target, 'document'>): Element => focusedIn(document) ?? (native.bodyOf(document) as Element)

export function keyDown(target: Target, key: Key): void {
  const node = keyTarget(target)
  target.session.actions.spaceTarget = null
  // a modifier that is pressed alone is held during its own keydown
  const init = eventInit(isModifier(key.key) ? { ...key, modifiers: [...key.modifiers, key.key] } : key)
  if (!send(node, 'KeyboardEvent', 'keydown', init) || !native.isConnected(node)) return
  if (key.text && !sendKeypress(node, key)) return
  // a handler may have moved the focus or removed the element
  if (native.isConnected(node) && keyTarget(target) === node) defaultAction({ ...target, node }, key)
}

/** Whether the default action is left to this script. WebKit clicks and submits for a synthetic keypress of Enter; the others do not. */
function sendKeypress(node: Element, key: Key): boolean {
  const charCode = key.text.charCodeAt(0)
  const press = () => send(node, 'KeyboardEvent', 'keypress', { ...eventInit(key), keyCode: charCode, which: charCode, charCode })
  if (key.key !== 'Enter') return press()
  const view = native.defaultView(native.ownerDocument(node) as Document) as Window
  let isAllowed: boolean | undefined
  // runs last, unless the page stops the event before
  const listener = (event: Event) => {
    isAllowed = !event.defaultPrevented
    event.preventDefault()
  }
  native.listen(view, 'keypress', listener, {})
  const isDispatched = press()
  native.unlisten(view, 'keypress', listener, {})
  return isAllowed ?? (isDispatched && !clicksOnKeypress())
}

/** tests the browser with a form that is not in the page */
function clicksOnKeypress(): boolean {
  const [form, field, button] = ['form', 'input', 'button'].map(tag => native.createElement(document, tag)) as [Element, Element, Element]
  let isClicked = false
  native.listen(
    button,
    'click',
    event => {
      isClicked = true
      event.preventDefault()
    },
    {},
  )
  native.appendChild(form, field)
  native.appendChild(form, button)
  send(field, 'KeyboardEvent', 'keypress', { key: 'Enter', keyCode: 13, which: 13, charCode: 13 })
  return isClicked
}

export function keyUp(target: Target, key: Key): void {
  const node = keyTarget(target)
  const isAllowed = send(node, 'KeyboardEvent', 'keyup', eventInit(key))
  // Space clicks on keyup, if it was pressed on the same element and no handler prevented it
  if (isAllowed && key.key === ' ' && target.session.actions.spaceTarget === node) click(node)
}

/** tag and type of an element */
const kindOf = (dom: Dom<Node>, node: Node) => `${dom.tag(node)} ${dom.attr(node, 'type') ?? ''}`.toLowerCase()
const clickedBySpace = /^(button |summary |input (checkbox|radio|button|submit|reset|file|image|color)$)/
const clickedByEnter = /^(button |summary |input (button|submit|reset|file|image|color)$)/

const click = (node: Element) => send(node, 'PointerEvent', 'click', { detail: 0, pointerId: -1 })

/** Control or Meta turns a key into a shortcut */
const isShortcut = ({ modifiers }: Key) => modifiers.includes('Control') || modifiers.includes('Meta')

/** The default action of a browser for a key that no handler prevented. */
function defaultAction(target: Target, key: Key): void {
  const { dom, node, document } = target
  const [tag = '', type = ''] = kindOf(dom, node).split(' ')
  if (key.key === 'Tab') focusNext(dom, document, key.modifiers.includes('Shift'))
  else if (key.key === 'Escape') closeTopmost(dom, document)
  else if (native.editContext(node)) {
    if (!isShortcut(key) && key.text) pasteText(node, key.key === 'Enter' ? '\n' : key.text)
  } else if (dom.is(node, 'editable')) keyInEditor(document, key)
  else if (fieldValue(node) !== undefined && !typesWithoutText.test(type)) keyInField({ target, node, tag, type }, key)
  else keyOnControl(target, key)
}

const typesWithoutText = /checkbox|radio|button|submit|reset|image|file/

/** selects, radios, buttons and links; other keys scroll the page */
function keyOnControl(target: Target, key: Key): void {
  const { dom, node, session } = target
  const kind = kindOf(dom, node)
  const [tag = '', type = ''] = kind.split(' ')
  const name = key.key
  if (tag === 'select' && /^Arrow|^Home|^End/.test(name)) selectNextOption(dom, node, name)
  else if (type === 'radio' && /^Arrow/.test(name)) selectNextRadio(dom, node, /Right|Down/.test(name))
  else if (name === 'Enter' && (clickedByEnter.test(kind) || native.matches(node, 'a[href],area[href]'))) click(node)
  else if (name === 'Enter' && tag === 'input') submitImplicitly(target, tag)
  else if (name === ' ' && clickedBySpace.test(kind)) session.actions.spaceTarget = node
  else if (!isShortcut(key) && tag !== 'select') scrollByKey(session, node, key)
}

const typesWithSteps = /number|range|date|time|month|week/

/** text, deletion, a step or a caret move; Enter submits the form, and other keys scroll */
function keyInField(field: Field, key: Key): void {
  const { target, node, tag, type } = field
  const isRange = type === 'range'
  // `readonly` does not apply to a range
  const isReadonly = !isRange && target.dom.attr(node, 'readonly') !== null
  const stepKeys = isRange ? /^Arrow/ : /^Arrow(Up|Down)/
  if (typesWithSteps.test(type) && stepKeys.test(key.key)) {
    if (!isReadonly) stepValue(field, /Up|Right/.test(key.key) ? 1 : -1)
    return
  }
  if (!isReadonly && !isValueField(field) && editField(field, key)) return
  if (key.key === 'Enter') submitImplicitly(target, tag)
  else if (key.key.length > 1 && !isValueField(field)) scrollByKey(target.session, node, key)
}

/** Types, deletes or moves the caret; false for a key without a meaning in a field. */
function editField(field: Field, key: Key): boolean {
  const { text, start, end } = textSelection(field)
  const isCollapsed = start === end
  const before = isCollapsed ? start - ([...text.slice(0, start)].pop() ?? '').length : start
  const after = isCollapsed ? end + ([...text.slice(end)][0] ?? '').length : end
  if (isShortcut(key)) {
    if (key.key.toLowerCase() !== 'a') return false
    selectText(field, 0, text.length)
    return true
  }
  if (key.key === 'Enter') {
    if (field.tag !== 'textarea') return false
    replaceText(field, start, end, '\n', 'insertLineBreak')
    return true
  }
  if (key.text) {
    insertText(field, key.text)
    return true
  }
  if (key.key === 'Backspace') return before < end && replaceText(field, before, end, '', 'deleteContentBackward')
  if (key.key === 'Delete') return start < after && replaceText(field, start, after, '', 'deleteContentForward')
  const caret = { ArrowLeft: before, ArrowRight: after, Home: 0, End: text.length }[key.key]
  if (caret === undefined) return false
  selectText(field, caret)
  return true
}

function keyInEditor(document: Document, key: Key): void {
  const name = key.key
  if (isShortcut(key)) {
    if (name.toLowerCase() === 'a') editCommand(document, 'selectAll')
  } else if (name === 'Enter') editCommand(document, key.modifiers.includes('Shift') ? 'insertLineBreak' : 'insertParagraph')
  else if (key.text) editCommand(document, 'insertText', key.text)
  else if (name === 'Backspace') editCommand(document, 'delete')
  else if (name === 'Delete') editCommand(document, 'forwardDelete')
  else if (/^Arrow(Left|Right)|^Home|^End/.test(name))
    native
      .selectionOf(document)
      ?.modify('move', /Left|Home/.test(name) ? 'backward' : 'forward', /Arrow/.test(name) ? 'character' : 'lineboundary')
}

/** Enter in a field fires a pending `change` and submits the form, https://html.spec.whatwg.org/#implicit-submission */
function submitImplicitly({ node, dom }: Target, tag: string): void {
  flushChange(node)
  const form = tag === 'input' && native.isConnected(node) ? native.formOf(node) : null
  if (!form) return
  const all = native.formElements(form)
  let fields = 0
  for (let i = 0; i < all.length; i++) {
    const each = all[i] as Element
    const [eachTag = '', type = ''] = kindOf(dom, each).split(' ')
    if (eachTag === 'button' ? !/^(button|reset)$/.test(type) : eachTag === 'input' && /^(submit|image)$/.test(type)) {
      // the default button; if it is disabled, nothing happens
      if (!dom.is(each, 'disabled')) click(each)
      return
    }
    if (eachTag === 'input' && !/checkbox|radio|hidden|file|range|color|button|reset/.test(type)) fields++
  }
  if (fields === 1 && native.requestSubmit) asPage(() => native.requestSubmit?.(form))
}

/** Closes the last popover with light dismiss, else asks the topmost modal dialog to close. */
function closeTopmost(dom: Dom<Node>, document: Document): void {
  const popovers = native.hidePopover ? Array.from(native.allOf(document, '[popover]:not([popover=manual]):popover-open')) : []
  const popover = popovers.pop()
  if (popover) {
    asPage(() => native.hidePopover?.(popover))
    return
  }
  const dialogs = Array.from(native.allOf(document, 'dialog[open]'))
    .filter(each => dom.is(each, 'modal'))
    .reverse()
  const top = dialogs.find(each => isWithin(dom, focusedIn(document), each)) ?? dialogs[0]
  if (top && send(top, 'Event', 'cancel', { bubbles: false, composed: false })) asPage(() => native.closeDialog?.(top))
}

function stepValue({ node }: Field, by: number): void {
  const before = fieldValue(node)
  try {
    native.stepUp(node, by)
  } catch {
    // step=any has no step; a number then changes by one
    if (Number.isFinite(Number(before))) native.setInputValue(node, `${Number(before) + by}`)
  }
  if (fieldValue(node) !== before) dispatchInputAndChange(node)
}

function selectNextOption(dom: Dom<Node>, select: Element, name: string): void {
  const options = Array.from(dom.options(select)).filter(option => !dom.is(option, 'disabled'))
  const at = options.findIndex(option => dom.is(option, 'selected'))
  const to = name === 'Home' ? 0 : name === 'End' ? options.length - 1 : at + (/Down|Right/.test(name) ? 1 : -1)
  const next = options[to]
  if (!next || to === at) return
  for (const each of options) native.setOptionSelected(each, false) // a multiple select keeps them otherwise
  native.setOptionSelected(next, true)
  dispatchInputAndChange(select)
}

function selectNextRadio(dom: Dom<Node>, radio: Element, forward: boolean): void {
  const name = dom.attr(radio, 'name')
  if (!name) return
  const all = native.allOf(native.getRootNode(radio), `input[type=radio][name=${native.stringify(name)}]`)
  const group = Array.from(all).filter(each => native.formOf(each) === native.formOf(radio) && !dom.is(each, 'disabled'))
  const next = group[(group.indexOf(radio) + (forward ? 1 : group.length - 1)) % group.length]
  if (!next || next === radio) return
  focusElement(next)
  click(next)
}

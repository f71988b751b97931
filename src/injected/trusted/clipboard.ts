// The clipboard of the browser belongs to its user: what the session copies, cuts and pastes never goes there. The page gets the events with
// a clipboard that is empty but for the text of the session; the driver keeps the text.
import { isClipboardKey } from '../../contract/clipboard-keys.ts'
import { fieldValue } from '../actions/change-event.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { liveDom } from '../view/dom.ts'
import { focusedIn } from '../view/focused.ts'
import type { SecretFields } from '../view/secret-fields.ts'

/** What was copied or cut. */
export interface CopiedText {
  readonly text: string
  /** it comes from a secret field */
  readonly isSecret: boolean
}

/** a page may use the clipboard for so long after a click: https://html.spec.whatwg.org/#transient-activation-duration */
const activationMs = 5_000

type ClipboardEventType = 'copy' | 'cut' | 'paste'

interface ClipboardGuardOptions {
  readonly secretFields: SecretFields
  /** no listener of the page was added before those of the guard */
  readonly isFirst: boolean
  /** receives what the page has copied or cut by itself */
  report(copied: CopiedText): void
}

/** A press of a key that copies, cuts or pastes. */
interface KeyState {
  readonly event: Event
  /** whether the page has canceled it; undefined if it has stopped the event on its way */
  wasCanceled?: boolean
  /** the browser has carried it out */
  isDone?: boolean
}

/**
 * Keeps the commands of the page away from the user's clipboard while the session, or a person in the live view, operates the page:
 * `document.execCommand('copy')` in a handler, or a press of the middle button. What the user does in the window is not touched.
 */
export class ClipboardGuard {
  readonly #secretFields: SecretFields
  readonly #isFirst: boolean
  readonly #report: (copied: CopiedText) => void
  #isActing = false
  #guardedUntil = 0
  #key: KeyState | undefined

  constructor({ secretFields, isFirst, report }: ClipboardGuardOptions) {
    this.#secretFields = secretFields
    this.#isFirst = isFirst
    this.#report = report
    this.#isActing = isParentGuarded()
    for (const type of ['copy', 'cut', 'paste'])
      native.listen(globalThis, type, event => this.#intercept(event as ClipboardEvent), { capture: true })
    for (const type of ['keydown', 'mousedown']) native.listen(globalThis, type, event => this.#onInput(event), { capture: true })
  }

  begin(): void {
    this.#isActing = true
  }

  end(): void {
    this.#isActing = false
    this.#guardedUntil = performance.now() + activationMs
  }

  get isActing(): boolean {
    return this.#isActing
  }

  /** Whether the page has canceled the last key press, or the browser has carried it out. Tells it once. */
  takeHandledKey(): boolean {
    const key = this.#key
    this.#key = undefined
    return key !== undefined && (key.isDone === true || (key.wasCanceled ?? key.event.defaultPrevented))
  }

  /** Copies or cuts the selection, or what the page puts in its place. */
  copy(type: 'copy' | 'cut', focus: Element | null): CopiedText {
    const dom = liveDom(this.#secretFields)
    const selected = selectedText(focus)
    const isSecret = focus !== null && dom.secret(focus)
    const data = new DataTransfer()
    const isHandled = !dispatch(type, focus, data)
    const text = isHandled ? data.getData('text/plain') : selected
    // as in a password field, nothing is cut that was not copied
    if (type === 'cut' && !isHandled && !isSecret && selected) native.execCommand(document, 'delete', false, '')
    return { text, isSecret }
  }

  paste(text: string, focus: Element | null): void {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    if (dispatch('paste', focus, data) && text) native.execCommand(document, 'insertText', false, text)
  }

  #onInput(event: Event): void {
    if (!event.isTrusted) return
    if (!this.#isActing) this.#guardedUntil = 0
    else if (event.type === 'keydown' && isClipboardKey(pressOf(event as KeyboardEvent))) this.#cancelCommand(event)
  }

  /** Cancels the command of the browser after the listeners of the page, or before them if they could get its clipboard. */
  #cancelCommand(event: Event): void {
    const key: KeyState = { event }
    this.#key = key
    if (!this.#isFirst) {
      key.wasCanceled = event.defaultPrevented
      event.preventDefault()
      return
    }
    const cancel = () => {
      key.wasCanceled = event.defaultPrevented
      event.preventDefault()
    }
    native.listen(globalThis, 'keydown', cancel, { once: true })
    native.later(() => native.unlisten(globalThis, 'keydown', cancel, {}), 0)
  }

  #intercept(event: ClipboardEvent): void {
    if (!event.isTrusted || (!this.#isActing && performance.now() > this.#guardedUntil)) return
    event.stopImmediatePropagation()
    event.preventDefault()
    if (this.#key && event.type !== 'paste') this.#key.isDone = true
    if (event.type === 'paste') return
    // a canceled copy writes what its listeners have set, and one of the page may have run before
    event.clipboardData?.clearData()
    this.#report(this.copy(event.type as 'copy' | 'cut', focusedIn(document)))
  }
}

const pressOf = ({ key, keyCode, altKey: alt, ctrlKey: control, metaKey: meta, shiftKey: shift }: KeyboardEvent) => ({
  key,
  keyCode,
  modifiers: { alt, control, meta, shift },
})

/** A frame that a page adds while it handles a key is guarded from its first moment. */
function isParentGuarded(): boolean {
  try {
    return (parent as unknown as GuardedWindow).__agentBrowser?.isGuarded?.() === true
  } catch {
    return false // a frame of another origin: the driver guards it
  }
}
interface GuardedWindow {
  readonly __agentBrowser?: { readonly isGuarded?: () => boolean }
}

/** Returns false if the page has handled the event itself. */
function dispatch(type: ClipboardEventType, focus: Element | null, clipboardData: DataTransfer): boolean {
  const event = new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true, composed: true })
  return native.dispatch(focus ?? selectionElement() ?? native.bodyOf(document) ?? document, event)
}

function selectionElement(): Element | null {
  const node = native.selectionOf(document)?.anchorNode ?? null
  return node && native.nodeType(node) !== 1 ? (native.parentNode(node) as Element | null) : (node as Element | null)
}

function selectedText(focus: Element | null): string {
  const value = focus ? fieldValue(focus) : undefined
  const { selectionStart, selectionEnd } = (value === undefined ? {} : focus) as Partial<HTMLInputElement>
  if (value !== undefined && typeof selectionStart === 'number' && typeof selectionEnd === 'number')
    return value.slice(selectionStart, selectionEnd)
  return `${native.selectionOf(document) ?? ''}`
}

export interface ClipboardPayload {
  readonly command: ClipboardEventType
  /** the text of the session, for `paste` */
  readonly text: string
}

export const clipboardMethods = {
  /** Carries out a command of the focused element; null if keys go to another frame. */
  useClipboard: ({ clipboard, secretFields }: Session, { command, text }: ClipboardPayload): CopiedText | 'done' | null => {
    const focus = focusedIn(document)
    if (!clipboard || !native.hasFocus(document) || (focus && /^(i?frame|object|embed)$/i.test(native.nodeName(focus) ?? ''))) return null
    if (clipboard.takeHandledKey()) return 'done'
    if (command !== 'paste') return clipboard.copy(command, focus)
    clipboard.paste(text, focus)
    if (focus) liveDom(secretFields).value(focus)
    return 'done'
  },
}

// Keys go to whatever has the focus, and a handler of the page may move it while a command types. The keys of a judged command reach the
// element that was judged, and nothing else that they could operate.
import { hasKeyFocus } from '../actions/inspect.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { isWithin, liveDom } from '../view/dom.ts'
import { focusedIn } from '../view/focused.ts'

/** these move the focus, the caret or a choice, and activate nothing */
const moveKeys = /^(Tab|Escape|Shift|Control|Alt|Meta|CapsLock|F\d+|Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End)$/
const textTypes = /^(|text|search|tel|url|email|number|password)$/

export class KeyGuard {
  readonly #session: Session
  #isActing = false
  #target: Node | undefined
  #hasStopped = false
  /** the last key that was pressed, until the pointer is */
  #key: string | undefined

  constructor(session: Session) {
    this.#session = session
    this.#listen()
  }

  /** a command with a judged target begins to press keys; without a ref they go to the element that had the focus when it was judged */
  begin(): void {
    this.#listen()
    this.#isActing = true
  }

  end(): void {
    this.#isActing = false
    this.#target = undefined
    this.#key = undefined
    this.#hasStopped = false
    this.#session.judgedFocus = undefined
  }

  /** the element of the command, which is about to get the focus */
  aim(target: Node): void {
    this.#target = target
  }

  get isActing(): boolean {
    return this.#isActing
  }

  /** whether a key was kept from another control */
  get hasStopped(): boolean {
    return this.#hasStopped
  }

  check(event: Event): void {
    if (event.type === 'pointerdown') this.#key = undefined
    else if (event.type === 'click') this.#checkClick(event as MouseEvent)
    else this.#checkKey(event as KeyboardEvent)
  }

  #checkKey(event: KeyboardEvent): void {
    this.#key = event.key
    if (moveKeys.test(event.key)) return
    const focused = focusedAt(event)
    const isText = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (focused ? this.#isJudged(focused) || (isText && this.#takesText(focused)) : this.#judged && isPage(this.#judged)) return
    stop(event)
    // a key is released where the focus is by then, and a key that has taken the focus off every control operates none
    if (event.type === 'keydown' || (event.type === 'keypress' && focused)) this.#hasStopped = true
  }

  /** Space and Enter click the element that has the focus, and Enter in a field the default button of its form. */
  #checkClick(event: MouseEvent): void {
    if (event.detail !== 0 || this.#key === undefined || moveKeys.test(this.#key)) return
    const clicked = event.composedPath()[0] as Node
    const focused = focusedAt(event)
    // the path of an event does not include nodes of a closed shadow root
    if (this.#isJudged(focused && native.shadowRoot(clicked) ? focused : clicked) || this.#isDefaultButton(clicked)) return
    stop(event)
    this.#hasStopped = true
  }

  get #judged(): Node | undefined {
    return this.#target ?? this.#session.judgedFocus
  }

  /** The element itself, and the field in it or around it that gets its focus. */
  #isJudged(node: Node): boolean {
    const judged = this.#judged
    if (!judged || node === judged) return judged !== undefined
    if (isPage(judged)) return isPage(node)
    const dom = liveDom(this.#session.secretFields)
    const isEditable = (each: Node) => isTextField(each) || dom.is(each, 'editable')
    if (isWithin(dom, judged, node)) return dom.is(node, 'editable')
    if (!isWithin(dom, node, judged)) return false
    // Enter may send the form of a field in it, which was not judged
    return this.#session.judged.get(judged)?.has(node) === true || (isEditable(node) && (this.#key !== 'Enter' || isEditable(judged)))
  }

  /** fields for the digits of a code pass the focus on */
  #takesText(node: Node): boolean {
    const { secretFields } = this.#session
    const judged = this.#judged
    const isSecret = (each: Node) => liveDom(secretFields).secret(each)
    return judged !== undefined && isTextField(judged) && isTextField(node) && (!isSecret(node) || isSecret(judged))
  }

  #isDefaultButton(node: Node): boolean {
    const form = this.#judged && this.#key === 'Enter' ? native.formAround(this.#judged) : null
    return !!form && isTextField(this.#judged as Node) && native.formAround(node) === form
  }

  #listen(): void {
    for (const type of ['keydown', 'keypress', 'keyup', 'click', 'pointerdown']) native.listen(globalThis, type, onEvent, { capture: true })
  }
}

/** no element has the focus */
const isPage = (node: Node): boolean => /^(body|html)$/i.test(native.nodeName(node) ?? '')

function onEvent(event: Event): void {
  if (event.isTrusted) actingGuard()?.check(event)
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** the element that gets a key, which is in this document; null if it is its body */
const focusedAt = (event: Event): Node | null => focusedIn(document) ?? (hasKeyFocus() ? null : (event.composedPath()[0] as Node))

function isTextField(node: Node): boolean {
  const tag = (native.nodeName(node) ?? '').toLowerCase()
  return tag === 'textarea' || (tag === 'input' && textTypes.test((native.getAttribute(node, 'type') ?? '').toLowerCase()))
}

/** The guard of this document, or of the one around it whose engine operates this one. */
function actingGuard(): KeyGuard | undefined {
  let view = globalThis as unknown as GuardedWindow
  try {
    for (;;) {
      const guard = view.__agentBrowser?.keyGuard?.()
      if (guard?.isActing) return guard
      if (view.parent === view) return undefined
      view = view.parent
    }
  } catch {
    return undefined // a frame of another origin: the driver guards it
  }
}
interface GuardedWindow {
  readonly __agentBrowser?: { readonly keyGuard?: () => KeyGuard | undefined }
  readonly parent: GuardedWindow
}

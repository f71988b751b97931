// Paints over what shows a secret, so that no picture contains it. Paused animations change what is drawn, but neither the document nor its
// style sheets.
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { liveDom, unveiled } from '../view/dom.ts'

const [animate] = native.methods<[(self: Element, frames: Keyframe[], options: object) => Animation]>('Element', 'animate')
const [createTreeWalker] = native.methods<[(self: Document, root: Node, show: number) => TreeWalker]>('Document', 'createTreeWalker')

/** no contrast makes one gray of the text, its selection and the background */
const cover: Keyframe = {
  filter: 'contrast(0)',
  backgroundColor: '#808080',
  backgroundImage: 'none',
  boxShadow: 'inset 0 0 0 9999px #808080',
}
const fields = 'input:not([type=hidden]),textarea,select,[contenteditable]'
const unread = /^(script|style|noscript|template|title|textarea)$/i
const maxElements = 200_000
/** a value that a script sets is reported by no event */
const pollMs = 500
const maxRefreshShare = 20

function paint(element: Element): Animation {
  const animation = animate(element, [cover, cover], { duration: 1, fill: 'both' })
  animation.pause()
  return animation
}

/** A set of painted elements; the screenshot and the live view have one each. */
class Covers {
  readonly #animations = new Map<Element, Animation>()
  /** how often an element was covered */
  added = 0

  get size(): number {
    return this.#animations.size
  }

  add(element: Element): void {
    if (this.#animations.get(element)?.playState === 'paused') return
    this.#animations.set(element, paint(element))
    this.added++
  }

  hides(node: Node): boolean {
    for (let each: Node | null = node; each; each = native.parentNode(each) ?? null) if (this.#animations.has(each as Element)) return true
    return false
  }

  lift(): void {
    for (const animation of this.#animations.values()) animation.cancel()
  }

  restore(): void {
    for (const element of this.#animations.keys()) this.#animations.set(element, paint(element))
  }

  /** Uncovers all elements that are not among these. */
  keep(elements: ReadonlySet<Element>): void {
    for (const [element, animation] of this.#animations) {
      if (elements.has(element)) continue
      animation.cancel()
      this.#animations.delete(element)
    }
  }
}

interface SecretSearch {
  /** the source of a regular expression that finds the secrets of the session; '' if there are none */
  readonly pattern: string
  /** an empty field, and one that hides its characters, show nothing; how many there are is a matter of the page */
  readonly isLive: boolean
}

/** The elements that show a secret: fields that hold one, and elements with the text of one. */
function shownSecrets({ secretFields }: Session, { pattern, isLive }: SecretSearch): ReadonlySet<Element> {
  const found = new Set<Element>()
  const secrets = pattern ? new RegExp(pattern, 'i') : undefined
  const dom = liveDom(secretFields)
  for (const root of roots()) {
    for (const field of Array.from(native.allOf(root, fields))) {
      const isEditor = dom.is(field, 'editable') && !native.matches(field, 'input,textarea')
      const value = isEditor ? (native.textContent(field) ?? '').trim() : unveiled(() => dom.value(field))
      const isMasked = isLive && (dom.attr(field, 'type') ?? '').toLowerCase() === 'password'
      if (!isMasked && ((dom.secret(field) && (isLive || value)) || secrets?.test(value))) found.add(field)
    }
    if (secrets) for (const element of textsWith(root, secrets)) found.add(element)
  }
  return found
}

/** The document and its shadow roots. */
function roots(): readonly Node[] {
  const found: Node[] = [document]
  let visits = 0
  for (const root of found) {
    const elements = native.allOf(root, '*')
    for (let at = 0; at < elements.length && visits++ < maxElements; at++) {
      const inner = native.shadowRoot(elements[at] as Element)
      if (inner) found.push(inner)
    }
  }
  return found
}

/** The innermost elements around texts that contain a secret. */
function* textsWith(root: Node, secrets: RegExp): Iterable<Element> {
  const top = native.nodeType(root) === 9 ? native.documentElement(root) : root
  if (!top || !secrets.test(native.textContent(top) ?? '')) return
  const walker = createTreeWalker(document, top, 4)
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (!secrets.test(native.nodeValue(text) ?? '')) continue
    const parent = native.parentNode(text) as Element | null
    const element = parent && native.nodeType(parent) === 11 ? native.hostOf(parent) : parent
    if (element && !unread.test(native.nodeName(element) ?? '')) yield element
  }
}

/** The covers of a document. */
export class SecretCovers {
  readonly #session: Session
  readonly #picture = new Covers()
  readonly #live = new Covers()
  #pattern = ''
  #secrets: RegExp | undefined
  #observer: MutationObserver | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #nextRefresh = 0

  constructor(session: Session) {
    this.#session = session
  }

  /** the animations that are not those of the page */
  get size(): number {
    return this.#picture.size + this.#live.size
  }

  /** whether a node is painted over */
  hides(node: Node): boolean {
    return this.#picture.hides(node) || this.#live.hides(node)
  }

  /** Reads the page as it is without covers. Nothing is drawn meanwhile. */
  lifted<T>(read: () => T): T {
    if (this.size === 0) return read()
    this.#picture.lift()
    this.#live.lift()
    try {
      return read()
    } finally {
      this.#picture.restore()
      this.#live.restore()
    }
  }

  coverForPicture(pattern: string): number {
    for (const element of shownSecrets(this.#session, { pattern, isLive: false })) this.#picture.add(element)
    return this.#picture.size
  }

  endPicture(): void {
    this.#picture.keep(new Set())
  }

  /** Covers secrets from now on, as soon as the page shows them. Returns how often an element was covered since the document began. */
  startLive(pattern: string): number {
    this.#pattern = pattern
    this.#secrets = pattern ? new RegExp(pattern, 'i') : undefined
    if (!this.#observer) {
      this.#observer = native.observe(records => this.#onMutations(records))
      this.#observer.observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
        attributeFilter: ['type'],
      })
      native.listen(globalThis, 'input', this.#refreshNow, { capture: true })
      this.#timer = setInterval(() => this.#refresh(), pollMs)
    }
    this.#refreshNow()
    return this.#live.added
  }

  endLive(): void {
    this.#observer?.disconnect()
    this.#observer = undefined
    clearInterval(this.#timer)
    native.unlisten(globalThis, 'input', this.#refreshNow, { capture: true })
    this.#live.keep(new Set())
  }

  /** A field, or a text with a secret, is covered before it is drawn. What is gone is uncovered when there is time. */
  #onMutations(records: readonly MutationRecord[]): void {
    let isField = false
    for (const { type, target, addedNodes } of records) {
      isField ||= type === 'attributes'
      if (type === 'characterData') this.#coverText(target)
      for (const node of Array.from(addedNodes)) {
        this.#coverText(node)
        isField ||= native.nodeType(node) === 1 && (native.matches(node, fields) || native.elementAll(node, fields).length > 0)
      }
    }
    if (isField) this.#refreshNow()
    else if (this.#secrets) this.#refresh()
  }

  #coverText(node: Node): void {
    if (!this.#secrets?.test((native.nodeType(node) === 3 ? native.nodeValue(node) : native.textContent(node)) ?? '')) return
    const root = native.nodeType(node) === 3 ? native.parentNode(node) : node
    if (root) for (const element of textsWith(root, this.#secrets)) this.#live.add(element)
  }

  /** Takes at most a small share of the time of the page. */
  #refresh(): void {
    if (native.now() >= this.#nextRefresh) this.#refreshNow()
  }

  readonly #refreshNow = (): void => {
    const begin = native.now()
    const shown = shownSecrets(this.#session, { pattern: this.#pattern, isLive: true })
    for (const element of shown) this.#live.add(element)
    this.#live.keep(shown)
    this.#nextRefresh = native.now() + (native.now() - begin) * maxRefreshShare
  }
}

export const coverMethods = {
  /** Paints over what shows a secret, until `uncoverPicture`; returns the number of elements. */
  coverPicture: ({ covers }: Session, { pattern }: { readonly pattern: string }) => covers?.coverForPicture(pattern) ?? 0,
  uncoverPicture: ({ covers }: Session) => covers?.endPicture(),
  coverLive: ({ covers }: Session, { pattern }: { readonly pattern: string }) => covers?.startLive(pattern) ?? 0,
  uncoverLive: ({ covers }: Session) => covers?.endLive(),
}

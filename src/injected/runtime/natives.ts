/**
 * DOM accessors as they were at injection, called on a node directly: an <input name=nodeType> shadows a property of its form,
 * and a page may patch a prototype, but neither reaches these.
 */
const { getOwnPropertyDescriptor, defineProperty } = Object
const { call } = Function.prototype
/** `uncurry(f)(self, …)` is `f.call(self, …)` without asking the page for `call` */
export const uncurry = call.bind.bind(call as never) as unknown as (method: unknown) => (self: object, ...args: unknown[]) => unknown

export type Get<T> = (self: object) => T | undefined
export type Call<F extends (...args: never[]) => unknown> = (self: object, ...args: Parameters<F>) => ReturnType<F>

export function describe(of: string, name: string): PropertyDescriptor | undefined {
  const prototype = (globalThis as unknown as Record<string, { prototype: object } | undefined>)[of]?.prototype
  return prototype && getOwnPropertyDescriptor(prototype, name)
}

export const nothing = () => undefined

/** getters of an interface by name; one that the engine does not have answers undefined */
export function getters<T extends unknown[]>(of: string, names: string): T {
  return names.split(' ').map(name => {
    const get = describe(of, name)?.get
    return get ? uncurry(get) : nothing
  }) as T
}

/** the same for an interface that a node may only seem to have: a script can make an <input> of SVG */
export function unsure<T extends unknown[]>(of: string, names: string): T {
  return getters<Get<unknown>[]>(of, names).map(get => (self: object) => {
    try {
      return get(self)
    } catch {
      return undefined // not one of those elements
    }
  }) as T
}

/** methods of an interface by name; null where the engine has none */
export function methods<T extends unknown[]>(of: string, names: string): T {
  return names.split(' ').map(name => {
    const method = describe(of, name)?.value
    return method ? uncurry(method) : null
  }) as T
}

export const [nodeType, nodeName, nodeValue, parentNode, firstChild, nextSibling, isConnected, ownerDocument] = getters<
  [Get<number>, Get<string>, Get<string>, Get<Node>, Get<Node>, Get<Node>, Get<boolean>, Get<Document>]
>('Node', 'nodeType nodeName nodeValue parentNode firstChild nextSibling isConnected ownerDocument')
export const [getRootNode] = methods<[Call<() => Node>]>('Node', 'getRootNode')

const [namespaceURI, openRoot, assignedSlot] = getters<[Get<string>, Get<ShadowRoot>, Get<Element>]>(
  'Element',
  'namespaceURI shadowRoot assignedSlot',
)

export { assignedSlot, namespaceURI }

const closedRoots = new WeakMap<object, ShadowRoot>()
// no script sees a closed root; once a driver hands one over, `adopt` widens this for as long as the document lives
export let shadowRoot = openRoot
export function adopt(host: Element, root: ShadowRoot): void {
  if (hostOf(root) !== host) return // it would make a circle
  closedRoots.set(host, root)
  shadowRoot = self => openRoot(self) ?? closedRoots.get(self)
}
type Length = Get<number>
export const [scrollHeight, clientHeight, clientWidth, clientLeft, clientTop, scrollLeft, scrollTop] = getters<
  [Length, Length, Length, Length, Length, Length, Length]
>('Element', 'scrollHeight clientHeight clientWidth clientLeft clientTop scrollLeft scrollTop')
/** checkVisibility is absent before Chromium 105, Safari 17.4, Firefox 106 */
export const [getAttribute, hasAttributes, setAttribute, matches, getBoundingClientRect, getClientRects, checkVisibility] = methods<
  [
    Call<(name: string) => string | null>,
    Call<() => boolean>,
    Call<(name: string, value: string) => void>,
    Call<(selector: string) => boolean>,
    Call<() => DOMRect>,
    Call<() => DOMRectList>,
    Call<(options: object) => boolean> | null,
  ]
>('Element', 'getAttribute hasAttributes setAttribute matches getBoundingClientRect getClientRects checkVisibility')
export const [textAssignedSlot] = getters<[Get<Element>]>('Text', 'assignedSlot')
export const [assignedNodes] = methods<[Call<() => Node[]> | null]>('HTMLSlotElement', 'assignedNodes')
export const [hostOf, shadowActiveElement] = getters<[Get<Element>, Get<Element>]>('ShadowRoot', 'host activeElement')

export const [isContentEditable, onclick] = unsure<[Get<boolean>, Get<unknown>]>('HTMLElement', 'isContentEditable onclick')
export const [inputValue, inputChecked, inputIndeterminate] = unsure<[Get<string>, Get<boolean>, Get<boolean>]>(
  'HTMLInputElement',
  'value checked indeterminate',
)
export const [textareaValue] = unsure<[Get<string>]>('HTMLTextAreaElement', 'value')
export const [selectOptions] = unsure<[Get<ArrayLike<Element>>]>('HTMLSelectElement', 'options')
export const [optionSelected, optionText] = unsure<[Get<boolean>, Get<string>]>('HTMLOptionElement', 'selected text')
export const [iframeDocument] = unsure<[Get<Document>]>('HTMLIFrameElement', 'contentDocument')

export const [controlOf] = unsure<[Get<Element>]>('HTMLLabelElement', 'control')

export const [documentElement, bodyOf, titleOf, readyState, documentURL, defaultView, activeElement, scrollingElement] = getters<
  [Get<Element>, Get<Element>, Get<string>, Get<string>, Get<string>, Get<Window>, Get<Element>, Get<Element>]
>('Document', 'documentElement body title readyState URL defaultView activeElement scrollingElement')
type ById = Call<(id: string) => Element | null>
type AtPoint = Call<(x: number, y: number) => Element | null>
type AllOf = Call<(selector: string) => NodeListOf<Element>>
export const [querySelector, documentById, documentFromPoint, documentAll] = methods<[ById, ById, AtPoint, AllOf]>(
  'Document',
  'querySelector getElementById elementFromPoint querySelectorAll',
)
const [fragmentById, fragmentAll] = methods<[ById, AllOf]>('DocumentFragment', 'getElementById querySelectorAll')
const [shadowFromPoint, shadowAllFromPoint] = methods<[AtPoint | null, Call<(x: number, y: number) => Element[]> | null]>(
  'ShadowRoot',
  'elementFromPoint elementsFromPoint',
)

/** in a document or a shadow root; what is in neither is not looked at */
export const byId = (root: Node, id: string): Element | null =>
  isConnected(root) ? (nodeType(root) === 9 ? documentById : fragmentById)(root, id) : null
export const allOf = (root: Node, selector: string): ArrayLike<Element> =>
  isConnected(root) ? (nodeType(root) === 9 ? documentAll : fragmentAll)(root, selector) : []

/** the innermost element at a point of a document's own viewport, through open shadow roots */
export function elementAt(document: Document, x: number, y: number): Element | null {
  let hit = documentFromPoint(document, x, y)
  for (let root = hit && shadowRoot(hit); root && shadowFromPoint; root = hit && shadowRoot(hit)) {
    let inner = shadowFromPoint(root, x, y)
    // text in a slot is its host's by this answer, but a click on it goes to the slot
    if (!inner || inner === hit) inner = shadowAllFromPoint?.(root, x, y)[0] ?? null
    if (!inner || inner === hit || getRootNode(inner) !== root) break
    hit = inner
  }
  return hit
}

const computedStyle = globalThis.getComputedStyle.bind(globalThis)
const [propertyValue] = methods<[Call<(name: string) => string>]>('CSSStyleDeclaration', 'getPropertyValue')
/** reads computed properties of one element, or of what CSS generates in it */
export function styleOf(node: Node, pseudo?: string): (property: string) => string {
  const style = computedStyle(node as Element, pseudo)
  return property => propertyValue(style, property)
}

export const now: () => number = performance.now.bind(performance)
export const wallClock: () => number = Date.now
export const stringify = JSON.stringify
/** a global that nobody can replace or change; where the page has such a one already, it stays */
export function lock(name: string, value: object): void {
  try {
    defineProperty(globalThis, name, { value, writable: false, configurable: false })
  } catch {
    // the expressions of the host find that it has not the seal, and say so
  }
}

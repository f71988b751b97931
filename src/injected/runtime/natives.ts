/**
 * DOM accessors captured at injection and called on a node directly: neither an <input name=nodeType>, which shadows a property of its form,
 * nor a prototype that the page patches affects them.
 */
const { getOwnPropertyDescriptor, defineProperty } = Object
const { call } = Function.prototype
/** `uncurry(f)(self, …)` is `f.call(self, …)` without reading `call` from the page */
export const uncurry = call.bind.bind(call as never) as unknown as (method: unknown) => (self: object, ...args: unknown[]) => unknown

export type Get<T> = (self: object) => T | undefined
export type Call<F extends (...args: never[]) => unknown> = (self: object, ...args: Parameters<F>) => ReturnType<F>

export function describe(of: string, name: string): PropertyDescriptor | undefined {
  const prototype = (globalThis as unknown as Record<string, { prototype: object } | undefined>)[of]?.prototype
  return prototype && getOwnPropertyDescriptor(prototype, name)
}

export const nothing = () => undefined

/** getters of an interface by name; a getter that the browser lacks returns undefined */
export function getters<T extends unknown[]>(of: string, names: string): T {
  return names.split(' ').map(name => {
    const get = describe(of, name)?.get
    return get ? uncurry(get) : nothing
  }) as T
}

/** getters that return undefined for a node of another interface: a script can create an <input> in the SVG namespace */
export function unsure<T extends unknown[]>(of: string, names: string): T {
  return getters<Get<unknown>[]>(of, names).map(get => (self: object) => {
    try {
      return get(self)
    } catch {
      return undefined // not an element of that interface
    }
  }) as T
}

/** methods of an interface by name; null if the browser lacks the method */
export function methods<T extends unknown[]>(of: string, names: string): T {
  return names.split(' ').map(name => {
    const method = describe(of, name)?.value
    return method ? uncurry(method) : null
  }) as T
}

export const [nodeType, nodeName, nodeValue, parentNode, firstChild, nextSibling, isConnected, ownerDocument, textContent] = getters<
  [Get<number>, Get<string>, Get<string>, Get<Node>, Get<Node>, Get<Node>, Get<boolean>, Get<Document>, Get<string>]
>('Node', 'nodeType nodeName nodeValue parentNode firstChild nextSibling isConnected ownerDocument textContent')
export const [getRootNode] = methods<[Call<() => Node>]>('Node', 'getRootNode')

const [namespaceURI, openRoot, assignedSlot] = getters<[Get<string>, Get<ShadowRoot>, Get<Element>]>(
  'Element',
  'namespaceURI shadowRoot assignedSlot',
)

export { assignedSlot, namespaceURI }

const closedRoots = new WeakMap<object, ShadowRoot>()
// scripts cannot see a closed root; `adopt` replaces this function once a driver has passed one on
export let shadowRoot = openRoot
export function adopt(host: Element, root: ShadowRoot): void {
  if (hostOf(root) !== host) return // the flat tree would have a cycle
  closedRoots.set(host, root)
  shadowRoot = self => openRoot(self) ?? closedRoots.get(self)
}
type Length = Get<number>
export const [scrollHeight, clientHeight, clientWidth, clientLeft, clientTop, scrollLeft, scrollTop] = getters<
  [Length, Length, Length, Length, Length, Length, Length]
>('Element', 'scrollHeight clientHeight clientWidth clientLeft clientTop scrollLeft scrollTop')
/** checkVisibility is absent before Chromium 105, Safari 17.4, Firefox 106 */
export const [
  getAttribute,
  getAttributeNames,
  hasAttributes,
  setAttribute,
  matches,
  elementAll,
  getBoundingClientRect,
  getClientRects,
  checkVisibility,
] = methods<
  [
    Call<(name: string) => string | null>,
    Call<() => string[]>,
    Call<() => boolean>,
    Call<(name: string, value: string) => void>,
    Call<(selector: string) => boolean>,
    Call<(selector: string) => ArrayLike<Element>>,
    Call<() => DOMRect>,
    Call<() => DOMRectList>,
    Call<(options: object) => boolean> | null,
  ]
>(
  'Element',
  'getAttribute getAttributeNames hasAttributes setAttribute matches querySelectorAll getBoundingClientRect getClientRects checkVisibility',
)
export const [textAssignedSlot] = getters<[Get<Element>]>('Text', 'assignedSlot')
export const [assignedNodes] = methods<[Call<() => Node[]> | null]>('HTMLSlotElement', 'assignedNodes')
export const [hostOf, shadowActiveElement] = getters<[Get<Element>, Get<Element>]>('ShadowRoot', 'host activeElement')

export const [isContentEditable, offsetParent, offsetWidth, offsetHeight] = unsure<[Get<boolean>, Get<Element>, Length, Length]>(
  'HTMLElement',
  'isContentEditable offsetParent offsetWidth offsetHeight',
)
type Handlers = readonly [onclick: Get<unknown>, ondrop: Get<unknown>, ondragover: Get<unknown>]
const handlerNames = 'onclick ondrop ondragover'
/** the handlers that are set as properties, by the namespace of the element: for others the getters throw, which takes long */
export const handlers: { readonly [namespace: string]: Handlers } = {
  'http://www.w3.org/1999/xhtml': unsure<[...Handlers]>('HTMLElement', handlerNames),
  'http://www.w3.org/2000/svg': unsure<[...Handlers]>('SVGElement', handlerNames),
}
export const [inputValue, inputChecked, inputIndeterminate, formOf] = unsure<[Get<string>, Get<boolean>, Get<boolean>, Get<Element>]>(
  'HTMLInputElement',
  'value checked indeterminate form',
)
export const [textareaValue] = unsure<[Get<string>]>('HTMLTextAreaElement', 'value')
export const [selectOptions] = unsure<[Get<ArrayLike<Element>>]>('HTMLSelectElement', 'options')
export const [optionSelected, optionText] = unsure<[Get<boolean>, Get<string>]>('HTMLOptionElement', 'selected text')
const [documentOfIframe] = unsure<[Get<Document>]>('HTMLIFrameElement', 'contentDocument')
const [documentOfFrame] = unsure<[Get<Document>]>('HTMLFrameElement', 'contentDocument')
export const iframeDocument: Get<Document> = element => documentOfIframe(element) ?? documentOfFrame(element)

export const [controlOf] = unsure<[Get<Element>]>('HTMLLabelElement', 'control')

export const [documentElement, bodyOf, titleOf, readyState, documentURL, defaultView, activeElement, scrollingElement] = getters<
  [Get<Element>, Get<Element>, Get<string>, Get<string>, Get<string>, Get<Window>, Get<Element>, Get<Element>]
>('Document', 'documentElement body title readyState URL defaultView activeElement scrollingElement')
type ById = Call<(id: string) => Element | null>
type AtPoint = Call<(x: number, y: number) => Element | null>
type AllAtPoint = Call<(x: number, y: number) => Element[]>
type AllOf = Call<(selector: string) => NodeListOf<Element>>
export const [querySelector, documentById, documentFromPoint, documentAll, documentAllFromPoint] = methods<
  [ById, ById, AtPoint, AllOf, AllAtPoint]
>('Document', 'querySelector getElementById elementFromPoint querySelectorAll elementsFromPoint')
const [fragmentById, fragmentAll] = methods<[ById, AllOf]>('DocumentFragment', 'getElementById querySelectorAll')
const [shadowFromPoint, shadowAllFromPoint] = methods<[AtPoint | null, AllAtPoint | null]>(
  'ShadowRoot',
  'elementFromPoint elementsFromPoint',
)

/** lookups in a document or a shadow root; a root that is not connected has no matches */
export const byId = (root: Node, id: string): Element | null =>
  isConnected(root) ? (nodeType(root) === 9 ? documentById : fragmentById)(root, id) : null
export const allOf = (root: Node, selector: string): ArrayLike<Element> =>
  isConnected(root) ? (nodeType(root) === 9 ? documentAll : fragmentAll)(root, selector) : []

/** the innermost element at a point of the document's own viewport, through open shadow roots */
export function elementAt(document: Document, x: number, y: number): Element | null {
  let hit = documentFromPoint(document, x, y)
  for (let root = hit && shadowRoot(hit); root && shadowFromPoint; root = hit && shadowRoot(hit)) {
    let inner = shadowFromPoint(root, x, y)
    // for text in a slot elementFromPoint returns the host, but a click goes to the slot
    if (!inner || inner === hit) inner = shadowAllFromPoint?.(root, x, y)[0] ?? null
    if (!inner || inner === hit || getRootNode(inner) !== root) break
    hit = inner
  }
  return hit
}

/** all elements at a point of the document's own viewport, topmost first, with those in shadow roots before their hosts */
export function elementsAt(root: Document | ShadowRoot, x: number, y: number): Element[] {
  const isDocument = nodeType(root) === 9
  const found: Element[] = []
  for (const element of (isDocument ? documentAllFromPoint : shadowAllFromPoint)?.(root, x, y) ?? []) {
    if (!isDocument && getRootNode(element) !== root) continue
    const inner = shadowRoot(element)
    if (inner) found.push(...elementsAt(inner, x, y))
    found.push(element)
  }
  return found
}

const [createRange] = methods<[Call<() => Range>]>('Document', 'createRange')
const [selectNodeContents, rangeRect] = methods<[Call<(node: Node) => void>, Call<() => DOMRect>]>(
  'Range',
  'selectNodeContents getBoundingClientRect',
)
/** the box of a text node */
export function textRect(text: Node): DOMRect {
  const range = createRange(ownerDocument(text) as Document)
  selectNodeContents(range, text)
  return rangeRect(range)
}

const computedStyle = globalThis.getComputedStyle.bind(globalThis)
export const [styleProperty] = methods<[Call<(name: string) => string>]>('CSSStyleDeclaration', 'getPropertyValue')
let knownStyles: Map<Node, CSSStyleDeclaration> | null = null
/** the `content` of pseudo-elements, which takes the browser longer than any other property */
let knownContents: { readonly [pseudo: string]: Map<Node, string> } | null = null
let knownDrawn: Map<Node, boolean> | null = null
/** Runs work that reads many styles; the style object of each element is created once, and forgotten afterwards. */
export function keepingStyles<T>(work: () => T): T {
  const [outerStyles, outerContents, outerDrawn] = [knownStyles, knownContents, knownDrawn]
  knownStyles = outerStyles ?? new Map()
  knownContents = outerContents ?? { '::before': new Map(), '::after': new Map() }
  knownDrawn = outerDrawn ?? new Map()
  try {
    return work()
  } finally {
    knownStyles = outerStyles
    knownContents = outerContents
    knownDrawn = outerDrawn
  }
}
// the second names are those of older browsers
const drawn = { visibilityProperty: true, checkVisibilityCSS: true, opacityProperty: true, checkOpacity: true }
/** whether an element is neither hidden nor transparent; false too if the browser cannot tell */
export function isDrawn(node: Node): boolean {
  let is = knownDrawn?.get(node)
  if (is === undefined) {
    is = !!checkVisibility?.(node, drawn)
    knownDrawn?.set(node, is)
  }
  return is
}
function declarationOf(node: Node): CSSStyleDeclaration {
  let style = knownStyles?.get(node)
  if (!style) {
    style = computedStyle(node as Element)
    knownStyles?.set(node, style)
  }
  return style
}
/** the computed style of an element or a pseudo-element, whose properties `styleProperty` reads */
export const styleOf = (node: Node, pseudo?: string): CSSStyleDeclaration =>
  pseudo ? computedStyle(node as Element, pseudo) : declarationOf(node)
/** the `content` of a pseudo-element; one that is absent has none */
export function contentOf(node: Node, pseudo: string): string {
  const known = knownContents?.[pseudo]
  let content = known?.get(node)
  if (content === undefined) {
    content = styleProperty(computedStyle(node as Element, pseudo), 'content')
    known?.set(node, content)
  }
  return content
}
/** one computed style property of an element */
export const styleValue = (node: Node, property: string): string => styleProperty(declarationOf(node), property)

const [documentSheets] = getters<[Get<ArrayLike<object>>]>('Document', 'styleSheets')
const [shadowSheets] = getters<[Get<ArrayLike<object>>]>('ShadowRoot', 'styleSheets')
export const styleSheets = (root: Node): ArrayLike<object> => {
  const type = nodeType(root)
  return (type === 9 ? documentSheets(root) : type === 11 ? shadowSheets(root) : undefined) ?? []
}
/** the rules of a style sheet; undefined for one of another origin */
export const [sheetRules] = unsure<[Get<ArrayLike<object>>]>('CSSStyleSheet', 'cssRules')
/** the rules of an at-rule such as @media */
export const [groupRules] = unsure<[Get<ArrayLike<object>>]>('CSSGroupingRule', 'cssRules')
const [selectorText, ruleStyle] = unsure<[Get<string>, Get<object>]>('CSSStyleRule', 'selectorText style')

export { selectorText }
/** undefined for a rule that is no style rule */
export const ruleCursor = (rule: object): string | undefined => {
  const style = ruleStyle(rule)
  return style && styleProperty(style, 'cursor')
}

const { MutationObserver } = globalThis
export const observe = (note: (records: MutationRecord[]) => void): MutationObserver => new MutationObserver(note)
export const now: () => number = performance.now.bind(performance)
export const wallClock: () => number = Date.now
export const stringify = JSON.stringify
/** replaces a method, which looks as before; one that is locked stays */
export function replace(owner: object, name: string, value: unknown): void {
  try {
    const was = getOwnPropertyDescriptor(owner, name)
    if (was) defineProperty(owner, name, { ...was, value })
  } catch {
    // the page works without us
  }
}
/** defines a global that cannot be replaced or changed; one that the page has locked itself stays */
export function lock(name: string, value: object): void {
  try {
    defineProperty(globalThis, name, { value, writable: false, configurable: false })
  } catch {
    try {
      // the page may have replaced defineProperty
      ;(globalThis as { [name: string]: unknown })[name] = value
    } catch {
      // the expressions of the host check the seal and fail with not_injected
    }
  }
}

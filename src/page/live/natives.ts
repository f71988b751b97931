/**
 * DOM accessors as they were at injection, called on a node directly: an <input name=nodeType> shadows a property of its form,
 * and a page may patch a prototype, but neither reaches these.
 */
const { getOwnPropertyDescriptor, defineProperty } = Object
const { call } = Function.prototype
/** `uncurry(f)(self, …)` is `f.call(self, …)` without asking the page for `call` */
const uncurry = call.bind.bind(call as never) as unknown as <F extends (...args: never[]) => unknown>(
  method: F,
) => (self: object, ...args: Parameters<F>) => ReturnType<F>

type Interface = { readonly prototype: object }

function owner(name: string): object | null {
  const found = (globalThis as Record<string, unknown>)[name] as Interface | undefined
  return found?.prototype ?? null
}

/** the getter `name` of an interface; undefined for every node where the engine has none */
export function getter<T>(of: string, name: string): (self: object) => T | undefined {
  const prototype = owner(of)
  const get = prototype && getOwnPropertyDescriptor(prototype, name)?.get
  return get ? uncurry(get as () => T) : () => undefined
}

/** the same for an interface that a node may only seem to have: a script can make an <input> of SVG */
function maybe<T>(of: string, name: string): (self: object) => T | undefined {
  const get = getter<T>(of, name)
  return self => {
    try {
      return get(self)
    } catch {
      return undefined // not one of those elements
    }
  }
}

export function method<F extends (...args: never[]) => unknown>(
  interfaces: string,
  name: string,
): ((self: object, ...args: Parameters<F>) => ReturnType<F>) | null {
  for (const each of interfaces.split(' ')) {
    const prototype = owner(each)
    const value = prototype && getOwnPropertyDescriptor(prototype, name)?.value
    if (value) return uncurry(value as F)
  }
  return null
}

function needed<F extends (...args: never[]) => unknown>(interfaces: string, name: string) {
  const found = method<F>(interfaces, name)
  if (!found) throw new TypeError(`this engine has no ${interfaces}.${name}`)
  return found
}

export const nodeType = getter<number>('Node', 'nodeType')
export const nodeValue = getter<string>('Node', 'nodeValue')
export const parentNode = getter<Node>('Node', 'parentNode')
export const firstChild = getter<Node>('Node', 'firstChild')
export const nextSibling = getter<Node>('Node', 'nextSibling')
export const isConnected = getter<boolean>('Node', 'isConnected')
export const ownerDocument = getter<Document>('Node', 'ownerDocument')
export const getRootNode = needed<() => Node>('Node', 'getRootNode')

export const localName = getter<string>('Element', 'localName')
export const namespaceURI = getter<string>('Element', 'namespaceURI')
export const getAttribute = needed<(name: string) => string | null>('Element', 'getAttribute')
export const hasAttributes = needed<() => boolean>('Element', 'hasAttributes')
export const setAttribute = needed<(name: string, value: string) => void>('Element', 'setAttribute')
export const matches = needed<(selector: string) => boolean>('Element', 'matches')
export const getBoundingClientRect = needed<() => DOMRect>('Element', 'getBoundingClientRect')
export const getClientRects = needed<() => DOMRectList>('Element', 'getClientRects')
export const shadowRoot = getter<ShadowRoot>('Element', 'shadowRoot')
export const assignedSlot = getter<Element>('Element', 'assignedSlot')
export const textAssignedSlot = getter<Element>('Text', 'assignedSlot')
export const assignedNodes = method<() => Node[]>('HTMLSlotElement', 'assignedNodes')
export const hostOf = getter<Element>('ShadowRoot', 'host')
export const scrollHeight = getter<number>('Element', 'scrollHeight')
export const clientHeight = getter<number>('Element', 'clientHeight')
export const scrollWidth = getter<number>('Element', 'scrollWidth')
export const clientWidth = getter<number>('Element', 'clientWidth')
export const clientLeft = getter<number>('Element', 'clientLeft')
export const clientTop = getter<number>('Element', 'clientTop')
export const scrollTop = getter<number>('Element', 'scrollTop')
export const scrollLeft = getter<number>('Element', 'scrollLeft')
/** absent before Chromium 105, Safari 17.4, Firefox 106 */
export const checkVisibility = method<(options: object) => boolean>('Element', 'checkVisibility')

export const isContentEditable = maybe<boolean>('HTMLElement', 'isContentEditable')
export const onclick = maybe<unknown>('HTMLElement', 'onclick')
export const inputValue = maybe<string>('HTMLInputElement', 'value')
export const inputType = maybe<string>('HTMLInputElement', 'type')
export const inputChecked = maybe<boolean>('HTMLInputElement', 'checked')
export const inputIndeterminate = maybe<boolean>('HTMLInputElement', 'indeterminate')
export const inputFiles = maybe<FileList>('HTMLInputElement', 'files')
export const textareaValue = maybe<string>('HTMLTextAreaElement', 'value')
export const selectOptions = maybe<ArrayLike<Element>>('HTMLSelectElement', 'options')
export const optionSelected = maybe<boolean>('HTMLOptionElement', 'selected')
export const optionText = maybe<string>('HTMLOptionElement', 'text')
export const optionLabel = maybe<string>('HTMLOptionElement', 'label')
export const contentDocument = maybe<Document>('HTMLIFrameElement', 'contentDocument')
export const frameDocument = maybe<Document>('HTMLFrameElement', 'contentDocument')
const labelsOf: { readonly [tag: string]: (self: object) => ArrayLike<Element> | undefined } = {
  input: maybe('HTMLInputElement', 'labels'),
  select: maybe('HTMLSelectElement', 'labels'),
  textarea: maybe('HTMLTextAreaElement', 'labels'),
  button: maybe('HTMLButtonElement', 'labels'),
  meter: maybe('HTMLMeterElement', 'labels'),
  output: maybe('HTMLOutputElement', 'labels'),
  progress: maybe('HTMLProgressElement', 'labels'),
}
export const labels = (tag: string, control: object): ArrayLike<Element> => labelsOf[tag]?.(control) ?? []

export const documentElement = getter<Element>('Document', 'documentElement')
export const bodyOf = getter<Element>('Document', 'body')
export const titleOf = getter<string>('Document', 'title')
export const readyState = getter<string>('Document', 'readyState')
export const documentURL = getter<string>('Document', 'URL')
export const defaultView = getter<Window>('Document', 'defaultView')
export const activeElement = getter<Element>('Document', 'activeElement')
export const shadowActiveElement = getter<Element>('ShadowRoot', 'activeElement')
export const scrollingElement = getter<Element>('Document', 'scrollingElement')
export const querySelector = needed<(selector: string) => Element | null>('Document', 'querySelector')
const documentById = needed<(id: string) => Element | null>('Document', 'getElementById')
const fragmentById = needed<(id: string) => Element | null>('DocumentFragment', 'getElementById')
const documentFromPoint = needed<(x: number, y: number) => Element | null>('Document', 'elementFromPoint')
// Firefox and WebKit keep it on ShadowRoot; some older engines on the DocumentOrShadowRoot mixin only
const shadowFromPoint = method<(x: number, y: number) => Element | null>('ShadowRoot DocumentOrShadowRoot', 'elementFromPoint')

export const byId = (root: Node, id: string): Element | null =>
  nodeType(root) === 9 ? documentById(root, id) : nodeType(root) === 11 ? fragmentById(root, id) : null

/** the innermost element at a point of a document's own viewport, through open shadow roots */
export function elementAt(document: Document, x: number, y: number): Element | null {
  let hit = documentFromPoint(document, x, y)
  for (let root = hit && shadowRoot(hit); root && shadowFromPoint; root = hit && shadowRoot(hit)) {
    const inner = shadowFromPoint(root, x, y)
    if (!inner || inner === hit) break
    hit = inner
  }
  return hit
}

export const computedStyle = globalThis.getComputedStyle.bind(globalThis)
export const propertyValue = needed<(name: string) => string>('CSSStyleDeclaration', 'getPropertyValue')
export const now: () => number = performance.now.bind(performance)
export const wallClock: () => number = Date.now
export const stringify = JSON.stringify
export const lock = (object: object, name: string, value: unknown): boolean => {
  try {
    return !!defineProperty(object, name, { value, writable: false, configurable: false, enumerable: false })
  } catch {
    return false // a property of that name is there and cannot be replaced
  }
}

// Finds elements that may have a closed shadow root. Runs in the isolated world; drivers/cdp/snapshot/closed-shadow-roots.ts reads the
// candidates over CDP and adds the roots that it finds.

/** The state on `globalThis` of the isolated world, which only the driver can reach. */
interface ShadowHosts {
  readonly examined: WeakSet<Element>
  /** closed roots that the driver has found */
  readonly roots: Set<ShadowRoot>
  candidates: Element[]
}

// through the prototypes: named fields of a form shadow its own properties
function getter<T>(owner: { readonly prototype: object }, name: string): (node: Element) => T {
  const { get } = Object.getOwnPropertyDescriptor(owner.prototype, name) as { get(): T }
  return node => get.call(node)
}
const localNameOf = getter<string>(Element, 'localName')
const shadowRootOf = getter<ShadowRoot | null>(Element, 'shadowRoot')
const clientHeightOf = getter<number>(Element, 'clientHeight')
const contentDocumentOf = getter<Document | null>(HTMLIFrameElement, 'contentDocument')

const allElements = (scope: Document | ShadowRoot): ArrayLike<Element> & Iterable<Element> =>
  (scope.nodeType === Node.DOCUMENT_NODE ? Document : DocumentFragment).prototype.querySelectorAll.call(scope, '*')

/** the built-in elements that can have a shadow root: https://dom.spec.whatwg.org/#valid-shadow-host-name */
const shadowHostNames = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/

// markup is often indented, so a host may contain white space
const hasContent = ({ firstChild }: Element): boolean =>
  firstChild !== null && !(firstChild instanceof Text && !firstChild.nextSibling && !/\S/.test(firstChild.data))

const mayHaveClosedRoot = (element: Element, name: string): boolean =>
  name.includes('-') || (shadowHostNames.test(name) && !hasContent(element) && clientHeightOf(element) > 0)

/** Stores at most `max` new candidates in `globalThis.pagehandShadowHosts`; returns their number. */
export function findShadowHosts(max: number): number {
  const world = globalThis as { pagehandShadowHosts?: ShadowHosts }
  world.pagehandShadowHosts ??= { examined: new WeakSet(), roots: new Set(), candidates: [] }
  const state = world.pagehandShadowHosts
  state.candidates = []
  const scopes: (Document | ShadowRoot)[] = [document, ...state.roots]
  for (let index = 0; index < scopes.length && state.candidates.length < max; index++)
    for (const element of allElements(scopes[index] as Document | ShadowRoot)) {
      const name = localNameOf(element)
      const openRoot = shadowRootOf(element)
      if (openRoot) scopes.push(openRoot)
      else if (name === 'iframe' && element instanceof HTMLIFrameElement) {
        const inner = contentDocumentOf(element)
        if (inner) scopes.push(inner)
      } else if (state.candidates.length < max && !state.examined.has(element) && mayHaveClosedRoot(element, name)) {
        state.examined.add(element)
        state.candidates.push(element)
      }
    }
  return state.candidates.length
}

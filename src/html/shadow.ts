import { attribute, descendants, type Element, isElement, type Node } from './tree.ts'

/**
 * Builds the flat tree that a browser renders from declarative shadow roots: the content of an open `template[shadowrootmode]`
 * replaces the children of its host, and the nodes assigned to a slot replace those of the slot. Returns the elements in shadow roots,
 * to which the styles of the page do not apply. A closed root is ignored, since scripts cannot access it either.
 * https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
 */
export function flattenShadows(root: Element): ReadonlySet<Element> {
  const shadowed = new Set<Element>()
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue
    if (isHost(node)) flatten(node, shadowed)
    for (const child of node.childNodes) stack.push(child as Node)
  }
  return shadowed
}

// https://dom.spec.whatwg.org/#valid-shadow-host-name
const hosts = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span|[a-z][^-]*-.*)$/
const isHost = ({ tagName, childNodes }: Element): boolean => hosts.test(tagName) && childNodes.some(isRoot)
const isRoot = (child: { readonly nodeName: string }): boolean =>
  child.nodeName === 'template' && /^open$/i.test(attribute(child as Element, 'shadowrootmode') ?? '')

function flatten(host: Element, shadowed: Set<Element>): void {
  // only the first template becomes a shadow root
  const template = host.childNodes.find(isRoot) as unknown as { readonly content: Element }
  const light = host.childNodes.filter(child => (child as unknown) !== template) as Node[]
  host.childNodes = template.content.childNodes
  for (const child of host.childNodes) child.parentNode = host
  const slots = new Map<string, { readonly slot: Element; readonly assigned: Node[] }>()
  for (const element of descendants(host, () => true)) {
    shadowed.add(element)
    const name = attribute(element, 'name') ?? ''
    if (element.tagName === 'slot' && !slots.has(name)) slots.set(name, { slot: element, assigned: [] })
  }
  for (const node of light)
    if (isElement(node) || node.nodeName === '#text') slots.get(isElement(node) ? (attribute(node, 'slot') ?? '') : '')?.assigned.push(node)
  for (const { slot, assigned } of slots.values()) {
    // an empty slot renders its fallback content
    if (assigned.length === 0) continue
    slot.childNodes = assigned
    for (const node of assigned) node.parentNode = slot
  }
}

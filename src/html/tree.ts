import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'

/** parse5's own tree. Its elements have room for what is asked of each: a map beside the tree would cost as much as the look itself. */
export interface Element extends DefaultTreeAdapterTypes.Element {
  /** whether it is drawn, once that was asked; drawing.ts */
  visibility: Visibility | null
  /** its ref without the e; 0 while it has none; refs.ts */
  refNumber: number
  /** a bit for each attribute name it has, several names to a bit: most questions are for an attribute that is not there */
  attributeBits: number
}
export type Text = DefaultTreeAdapterTypes.TextNode
export type Node = Element | Text
/** empty: drawn itself, and nothing in it is */
export type Visibility = 'none' | 'hidden' | 'visible' | 'empty'

/** the element <html>, which there always is */
export function parseTree(html: string): Element {
  // a byte order mark is for decoders: as text it would end the head before it began
  const source = html.startsWith('\ufeff') ? html.slice(1) : html
  // as in a browser that runs scripts: what stands in noscript is text and never drawn. Read as markup, a picture in it ends the head too
  const document = parse(source, { scriptingEnabled: true, treeAdapter })
  return document.childNodes.find(child => child.nodeName === 'html') as Element
}

const treeAdapter: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  // a second <html> or <body> adds its attributes to the first
  adoptAttributes: (element, attrs) => {
    defaultTreeAdapter.adoptAttributes(element, attrs)
    ;(element as Element).attributeBits = namesOf(element.attrs)
  },
  createElement: (tagName, namespaceURI, attrs): Element => ({
    nodeName: tagName,
    tagName,
    attrs,
    namespaceURI,
    childNodes: [],
    parentNode: null,
    visibility: null,
    refNumber: 0,
    attributeBits: namesOf(attrs),
  }),
}

const bitOf = (name: string): number => 1 << (name.length + name.charCodeAt(0))

function namesOf(attrs: Element['attrs']): number {
  let names = 0
  for (let i = 0; i < attrs.length; i++) names |= bitOf((attrs[i] as Element['attrs'][number]).name)
  return names
}

export const htmlNamespace = 'http://www.w3.org/1999/xhtml'

export const isElement = (node: Node): node is Element => 'tagName' in node

// asked some ten times of every element: no iterator, and prefixes only where there are any
export function attribute({ attrs, attributeBits: names, namespaceURI }: Element, name: string): string | null {
  if (!(names & bitOf(name)) && namespaceURI === htmlNamespace) return null
  for (let i = 0; i < attrs.length; i++) {
    const each = attrs[i] as Element['attrs'][number]
    if (each.name === name && !each.prefix) return each.value
  }
  if (namespaceURI === htmlNamespace) return null
  return attrs.find(each => each.prefix && `${each.prefix}:${each.name}` === name)?.value ?? null
}

export const parentOf = (node: Node): Element | null => {
  const up = node.parentNode
  return up && 'tagName' in up ? (up as Element) : null
}

/** no parser of a browser nests deeper than 512, so farther up nothing is missed */
const maxSteps = 1_000

export function closest(element: Element, tag: string): Element | null {
  let each = parentOf(element)
  for (let i = 0; each && i < maxSteps; i++, each = parentOf(each)) if (each.tagName === tag) return each
  return null
}

export const firstChild = (parent: Element, tag: string): Node | undefined =>
  parent.childNodes.find(child => child.nodeName === tag) as Node | undefined

/** elements below, in document order */
export function descendants(root: Element, wanted: (element: Element) => boolean): Element[] {
  const found: Element[] = []
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue
    if (node !== root && wanted(node)) found.push(node)
    for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i] as Node)
  }
  return found
}

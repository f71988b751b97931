import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5'
import { parsePage } from './tokenizer.ts'

/** An element of the parse5 tree, with fields for cached answers: maps beside the tree would cost as much as the snapshot itself. */
export interface Element extends DefaultTreeAdapterTypes.Element {
  /** Set by visibility.ts on first use. */
  visibility: Visibility | null
  /** The ref without its `e`; 0 if it has none. Set by refs.ts. */
  refNumber: number
  /** A Bloom filter of the attribute names, since most lookups are for an attribute that is not there. */
  attributeBits: number
  /** What the attribute names say, see engine/attributes.ts; -1 until it is asked for. */
  flags: number
}
export type Text = DefaultTreeAdapterTypes.TextNode
export type Node = Element | Text
/** `empty`: the element is rendered, its content is not. */
export type Visibility = 'none' | 'hidden' | 'visible' | 'empty'

/** Returns the `<html>` element, which the parser always creates. */
export function parseTree(html: string): Element {
  // a byte order mark is for decoders; as text it would end the head before it begins
  const source = html.startsWith('\ufeff') ? html.slice(1) : html
  // as in a browser with scripting, the content of noscript is text and never rendered; parsed as markup, an <img> in it would end the head
  const document = parsePage(source, { scriptingEnabled: true, treeAdapter })
  return document.childNodes.find(child => child.nodeName === 'html') as Element
}

const treeAdapter: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  // a second <html> or <body> adds its attributes to the first
  adoptAttributes: (element, attrs) => {
    defaultTreeAdapter.adoptAttributes(element, attrs)
    ;(element as Element).attributeBits = namesOf(element.attrs)
    ;(element as Element).flags = -1
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
    flags: -1,
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

// called about ten times per element: avoids an iterator, and compares prefixes only outside HTML
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

/** Browsers nest elements at most 512 deep, so nothing farther up is missed. */
const maxSteps = 1_000

export function closest(element: Element, tag: string): Element | null {
  let each = parentOf(element)
  for (let i = 0; each && i < maxSteps; i++, each = parentOf(each)) if (each.tagName === tag) return each
  return null
}

export const firstChild = (parent: Element, tag: string): Node | undefined =>
  parent.childNodes.find(child => child.nodeName === tag) as Node | undefined

/** The descendants that match, in document order. */
export function descendants(root: Element, matches: (element: Element) => boolean): Element[] {
  const found: Element[] = []
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue
    if (node !== root && matches(node)) found.push(node)
    for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i] as Node)
  }
  return found
}

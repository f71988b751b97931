import { compile } from 'css-select'
import { type Message, quoted, say, term } from '../contract/message.ts'
import { comparesSecrets, secretSelector } from '../engine/secrets.ts'
import { attribute, type Element, isElement, type Node } from './tree.ts'

const children = (node: Node): Node[] =>
  isElement(node) ? (node.childNodes.filter(child => 'tagName' in child || child.nodeName === '#text') as Node[]) : []
const parent = (node: Node): Element | null => (node.parentNode && 'tagName' in node.parentNode ? (node.parentNode as Element) : null)

/** gives css-select access to a parse5 tree */
const adapter = {
  isTag: isElement,
  getAttributeValue: (element: Element, name: string) => attribute(element, name) ?? undefined,
  getChildren: children,
  getName: (element: Element) => element.tagName,
  getParent: (element: Element) => parent(element),
  getSiblings: (node: Node) => {
    const element = parent(node)
    return element ? children(element) : [node]
  },
  getText: (node: Node): string => textOf(node),
  hasAttrib: (element: Element, name: string) => attribute(element, name) !== null,
  removeSubsets: (nodes: Node[]) => nodes,
}

/** The first element, the root included, that matches a CSS selector, or null; undefined if the selector is invalid. */
export function selectFirst(root: Element, selector: string): Element | null | undefined {
  const matches = compileSelector(selector)
  if (!matches) return undefined
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue
    if (matches(node)) return node
    for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i] as Node)
  }
  return null
}

/** css-select nests one function per part of a selector, and many thousands of them overflow the stack */
const maxSelectorChars = 4_000

/** A function that tells whether an element matches; null if the selector is invalid, too long or compares secrets. */
export function compileSelector(selector: string): ((element: Element) => boolean) | null {
  if (selector.length > maxSelectorChars || comparesSecrets(selector)) return null
  try {
    return compile<Node, Element>(selector, { adapter })
  } catch {
    return null // css-what throws on a syntax error, css-select on an unknown pseudo-class
  }
}

/** Why `compileSelector` returned null. */
export const invalidSelector = (selector = ''): Message =>
  selector.length > maxSelectorChars
    ? say`the selector has ${selector.length} characters, the limit is ${maxSelectorChars}: ${quoted(selector)}.`
    : say`${term(comparesSecrets(selector) ? secretSelector : 'not a CSS selector:')} ${quoted(selector)}.`

function textOf(root: Node): string {
  let text = ''
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) text += node.value
    // :contains() must not reveal the value of a secret field
    else if (node.tagName !== 'textarea' && attribute(node, 'contenteditable') === null)
      for (let i = node.childNodes.length - 1; i >= 0; i--)
        if (node.childNodes[i]?.nodeName !== '#comment') stack.push(node.childNodes[i] as Node)
  }
  return text
}

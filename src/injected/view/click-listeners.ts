import { isControl } from '../../engine/candidates.ts'
import type { Dom } from '../../engine/dom.ts'
import { textBelow } from '../../engine/text.ts'
import * as native from '../runtime/natives.ts'
import type { ClickListeners } from './layout.ts'

/** What is known about the click listeners of a page. */
export interface KnownListeners {
  /** it listens to clicks */
  has(node: Node): boolean
  /** it listens to nearly every event: frameworks listen like this on the root of an application */
  isRoot(node: Node): boolean
  /** the window listens to clicks, or it is not known whether it does */
  hasWindow(): boolean
  /** there are no others */
  isComplete(): boolean
  /** something can be dropped on it */
  takesDrops(node: Node): boolean
}

/** an element that listens to more types than this is the root of a framework, which dispatches the events itself */
export const maxOwnTypes = 30
/** elements inside a listening one that are examined */
const maxDescendants = 40
/** a row of a list is rarely higher; a higher element with a handler and controls inside is a container */
const maxRowHeight = 100

/** A group has at least so many members, each with a short text: paragraphs are no members. */
const minMembers = 3
const maxMemberChars = 40

/** Tells an element that reacts to a click on itself from one that listens for what is inside it. */
export function clickListeners({ has: listens, isRoot, hasWindow, isComplete, takesDrops }: KnownListeners): ClickListeners {
  const isPage = (dom: Dom<Node>, node: Node) => /^(html|body)$/.test(dom.tag(node))
  const has = (node: Node) => listens(node) && !isRoot(node)

  /** whether `test` is true for one of the first elements inside `node`; undefined if there are more elements than are examined */
  function someInside(dom: Dom<Node>, node: Node, test: (node: Node) => boolean | 'skip'): boolean | undefined {
    const stack = [node]
    let count = 0
    for (let each = stack.pop(); each; each = stack.pop()) {
      const children = dom.children(each)
      for (let i = 0; i < children.length; i++) {
        const child = children[i] as Node
        if (!dom.tag(child)) continue
        if (++count > maxDescendants) return undefined
        const found = test(child)
        if (found === true) return true
        if (found !== 'skip') stack.push(child)
      }
    }
    return false
  }

  const isKnownControl = (dom: Dom<Node>, node: Node) => has(node) || isControl({ dom, layout: null }, node, dom.tag(node), '')
  const isPointer = (node: Node) => native.styleValue(node, 'cursor') === 'pointer'

  /** Whether the handlers of an element serve what is inside it: something there is clickable that has no handler. */
  function isContainer(dom: Dom<Node>, node: Node): boolean {
    if (isPointer(node)) return false
    let hasControls = false
    const isServed = someInside(dom, node, child => {
      const isKnown = isKnownControl(dom, child)
      hasControls = hasControls || isKnown
      return isKnown ? 'skip' : isPointer(child)
    })
    return isServed !== false || (hasControls && native.getBoundingClientRect(node).height > maxRowHeight)
  }

  const groups = new WeakMap<Dom<Node>, Map<Node, boolean>>()

  /**
   * Whether an element listens for the things of one kind inside it, such as the keys of a keypad or the cells of a board. A pointer cursor
   * over all of it would say that it is one thing.
   */
  function isGroup(dom: Dom<Node>, node: Node): boolean {
    const known = groups.get(dom) ?? new Map<Node, boolean>()
    groups.set(dom, known)
    const value = known.get(node) ?? (!isPointer(node) && hasMembers(dom, node))
    known.set(node, value)
    return value
  }

  function hasMembers(dom: Dom<Node>, node: Node): boolean {
    const children = dom.children(node)
    const kindOf = (member: Node) => `${dom.tag(member)}.${(dom.attr(member, 'class') ?? '').split(' ')[0]}`
    const members: Node[] = []
    for (let i = 0; i < children.length && members.length < maxDescendants; i++)
      if (dom.tag(children[i] as Node)) members.push(children[i] as Node)
      else if (dom.text(children[i] as Node).trim()) return false
    const [first] = members
    return (
      first !== undefined &&
      members.length >= minMembers &&
      members.every(
        each =>
          kindOf(each) === kindOf(first) &&
          !isKnownControl(dom, each) &&
          someInside(dom, each, child => isKnownControl(dom, child)) === false &&
          textBelow(dom, each, { max: maxMemberChars + 1 }).length <= maxMemberChars,
      )
    )
  }

  const listensItself = (dom: Dom<Node>, node: Node) => has(node) && !isPage(dom, node)
  const isMember = (dom: Dom<Node>, node: Node) => {
    const parent = dom.parent(node)
    return parent !== null && listensItself(dom, parent) && isGroup(dom, parent)
  }

  return {
    listens: (dom, node) => (listensItself(dom, node) ? !isContainer(dom, node) && !isGroup(dom, node) : isMember(dom, node)),
    takesDrops: (dom, node) => takesDrops(node) && !isRoot(node) && !isPage(dom, node),
    ignoresClicks: (dom, node) => {
      if (!isComplete()) return false
      let isFarAway = hasWindow() || listens(native.ownerDocument(node) as Node)
      for (let each: Node | null = node; each; each = dom.parent(each)) {
        if (!listens(each)) continue
        if (!isRoot(each) && !isPage(dom, each)) return false
        isFarAway = true
      }
      // what listens for the whole page may react to anything, but not to an element whose parts have handlers
      return !isFarAway || someInside(dom, node, has) === true
    },
  }
}

import { isControl } from '../../engine/candidates.ts'
import type { Dom } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { membersOf } from './delegated-members.ts'
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

  /** the things that elements listen for, of each view of the document */
  const members = new WeakMap<Dom<Node>, Set<Node>>()
  const containers = new WeakMap<Dom<Node>, Map<Node, boolean>>()

  /** Whether the handlers of an element serve what is inside it. A pointer cursor over all of it says that it is one thing. */
  function isContainer(dom: Dom<Node>, node: Node): boolean {
    const known = containers.get(dom) ?? new Map<Node, boolean>()
    containers.set(dom, known)
    let value = known.get(node)
    if (value === undefined) {
      value = !isPointer(node) && servesContent(dom, node)
      known.set(node, value)
    }
    return value
  }

  function servesContent(dom: Dom<Node>, node: Node): boolean {
    let hasControls = false
    const isServed = someInside(dom, node, child => {
      const isKnown = isKnownControl(dom, child)
      hasControls = hasControls || isKnown
      return isKnown ? 'skip' : isPointer(child)
    })
    const found = membersOf(dom, node, child => isKnownControl(dom, child))
    const all = members.get(dom) ?? new Set<Node>()
    members.set(dom, all)
    for (const each of found) all.add(each)
    return found.length > 0 || isServed !== false || (hasControls && native.getBoundingClientRect(node).height > maxRowHeight)
  }

  const listensItself = (dom: Dom<Node>, node: Node) => has(node) && !isPage(dom, node)
  return {
    listens: (dom, node) => (listensItself(dom, node) ? !isContainer(dom, node) : !!members.get(dom)?.has(node)),
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

import { isControl } from '../../engine/candidates.ts'
import type { Dom } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import type { ClickListeners } from '../view/layout.ts'

/** The listeners that the driver has found. Nodes are identified by numbers. */
export interface ListenerUpdate {
  /** all nodes that listen to clicks */
  readonly ids: readonly number[]
  /** those of them that listen to nearly every event: frameworks listen like this on the root of an application */
  readonly rootIds: readonly number[]
  /** the window listens to clicks, or it is not known whether it does */
  readonly hasWindow: boolean
  /** there are no others */
  readonly isComplete: boolean
}

export interface MutableClickListeners extends ClickListeners {
  /** whether listing the listeners leaves no trace: the browser compiles handlers in attributes for it, and reports their syntax errors */
  canBeListed(): boolean
  /** adds nodes that the driver has found; `ids` has one number for each */
  add(ids: readonly number[], nodes: readonly Node[]): void
  /** makes these the only nodes that listen */
  update(update: ListenerUpdate): void
}

/** elements inside a listening one that are examined */
const maxDescendants = 40
/** a row of a list is rarely higher; a higher element with a handler and controls inside is a container */
const maxRowHeight = 100

/** The click listeners of a document, which scripts cannot see; the driver reads them over CDP before a snapshot. */
export function createClickListeners(): MutableClickListeners {
  const known = new Map<number, WeakRef<Node>>()
  let current = new WeakSet<Node>()
  let roots = new WeakSet<Node>()
  let hasWindow = true
  let isComplete = false

  const isPage = (dom: Dom<Node>, node: Node) => /^(html|body)$/.test(dom.tag(node))
  const has = (node: Node) => current.has(node) && !roots.has(node)

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

  const isPointer = (node: Node) => native.styleOf(node)('cursor') === 'pointer'

  /** Whether the handlers of an element serve what is inside it: something there is clickable that has no handler. */
  function isContainer(dom: Dom<Node>, node: Node): boolean {
    if (isPointer(node)) return false
    let hasControls = false
    const isServed = someInside(dom, node, child => {
      const isKnown = has(child) || isControl({ dom, layout: null }, child, dom.tag(child), '')
      hasControls = hasControls || isKnown
      return isKnown ? 'skip' : isPointer(child)
    })
    return isServed !== false || (hasControls && native.getBoundingClientRect(node).height > maxRowHeight)
  }

  const checked = new Set<string>()
  const isSyntax = (source: string) => {
    if (checked.has(source)) return true
    try {
      new Function(source)
    } catch {
      return false
    }
    checked.add(source)
    return true
  }

  return {
    canBeListed: () => documentsIn(document).every(each => inlineHandlers(each).every(isSyntax)),
    add: (ids, nodes) => ids.forEach((id, i) => void known.set(id, new WeakRef(nodes[i] as Node))),
    update: ({ ids, rootIds, ...rest }) => {
      const nodesOf = (some: readonly number[]) => some.flatMap(id => known.get(id)?.deref() ?? [])
      current = new WeakSet(nodesOf(ids))
      roots = new WeakSet(nodesOf(rootIds))
      ;({ hasWindow, isComplete } = rest)
    },
    listens: (dom, node) => has(node) && !isPage(dom, node) && !isContainer(dom, node),
    ignoresClicks: (dom, node) => {
      if (!isComplete) return false
      let isFarAway = hasWindow || current.has(native.ownerDocument(node) as Node)
      for (let each: Node | null = node; each; each = dom.parent(each)) {
        if (!current.has(each)) continue
        if (!roots.has(each) && !isPage(dom, each)) return false
        isFarAway = true
      }
      // what listens for the whole page may react to anything, but not to an element whose parts have handlers
      return !isFarAway || someInside(dom, node, has) === true
    },
  }
}

const handlerNames = Object.keys(HTMLElement.prototype).filter(name => /^on[a-z]+$/.test(name))
const handlerSelector = handlerNames.map(name => `[${name}]`).join()

function inlineHandlers(root: Document): string[] {
  const elements = Array.from(native.allOf(root, handlerSelector))
  return elements.flatMap(element => handlerNames.flatMap(name => native.getAttribute(element, name) ?? []))
}

/** a document and those of its same-origin frames */
function documentsIn(root: Document): Document[] {
  const frames = Array.from(native.allOf(root, 'iframe'))
  return [root, ...frames.flatMap(frame => native.iframeDocument(frame) ?? []).flatMap(documentsIn)]
}

import * as native from '../runtime/natives.ts'
import { clickListeners } from '../view/click-listeners.ts'
import type { ClickListeners } from '../view/layout.ts'

/** The listeners that the driver has found. Nodes are identified by numbers. */
export interface ListenerUpdate {
  /** all nodes that listen to clicks */
  readonly ids: readonly number[]
  /** those of them that listen to nearly every event: frameworks listen like this on the root of an application */
  readonly rootIds: readonly number[]
  /** nodes on which something can be dropped */
  readonly dropIds: readonly number[]
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

/** The click listeners of a document, which scripts cannot see; the driver reads them over CDP before a snapshot. */
export function createClickListeners(): MutableClickListeners {
  const known = new Map<number, WeakRef<Node>>()
  let current = new WeakSet<Node>()
  let roots = new WeakSet<Node>()
  let dropTargets = new WeakSet<Node>()
  let hasWindow = true
  let isComplete = false

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
    update: ({ ids, rootIds, dropIds, ...rest }) => {
      const nodesOf = (some: readonly number[]) => some.flatMap(id => known.get(id)?.deref() ?? [])
      current = new WeakSet(nodesOf(ids))
      roots = new WeakSet(nodesOf(rootIds))
      dropTargets = new WeakSet(nodesOf(dropIds))
      ;({ hasWindow, isComplete } = rest)
    },
    ...clickListeners({
      has: node => current.has(node),
      isRoot: node => roots.has(node),
      hasWindow: () => hasWindow,
      isComplete: () => isComplete,
      takesDrops: node => dropTargets.has(node),
    }),
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

import { flagsOf } from '../../engine/attributes.ts'
import type { Aim, Box, Dom, Layout, Scene } from '../../engine/dom.ts'
import type { Refs } from '../../engine/refs.ts'
import * as native from '../runtime/natives.ts'

/**
 * A node of a document that does not change while it is read. What was asked once is kept in it, so a snapshot asks the browser only once;
 * a field is several times faster than a Map.
 */
export interface StillNode {
  readonly node: Node
  /** lower-case name; '' for a text node */
  readonly tag: string
  /** in the namespace of HTML for certain */
  readonly isHtml: boolean
  parent: StillNode | null | undefined
  children: readonly StillNode[] | undefined
  names: readonly string[] | undefined
  flags: number
  isHidden: boolean | undefined
  isTransparent: boolean | undefined
  isBlock: boolean | undefined
  drawn: string | undefined
  box: Box | null | undefined
}

interface TagName {
  readonly tag: string
  readonly isHtml: boolean
}

const noNodes: readonly StillNode[] = []
const noNames: readonly string[] = []

export interface StillScene {
  readonly scene: Scene<StillNode>
  /** the node as the scene knows it */
  of(node: Node): StillNode
}

/** A view of `live` that is used and dropped before a script of the page can run. */
export function stillScene(live: Scene<Node>): StillScene {
  const nodes = createNodes(live.dom)
  const { of } = nodes
  return {
    of,
    scene: {
      dom: stillDom(live.dom, nodes),
      layout: live.layout && stillLayout(live.layout, nodes),
      root: of(live.root),
      prefix: live.prefix,
      focused: ({ node }) => live.focused(node),
      frame: ({ node }) => {
        const frame = live.frame(node)
        return 'root' in frame ? { root: of(frame.root), prefix: frame.prefix } : frame
      },
    },
  }
}

interface StillNodes {
  of(node: Node): StillNode
  ofAll(nodes: ArrayLike<Node>): readonly StillNode[]
  orNull(node: Node | null): StillNode | null
  childrenOf(still: StillNode): readonly StillNode[]
}

function createNodes(live: Dom<Node>): StillNodes {
  /** nodes that were not reached from their parent; a Map of all nodes would take longer than the walk over them */
  const known = new Map<Node, StillNode>()
  // a page has few different tags
  const tags = new Map<string, TagName>()
  const create = (node: Node, parent: StillNode | undefined): StillNode => {
    const name = native.nodeName(node) as string
    const { tag, isHtml } = tags.get(name) ?? readTag(tags, name)
    return {
      node,
      tag,
      isHtml,
      parent,
      children: undefined,
      names: undefined,
      flags: -1,
      isHidden: undefined,
      isTransparent: undefined,
      isBlock: undefined,
      drawn: undefined,
      box: undefined,
    }
  }
  const childrenOf = (still: StillNode): readonly StillNode[] => {
    const { tag, node } = still
    still.children ??= !tag
      ? noNodes
      : tag === 'slot' || native.shadowRoot(node)
        ? Array.from(live.children(node), child => adopt(child, still))
        : inside(still)
    return still.children
  }
  const adopt = (child: Node, parent: StillNode): StillNode => {
    const still = known.get(child) ?? create(child, parent)
    still.parent = parent
    return still
  }
  /** the nodes directly inside an element that is neither a shadow host nor a slot */
  const inside = (parent: StillNode): readonly StillNode[] => {
    const found: StillNode[] = []
    for (let child = native.firstChild(parent.node); child; child = native.nextSibling(child)) {
      const type = native.nodeType(child)
      if (type === 1 || type === 3) found[found.length] = adopt(child, parent)
    }
    return found
  }
  /** finds a node below the nearest ancestor that is known */
  const of = (node: Node): StillNode => {
    const path: Node[] = []
    let still: StillNode | undefined
    for (let each: Node | null = node; each && !still; each = live.parent(each)) {
      still = known.get(each)
      if (!still) path.push(each)
    }
    for (let each = path.pop(); each; each = path.pop()) {
      const next: Node = each
      still = (still && childrenOf(still).find(child => child.node === next)) ?? create(next, undefined)
      known.set(next, still)
    }
    return still as StillNode
  }
  return { of, ofAll: all => (all.length ? Array.from(all, of) : noNodes), orNull: node => node && of(node), childrenOf }
}

function readTag(tags: Map<string, TagName>, name: string): TagName {
  // the name of a text node is #text; only the elements of HTML, in a document of HTML, have names in upper case
  const tag = { tag: name[0] === '#' ? '' : name.toLowerCase(), isHtml: /^[A-Z]/.test(name) && !/[a-z]/.test(name) }
  tags.set(name, tag)
  return tag
}

// the later names are those of older browsers
const visibleByStyles = { visibilityProperty: true, opacityProperty: true, checkVisibilityCSS: true, checkOpacity: true }

function stillDom(live: Dom<Node>, { ofAll, orNull, childrenOf }: StillNodes): Dom<StillNode> {
  const namesOf = (still: StillNode): readonly string[] => {
    still.names ??= still.tag ? native.getAttributeNames(still.node) : noNames
    return still.names
  }
  const flags = (still: StillNode): number => {
    if (still.flags < 0) still.flags = flagsOf(namesOf(still))
    return still.flags
  }
  const parent = (still: StillNode): StillNode | null => {
    if (still.parent === undefined) still.parent = orNull(live.parent(still.node))
    return still.parent
  }
  const isOpen = (details: StillNode) => native.getAttribute(details.node, 'open') !== null
  const isTextHidden = (text: StillNode): boolean => {
    const around = parent(text)
    return around !== null && (hidden(around) || (around.tag === 'details' && !isOpen(around)))
  }
  const hidden = (still: StillNode): boolean => {
    if (still.isHidden !== undefined) return still.isHidden
    if (!still.tag) still.isHidden = isTextHidden(still)
    // most elements are neither hidden nor transparent, and one question tells both
    else if (native.checkVisibility?.(still.node, visibleByStyles)) still.isHidden = still.isTransparent = false
    else still.isHidden = live.hidden(still.node)
    return still.isHidden
  }
  return {
    tag: still => still.tag,
    namespace: still => (still.isHtml ? 'html' : live.namespace(still.node)),
    text: still => native.nodeValue(still.node) ?? '',
    drawn: still => {
      still.drawn ??= live.drawn(still.node)
      return still.drawn
    },
    // a text node has no attributes, and the bits of most elements are known
    attr: (still, name) => (still.flags && still.tag ? native.getAttribute(still.node, name) : null),
    attrNames: namesOf,
    flags,
    children: childrenOf,
    parent,
    byId: (near, id) => orNull(live.byId(near.node, id)),
    labels: control => ofAll(live.labels(control.node)),
    options: select => ofAll(live.options(select.node)),
    secret: field => live.secret(field.node),
    value: field => live.value(field.node),
    is: (still, what) => live.is(still.node, what),
    hidden,
    block: still => {
      still.isBlock ??= live.block(still.node)
      return still.isBlock
    },
    inheritedStates: new Map(),
    generated: (still, where) => live.generated(still.node, where),
    owner: still => orNull(live.owner(still.node)),
  }
}

function stillLayout(live: Layout<Node>, { orNull }: StillNodes): Layout<StillNode> {
  const aimOf = ({ x, y, hit, over }: Aim<Node>): Aim<StillNode> => ({ x, y, hit: orNull(hit), over: orNull(over) })
  return {
    width: live.width,
    height: live.height,
    box: still => {
      if (still.box === undefined) still.box = live.box(still.node)
      return still.box
    },
    transparent: still => {
      still.isTransparent ??= live.transparent(still.node)
      return still.isTransparent
    },
    unseen: (still, box) => live.unseen(still.node, box),
    unreadable: still => live.unreadable(still.node),
    aim: (still, box) => aimOf(live.aim(still.node, box)),
    cover: (still, box) => orNull(live.cover(still.node, box)),
    scrolledAway: still => live.scrolledAway(still.node),
    drawnValue: input => live.drawnValue(input.node),
    origin: still => live.origin(still.node),
    modalPanel: () => orNull(live.modalPanel()),
    clickable: still => live.clickable(still.node),
    pointer: still => live.pointer(still.node),
    ownPointer: still => live.ownPointer(still.node),
    listens: still => live.listens(still.node),
    ignoresClicks: still => live.ignoresClicks(still.node),
    dropTarget: still => live.dropTarget(still.node),
  }
}

/** The refs of the nodes behind the still ones. */
export const stillRefs = (refs: Refs<Node>, { of }: StillScene): Refs<StillNode> => ({
  of: ({ node }) => refs.of(node),
  ensure: ({ node }, prefix) => refs.ensure(node, prefix),
  find: ref => {
    const node = refs.find(ref)
    return node && of(node)
  },
  wasSeen: ({ node }) => refs.wasSeen(node),
  markSeen: ({ node }) => refs.markSeen(node),
})

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
  const nodes = createNodes()
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
  /** the nodes directly inside an element that is neither a shadow host nor a slot */
  inside(parent: StillNode): readonly StillNode[]
}

function createNodes(): StillNodes {
  const known = new Map<Node, StillNode>()
  // a page has few different tags
  const tags = new Map<string, TagName>()
  const create = (node: Node, parent: StillNode | undefined): StillNode => {
    const name = native.nodeName(node) as string
    const { tag, isHtml } = tags.get(name) ?? readTag(tags, name)
    const still = {
      node,
      tag,
      isHtml,
      parent,
      children: undefined,
      names: undefined,
      flags: -1,
      isHidden: undefined,
      isBlock: undefined,
      drawn: undefined,
      box: undefined,
    }
    known.set(node, still)
    return still
  }
  const of = (node: Node) => known.get(node) ?? create(node, undefined)
  return {
    of,
    ofAll: all => (all.length ? Array.from(all, of) : noNodes),
    orNull: node => node && of(node),
    inside: parent => {
      const found: StillNode[] = []
      for (let child = native.firstChild(parent.node); child; child = native.nextSibling(child)) {
        const type = native.nodeType(child)
        if (type !== 1 && type !== 3) continue
        const still = known.get(child) ?? create(child, parent)
        still.parent = parent
        found[found.length] = still
      }
      return found
    },
  }
}

function readTag(tags: Map<string, TagName>, name: string): TagName {
  // the name of a text node is #text; only the elements of HTML, in a document of HTML, have names in upper case
  const tag = { tag: name[0] === '#' ? '' : name.toLowerCase(), isHtml: /^[A-Z]/.test(name) && !/[a-z]/.test(name) }
  tags.set(name, tag)
  return tag
}

function stillDom(live: Dom<Node>, { ofAll, orNull, inside }: StillNodes): Dom<StillNode> {
  const namesOf = (still: StillNode): readonly string[] => {
    still.names ??= still.tag ? native.getAttributeNames(still.node) : noNames
    return still.names
  }
  const flags = (still: StillNode): number => {
    if (still.flags < 0) still.flags = flagsOf(namesOf(still))
    return still.flags
  }
  const hidden = (still: StillNode): boolean => {
    still.isHidden ??= live.hidden(still.node)
    return still.isHidden
  }
  return {
    tag: still => still.tag,
    namespace: still => (still.isHtml ? 'html' : live.namespace(still.node)),
    text: still => live.text(still.node),
    drawn: still => {
      still.drawn ??= live.drawn(still.node)
      return still.drawn
    },
    attr: (still, name) => (flags(still) ? native.getAttribute(still.node, name) : null),
    attrNames: namesOf,
    flags,
    children: still => {
      const { tag, node } = still
      still.children ??= !tag ? noNodes : tag === 'slot' || native.shadowRoot(node) ? ofAll(live.children(node)) : inside(still)
      return still.children
    },
    parent: still => {
      if (still.parent === undefined) still.parent = orNull(live.parent(still.node))
      return still.parent
    },
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
    transparent: still => live.transparent(still.node),
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

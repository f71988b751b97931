import { itemRoles } from '../../contract/roles.ts'
import { type RenderNode, sizeOf, wrappers } from './passes.ts'

/** A possible line: a node, its position in the tree, and its importance. */
export interface Row {
  readonly node: RenderNode
  /** 1 for the outermost lines */
  readonly depth: number
  /** index of the parent row; -1 for the outermost */
  readonly parent: number
  readonly rank: Rank
  /** the number of items around it that have their own line in every format */
  readonly itemDepth: number
  /** the text of the item around it, for formats that have no line for the item */
  readonly item?: string
}

/** The lower the rank, the earlier a row is selected. */
export const ranks = { dialog: 0, inView: 1, aside: 2, outside: 3, behind: 4, bare: 5 } as const
export type Rank = (typeof ranks)[keyof typeof ranks]

export interface Rows {
  readonly rows: readonly Row[]
  /** nodes deeper than maxDepth were moved up, or dropped if they were only structure */
  readonly hoisted: boolean
}

interface PendingNode {
  readonly node: RenderNode
  readonly parent: number
  readonly depth: number
  readonly itemDepth: number
  readonly inDialog: boolean
  readonly isAside: boolean
}

export interface FlattenOptions {
  readonly maxDepth: number
  /** ref of the topmost dialog */
  readonly dialog: string | undefined
  /** fields and the title count as in view wherever they are, and the banner, navigation and footer rank below the rest of the view */
  readonly summary?: boolean
}

/** The nodes in document order. Nodes deeper than maxDepth become children of the deepest line that may have children. */
export function flatten(nodes: readonly RenderNode[], { maxDepth, dialog, summary = false }: FlattenOptions): Rows {
  const rows: Row[] = []
  let hoisted = false
  const pending: PendingNode[] = nodes
    .map(node => ({ node, parent: -1, depth: 1, itemDepth: 0, inDialog: false, isAside: false }))
    .reverse()
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, parent, depth, itemDepth } = next
    const inDialog = next.inDialog || (dialog !== undefined && node.ref === dialog)
    const isAside = next.isAside || asideRoles.has(node.role)
    const tooDeep = depth > maxDepth
    if (tooDeep) hoisted = true
    const index = rows.length
    const dropped = tooDeep && !hasContent(node)
    if (!dropped) {
      const rank = summary ? rankContent(rankOf(node, inDialog), { node, isAside }) : rankOf(node, inDialog)
      rows.push({ node, depth: Math.min(depth, maxDepth), parent, itemDepth, rank })
    }
    const childItemDepth = itemDepth + (isItem(node) && !dropped ? 1 : 0)
    // at the last level children are siblings of their parent
    const childParent = depth < maxDepth ? index : parent
    for (let position = node.children.length - 1; position >= 0; position--) {
      const child = node.children[position]
      if (child)
        pending.push({ node: child, parent: childParent, depth: dropped ? depth : depth + 1, itemDepth: childItemDepth, inDialog, isAside })
    }
  }
  return { rows, hoisted }
}

/** Whether a node is an item with content inside, which is separated from the next item in every format. */
export const isItem = ({ role, children }: RenderNode): boolean => itemRoles.has(role) && children.length > 0

/** Whether a node has its own content and is not only a container. */
export const hasContent = ({ ref, name, text, value, fold, children }: RenderNode): boolean =>
  Boolean(ref || name || text || value || fold || children.length === 0)

/** Whether a node is selected for itself. Containers come along with their children, and the text of an item with its controls. */
export const isSelectable = (node: RenderNode): boolean =>
  Boolean((node.text && !itemRoles.has(node.role)) || node.fold || node.children.length === 0 || (node.ref && !isBare(node)))

/** A row or a cell may have a ref and yet no content and nothing to operate. */
const isBare = ({ role, interactive, name, text, value, hint, fold }: RenderNode): boolean =>
  !interactive && !name && !text && !value && !hint && !fold && wrappers.has(role)

/** how many nodes of the page a row represents */
export const weightOf = (node: RenderNode): number => (node.fold ? sizeOf(node) : 1)

function rankOf(node: RenderNode, inDialog: boolean): Rank {
  if (isBare(node)) return ranks.bare
  const { states, offset } = node
  if (inDialog) return ranks.dialog
  if (states?.covered !== undefined || states?.inert) return ranks.behind
  return offset === undefined ? ranks.inView : ranks.outside
}

const asideRoles = new Set(['banner', 'navigation', 'contentinfo', 'complementary'])
const fieldRoles = new Set(['textbox', 'searchbox', 'combobox', 'listbox', 'spinbutton', 'checkbox', 'radio', 'switch', 'alert', 'status'])

/** The rank in a summary of a page. A search field in the banner is as important as one in the content. */
function rankContent(rank: Rank, { node: { role, states }, isAside }: Pick<PendingNode, 'node' | 'isAside'>): Rank {
  if (rank !== ranks.inView && rank !== ranks.outside) return rank
  if (fieldRoles.has(role) || (role === 'heading' && states?.level === 1)) return ranks.inView
  return isAside && rank === ranks.inView ? ranks.aside : rank
}

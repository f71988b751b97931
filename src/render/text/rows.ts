import { sizeOf, type View, wrappers } from './passes.ts'

/** One possible line: a node, where it stands, and how much it matters. */
export interface Row {
  readonly view: View
  /** 1 for the outermost lines */
  readonly depth: number
  /** index of the row that holds this one; -1 for the outermost */
  readonly parent: number
  readonly rank: Rank
}

/** What is kept first when there is not room for all; ties in document order. */
export const ranks = { dialog: 0, inView: 1, outside: 2, behind: 3, bare: 4 } as const
export type Rank = (typeof ranks)[keyof typeof ranks]

export interface Rows {
  readonly rows: readonly Row[]
  /** something stood deeper than maxDepth and was moved up, or was structure there and is gone */
  readonly hoisted: boolean
}

type Pending = { readonly view: View; readonly parent: number; readonly depth: number; readonly inDialog: boolean }

/** The nodes in document order. What lies deeper than maxDepth is attached to the deepest line that may hold it. */
export function flatten(nodes: readonly View[], { maxDepth, dialog }: { maxDepth: number; dialog: string | undefined }): Rows {
  const rows: Row[] = []
  let hoisted = false
  const pending: Pending[] = nodes.map(view => ({ view, parent: -1, depth: 1, inDialog: false })).reverse()
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { view, parent, depth } = next
    const inDialog = next.inDialog || (dialog !== undefined && view.ref === dialog)
    const tooDeep = depth > maxDepth
    if (tooDeep) hoisted = true
    const index = rows.length
    const gone = tooDeep && !hasContent(view)
    if (!gone) rows.push({ view, depth: Math.min(depth, maxDepth), parent, rank: rankOf(view, inDialog) })
    // below the last level, children stand beside their parent
    const holder = depth < maxDepth ? index : parent
    for (let child = view.children.length - 1; child >= 0; child--) {
      const below = view.children[child]
      if (below) pending.push({ view: below, parent: holder, depth: gone ? depth : depth + 1, inDialog })
    }
  }
  return { rows, hoisted }
}

/** whether it has something to say itself, and is not only there for what it holds */
export const hasContent = ({ ref, name, text, value, fold, children }: View): boolean =>
  Boolean(ref || name || text || value || fold || children.length === 0)

/** structure comes along with what it holds, and the words of an item with its controls; only these are chosen for themselves */
export const standsAlone = (view: View): boolean =>
  Boolean((view.text && !items.has(view.role)) || view.fold || view.children.length === 0 || (view.ref && !isBare(view)))

/** what stands many times on a page, each with words and controls of its own */
export const items: ReadonlySet<string> = new Set(['row', 'listitem', 'article'])

// a row or a cell may have a ref and yet nothing to say or to do
const isBare = ({ role, interactive, name, text, value, hint, fold }: View): boolean =>
  !interactive && !name && !text && !value && !hint && !fold && wrappers.has(role)

/** how many nodes of the page a row answers for */
export const weightOf = (view: View): number => (view.fold ? sizeOf(view) : 1)

function rankOf(view: View, inDialog: boolean): Rank {
  if (isBare(view)) return ranks.bare
  const { states, offset: off } = view
  if (inDialog) return ranks.dialog
  if (states?.covered !== undefined || states?.inert) return ranks.behind
  return off === undefined ? ranks.inView : ranks.outside
}

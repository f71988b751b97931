import type { ParsedSnapshot } from '../decode/snapshot.ts'
import { orderByImportance } from './budget.ts'
import { type Detail, type DetailStep, detailSteps } from './detail.ts'
import type { Dialect } from './dialect.ts'
import { itemLabels } from './item-label.ts'
import type { ResolvedRenderOptions } from './options.ts'
import { compact, distil, gatherText, type RenderNode, sizeOf } from './passes.ts'
import type { LineWriter } from './print.ts'
import { flatten, type Row } from './rows.ts'
import type { Writer } from './writer.ts'

export interface RenderContext {
  readonly snapshot: ParsedSnapshot
  readonly options: ResolvedRenderOptions
  readonly writer: Writer
  readonly dialect: Dialect
}

export type RenderPlan = ReturnType<typeof createPlan>

/** All lines that could be printed, and the order of their importance. */
export function createPlan(context: RenderContext) {
  const { snapshot, options, writer } = context
  const { rows: plainRows, hoisted } = flatten(dropNewIfMost(topLevelNodes(context)), {
    maxDepth: options.maxDepth,
    dialog: snapshot.meta.dialog,
    summary: options.summary,
  })
  const rows = writer.gathersText ? withItemLabels(plainRows) : plainRows
  const shows = ({ node }: Row) => writer.shows(node)
  const line = memoizeLines(rows, writer, snapshot.meta.url)
  const size = (index: number, step: DetailStep): number => {
    const node = rows[index]?.node
    // a fold line has a count and an advice, and JSON adds the names of fields
    if (node?.fold) return 2 * (rows[index]?.depth ?? 0) + 100
    return line(index, { detail: step.detail, hasChildren: Boolean(node && node.children.length > 0) }).length + 2
  }
  const nodes = sizeOf(snapshot.tree) - (isFrame(snapshot.tree) ? 1 : 0)
  const order = orderByImportance(rows, { shows, documentOrder: snapshot.meta.after !== undefined, nested: writer.nested })
  return { ...context, nodes, rows, hoisted, line, size, order, steps: detailSteps(options.maxTextPerNode, options) }
}

const maxLabelChars = 40

function withItemLabels(rows: readonly Row[]): readonly Row[] {
  const labelOf = itemLabels(rows)
  return rows.map((row, index) => {
    // links are distinguished by their href
    const item = row.node.attrs.href === undefined ? labelOf(index).slice(0, maxLabelChars) : ''
    return item ? { ...row, item } : row
  })
}

/** Writing lines is most of the work, and the same line is needed while selecting, measuring and printing. */
function memoizeLines(rows: readonly Row[], writer: Writer, url: string): LineWriter {
  const known = new Map<Detail, string[]>()
  return (index, { detail, hasChildren, place = '' }) => {
    const row = rows[index]
    if (!row) return ''
    if (place) return writer.line(row, { detail, url, hasChildren, place })
    const lines = known.get(detail) ?? []
    known.set(detail, lines)
    const key = index * 2 + (hasChildren ? 1 : 0)
    lines[key] ??= writer.line(row, { detail, url, hasChildren, place })
    return lines[key]
  }
}

/** If most nodes are new, as after a snapshot with other options, `new` says nothing. */
function dropNewIfMost(nodes: readonly RenderNode[]): readonly RenderNode[] {
  const count = (list: readonly RenderNode[], matches: (node: RenderNode) => boolean): number =>
    list.reduce((sum, node) => sum + (matches(node) ? 1 : 0) + count(node.children, matches), 0)
  if (count(nodes, node => node.new === true) * 2 <= count(nodes, () => true)) return nodes
  const dropNew = ({ new: _, ...node }: RenderNode): RenderNode => ({ ...node, children: node.children.map(dropNew) })
  return nodes.map(dropNew)
}

/** The nodes inside the root; the root has no line unless it has a ref or a name. */
function topLevelNodes({ snapshot: { tree, meta }, options, writer }: RenderContext): readonly RenderNode[] {
  const [only, ...others] = tree.children
  const isPart = meta.scope !== undefined || meta.after !== undefined || tree.ref !== undefined || (others.length === 0 && only?.ref)
  // a caller that asks for a part wants to see what was folded before
  const passes = [...(options.compact ? compact({ fold: !isPart }) : []), ...(writer.gathersText ? [gatherText] : [])]
  if (!isFrame(tree)) return distil(tree, passes)
  const roots = distil({ ...tree, role: 'document' }, passes)
  return roots.flatMap(root => (root.role !== 'document' || root.name || root.ref ? root : [...ownText(root), ...root.children]))
}

const isFrame = ({ ref, name, role }: RenderNode): boolean =>
  ref === undefined && name === '' && (role === 'document' || role === 'generic')
const ownText = (root: RenderNode): RenderNode[] => (root.text ? [{ ...root, tag: '#text', role: 'text', name: '', children: [] }] : [])

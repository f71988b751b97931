import type { ParsedSnapshot } from '../decode/snapshot.ts'
import { lineParts } from '../text/formats/tree.ts'
import { itemLabels } from '../text/item-label.ts'
import { compact, distil, type RenderNode } from '../text/passes.ts'
import { quote } from '../text/quote.ts'
import { flatten, hasContent, type Row } from '../text/rows.ts'
import { briefDetail } from '../text/standalone-line.ts'

/** A node as one side of a comparison. */
export interface DiffNode {
  /** equal keys mean the same node: an element by ref and tag, a text by its line */
  readonly key: string
  readonly node: RenderNode
  /** its line before and after the ref: `button "Save"` and `: "text"` */
  readonly label: string
  readonly text: string
  /** ` in "report.pdf"`: the row or item around a control that has namesakes; else '' */
  readonly place: string
  /** its row, and the rows around it from the innermost */
  readonly row: number
  readonly ancestors: readonly number[]
  /** the refs of the elements around it, from the innermost */
  readonly containers: readonly string[]
}

/** All nodes of a snapshot that would have a line. */
export const diffNodes = (snapshot: ParsedSnapshot): readonly DiffNode[] => allNodes(snapshot).filter(({ node }) => !isPlainContainer(node))

/** Those nodes and the other containers that have a ref, in their order. */
export const nodesInOrder = (snapshot: ParsedSnapshot): readonly DiffNode[] =>
  allNodes(snapshot).filter(({ node }) => node.ref || !isPlainContainer(node))

/** The other containers that have a ref, by key. */
export const plainContainers = (snapshot: ParsedSnapshot): ReadonlyMap<string, DiffNode> =>
  new Map(
    allNodes(snapshot)
      .filter(({ node }) => node.ref && isPlainContainer(node))
      .map(each => [each.key, each]),
  )

function allNodes({ tree: root, meta }: ParsedSnapshot): readonly DiffNode[] {
  const nodes = distil(root, compact({ fold: false }))
  const { rows } = flatten(nodes, { maxDepth: 256, dialog: undefined })
  const labelOf = itemLabels(rows)
  return rows.flatMap((row, index) => {
    if (!hasContent(row.node)) return []
    const label = labelOf(index)
    const ancestors = ancestorsOf(rows, index)
    const containers = ancestors.flatMap(ancestor => rows[ancestor]?.node.ref ?? [])
    return { ...toDiffNode(row.node, meta.url), place: label && ` in ${quote(label, 60)}`, row: index, ancestors, containers }
  })
}

/** A container that says nothing itself; whether it has a ref depends on how much it contains. */
const isPlainContainer = ({ role, interactive, name, text, value, hint, fold, states, children }: RenderNode): boolean =>
  !interactive && !name && !text && !value && !hint && !fold && !states?.unreachable && children.length > 0 && !/dialog$/.test(role)

function ancestorsOf(rows: readonly Row[], index: number): readonly number[] {
  const ancestors: number[] = []
  for (let row = rows[index]; row && row.parent >= 0; row = rows[row.parent]) ancestors.push(row.parent)
  return ancestors
}

function toDiffNode(node: RenderNode, url: string): Pick<DiffNode, 'key' | 'node' | 'label' | 'text'> {
  const { offset: _off, new: _new, box: _box, ...stable } = node
  // while the first text of a page is in view, the line of the root has it
  const { label, text } = lineParts(node.role === 'document' ? { ...stable, role: 'text' } : stable, {
    detail: briefDetail,
    url,
    place: '',
  })
  // the tag of an element never changes, so the same ref on another tag is another element
  return { key: node.ref ? `${node.ref} ${node.tag}` : `${label}${text}`, node, label, text }
}

import { itemRoles } from '../../contract/roles.ts'
import type { ParsedSnapshot } from '../decode/snapshot.ts'
import { textIn } from '../rank/text-in.ts'
import { lineParts } from '../text/formats/tree.ts'
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
}

/** All nodes of a snapshot that would have a line. */
export function diffNodes({ tree: root, meta }: ParsedSnapshot): readonly DiffNode[] {
  const nodes = distil(root, compact({ maxTextPerNode: 200, fold: false }))
  const { rows } = flatten(nodes, { maxDepth: 256, dialog: undefined })
  const namesakes = new Map<string, number>()
  for (const { node } of rows) if (node.interactive) namesakes.set(roleAndName(node), (namesakes.get(roleAndName(node)) ?? 0) + 1)
  return rows.flatMap(({ node, parent }) => {
    if (!hasContent(node)) return []
    const hasNamesakes = node.interactive && (namesakes.get(roleAndName(node)) ?? 0) > 1
    return toDiffNode(node, { url: meta.url, place: hasNamesakes ? placeOf(rows, parent) : '' })
  })
}

const roleAndName = ({ role, name }: RenderNode): string => `${role} ${name}`

/** The name or text of the row or item around a node, which tells four "Delete" buttons apart. */
function placeOf(rows: readonly Row[], parent: number): string {
  let row = rows[parent]
  while (row && !itemRoles.has(row.node.role)) row = rows[row.parent]
  const item = row?.node
  const label = item && (item.name || textIn(item, 60, each => each === item || !each.interactive))
  return label ? ` in ${quote(label, 60)}` : ''
}

function toDiffNode(node: RenderNode, { url, place }: { url: string; place: string }): DiffNode {
  const { offset: _off, new: _new, box: _box, ...stable } = node
  // while the first text of a page is in view, the line of the root has it
  const { label, text } = lineParts(node.role === 'document' ? { ...stable, role: 'text' } : stable, {
    detail: briefDetail,
    url,
    place: '',
  })
  // the tag of an element never changes, so the same ref on another tag is another element
  return { key: node.ref ? `${node.ref} ${node.tag}` : `${label}${text}`, node, label, text, place }
}

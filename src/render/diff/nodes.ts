import type { ParsedSnapshot } from '../decode/snapshot.ts'
import { lineParts } from '../text/formats/tree.ts'
import { itemLabels } from '../text/item-label.ts'
import { compact, distil, type RenderNode } from '../text/passes.ts'
import { quote } from '../text/quote.ts'
import { flatten, hasContent } from '../text/rows.ts'
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
  const nodes = distil(root, compact({ fold: false }))
  const { rows } = flatten(nodes, { maxDepth: 256, dialog: undefined })
  const labelOf = itemLabels(rows)
  return rows.flatMap((row, index) => {
    if (!hasContent(row.node)) return []
    const label = labelOf(index)
    return toDiffNode(row.node, { url: meta.url, place: label && ` in ${quote(label, 60)}` })
  })
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

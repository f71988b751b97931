import type { RefDetail, Snapshot, SnapshotNode } from '../contract/snapshot.ts'
import type { SnapshotDocument } from './document.ts'

/**
 * Adds `colspan` and `rowspan` to the attributes of cells, for readers of whole tables. The element that is in the place of a cell, because
 * it is all that the cell contains, gets those of the cell.
 */
export function withCellSpans(json: Snapshot, document: SnapshotDocument): Snapshot {
  const refs: { [ref: string]: RefDetail } = { ...json.refs }
  const stack: { readonly node: SnapshotNode; readonly isInTable: boolean }[] = [{ node: json.tree, isInTable: false }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, isInTable } = next
    const spans = isInTable && node.ref ? spansOf(document, node.ref) : {}
    if (node.ref && Object.keys(spans).length > 0) refs[node.ref] = { ...refs[node.ref], attrs: { ...refs[node.ref]?.attrs, ...spans } }
    const isTableNode = /^(table|grid|treegrid|row|rowgroup)$/.test(node.role)
    for (const child of node.children ?? []) stack.push({ node: child, isInTable: isTableNode })
  }
  return { ...json, refs }
}

/** levels between a cell and the only element that it contains */
const maxLevels = 8

function spansOf({ tree: { dom, refs } }: SnapshotDocument, ref: string): { readonly [name: string]: string } {
  let node = refs.find(ref) ?? null
  for (let level = 0; node && level < maxLevels && !/^(t[dh]|tr|table)$/.test(dom.tag(node)); level++) node = dom.parent(node)
  if (!node || !/^t[dh]$/.test(dom.tag(node))) return {}
  const [colspan, rowspan] = [dom.attr(node, 'colspan'), dom.attr(node, 'rowspan')]
  return { ...(colspan && { colspan: colspan.slice(0, 20) }), ...(rowspan && { rowspan: rowspan.slice(0, 20) }) }
}

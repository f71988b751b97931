import type { OmittedCounts } from '../../contract/snapshot.ts'
import type { RowSelection } from './budget.ts'
import type { RenderPlan } from './plan.ts'
import { hasContent, type Row, ranks, weightOf } from './rows.ts'

/** Counts the rows that were not printed and the elements that the page did not send, by position. */
export function countOmitted({ rows, writer, snapshot }: RenderPlan, { kept }: RowSelection) {
  const places: { -readonly [Place in keyof OmittedCounts]: number } = { ...snapshot.stats.omitted }
  const add = (place: keyof OmittedCounts, count: number) => {
    places[place] = (places[place] ?? 0) + count
  }
  let [here, unprinted, nodesOmitted] = [0, 0, 0]
  let firstGap = -1
  rows.forEach(({ node, rank }, index) => {
    const hasChildren = node.children.length > 0
    // a container is not missed: its children are counted themselves
    const isBare = rank === ranks.bare && (hasChildren || !writer.nested)
    if (kept[index] || !hasContent(node) || isBare || (!writer.nested && hasChildren && !node.ref && !node.text)) return
    const count = weightOf(node)
    nodesOmitted += count
    if (!writer.shows(node)) {
      unprinted += count
      return
    }
    const above = rank !== ranks.behind && (node.offset ?? 0) < 0
    if (firstGap < 0 && rank < ranks.behind && !above) firstGap = index
    if (rank === ranks.behind) add(node.states?.inert ? 'inert' : 'covered', count)
    else if (above) add('above', count)
    else if (node.offset !== undefined) add('below', count)
    else here += count
  })
  // content above the viewport is reached by scrolling; all other omitted content comes after this ref
  const after = lastRefBefore(firstGap < 0 ? rows.length : firstGap, rows, kept)
  return { places, here, unprinted, nodesOmitted, after }
}

function lastRefBefore(end: number, rows: readonly Row[], kept: readonly boolean[]): string {
  for (let index = end - 1; index >= 0; index--) if (kept[index] && rows[index]?.node.ref) return rows[index]?.node.ref ?? ''
  return ''
}

import type { OmittedCounts } from '../../contract/snapshot.ts'
import type { Choice } from './budget.ts'
import type { Draft } from './plan.ts'
import { hasContent, type Row, ranks, weightOf } from './rows.ts'

/** What the renderer did not print, and what the page did not emit, by where it is. */
export function leftOut({ rows, writer, snapshot }: Draft, { kept }: Choice) {
  const places: { -readonly [Place in keyof OmittedCounts]: number } = { ...snapshot.stats.omitted }
  const add = (place: keyof OmittedCounts, many: number) => {
    places[place] = (places[place] ?? 0) + many
  }
  let [here, unspoken, nodesLeft] = [0, 0, 0]
  let firstGap = -1
  rows.forEach(({ view, rank }, index) => {
    const holds = view.children.length > 0
    // what only holds others is not missed: they are counted themselves
    const isBare = rank === ranks.bare && (holds || !writer.nested)
    if (kept[index] || !hasContent(view) || isBare || (!writer.nested && holds && !view.ref && !view.text)) return
    const many = weightOf(view)
    nodesLeft += many
    if (!writer.shows(view)) {
      unspoken += many
      return
    }
    const above = rank !== ranks.behind && (view.offset ?? 0) < 0
    if (firstGap < 0 && rank < ranks.behind && !above) firstGap = index
    if (rank === ranks.behind) add(view.states?.inert ? 'inert' : 'covered', many)
    else if (above) add('above', many)
    else if (view.offset !== undefined) add('below', many)
    else here += many
  })
  // what lies above is reached by scrolling; everything else that is missing comes after this ref
  const after = lastRefBefore(firstGap < 0 ? rows.length : firstGap, rows, kept)
  return { places, here, unspoken, nodesLeft, after }
}

function lastRefBefore(end: number, rows: readonly Row[], kept: readonly boolean[]): string {
  for (let index = end - 1; index >= 0; index--) if (kept[index] && rows[index]?.view.ref) return rows[index]?.view.ref ?? ''
  return ''
}

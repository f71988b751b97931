import type { Dom } from '../dom.ts'
import type { Candidate } from './candidate.ts'

const cellRoles = /^(cell|gridcell|columnheader|rowheader)$/

/**
 * The cells of rows with a line that have nothing to show: empty ones, or with nothing but an icon or a hidden text. They have a line all
 * the same, because the cells behind them would seem to be below the wrong headers.
 */
export function emptyCells<N>(
  dom: Dom<N>,
  candidates: readonly Candidate<N>[],
  hasLine: (candidate: Candidate<N>) => boolean,
): readonly Candidate<N>[] {
  const filled = new Set<Candidate<N>>()
  const cells: Candidate<N>[] = []
  for (const each of candidates) {
    if (cellRoles.test(each.role)) cells.push(each)
    if (hasLine(each))
      for (let up: Candidate<N> | null = each; up && up.role !== 'row' && !filled.has(up); up = up.parent)
        if (cellRoles.test(up.role)) filled.add(up)
  }
  return cells.filter(cell => !filled.has(cell) && cell.parent?.role === 'row' && hasLine(cell.parent) && !dom.hidden(cell.node))
}

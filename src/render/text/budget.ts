import { keepDistance } from '../../contract/importance.ts'
import { type DetailStep, mildSteps } from './detail.ts'
import { isItem, isSelectable, type Row, ranks } from './rows.ts'

/** The rows that are printed, and the limits that kept others out. */
export interface RowSelection {
  readonly step: DetailStep
  readonly kept: readonly boolean[]
  readonly hitNodes: boolean
  readonly hitChars: boolean
}

export interface Budget {
  readonly rows: readonly Row[]
  /** indices of the candidates, the most important first */
  readonly order: readonly number[]
  /** characters of a row including its line end */
  readonly size: (index: number, step: DetailStep) => number
  readonly nested: boolean
  readonly marksItems: boolean
  readonly room: number
  readonly maxNodes: number
}

/**
 * Rows in a dialog come first, then rows in view, then the nearest to the viewport; covered ones are last. A field counts as nearer than a
 * link. Equal rows stay in document order.
 */
export function orderByImportance(
  rows: readonly Row[],
  { shows, documentOrder, nested }: { shows: (row: Row) => boolean; documentOrder: boolean; nested: boolean },
): readonly number[] {
  // in a format without levels a container does not come along with its children
  const isCandidate = ({ node }: Row) => isSelectable(node) || (!nested && node.text !== '')
  const candidates = rows.flatMap((row, index) => (isCandidate(row) && shows(row) ? index : []))
  // a caller that continues after a ref reads the page from there to its end
  if (documentOrder) return candidates
  const distance = (row: Row | undefined) => (row ? keepDistance(row.node.offset ?? 0, row.node.tag) : 0)
  return candidates.sort(
    (one, other) => (rows[one]?.rank ?? 0) - (rows[other]?.rank ?? 0) || distance(rows[one]) - distance(rows[other]) || one - other,
  )
}

/**
 * Selects the rows that fit. Details are omitted before nodes are: the mild steps for any node that would not fit, the last step only for
 * nodes in view, because a link far away is not worth the text of one nearby.
 */
export function selectRows(steps: readonly DetailStep[], budget: Budget): RowSelection {
  for (const step of steps.slice(0, mildSteps)) {
    const selection = selectAt(step, budget, { stopAtFirstMiss: true })
    if (!selection.hitChars) return selection
  }
  const near = budget.order.filter(index => (budget.rows[index]?.rank ?? 0) <= ranks.inView)
  const lastSteps = steps.slice(mildSteps - 1)
  const sufficient = lastSteps.find(step => !selectAt(step, { ...budget, order: near }, { stopAtFirstMiss: true }).hitChars)
  return selectAt(sufficient ?? (lastSteps[lastSteps.length - 1] as DetailStep), budget)
}

// after so many rows that did not fit, the next one will hardly fit either
const maxMisses = 40

/** `stopAtFirstMiss` saves work where only a complete selection is of use: writing lines to measure them is expensive. */
function selectAt(step: DetailStep, budget: Budget, { stopAtFirstMiss = false } = {}): RowSelection {
  const { rows, order, size, room, maxNodes } = budget
  const kept = rows.map(() => false)
  let hitNodes = false
  let hitChars = false
  let [count, used, misses] = [0, 0, 0]
  for (const candidate of order) {
    if (kept[candidate]) continue
    if (count >= maxNodes) hitNodes = true
    if (count >= maxNodes || misses >= maxMisses) break
    const chain = missingAncestors(candidate, budget, kept)
    const cost = chain.reduce((sum, index) => sum + size(index, step), 0)
    const tooMany = count + chain.length > maxNodes
    const tooLong = used + cost > room
    hitNodes ||= tooMany
    hitChars ||= tooLong
    if (tooLong && stopAtFirstMiss) break
    if (tooMany || tooLong) {
      misses++
      continue
    }
    for (const index of chain) kept[index] = true
    count += chain.length
    used += cost
  }
  return { step, kept, hitNodes, hitChars }
}

/** The row and those of its ancestors that are not selected yet: in a format without levels only the items, whose line tells them apart. */
function missingAncestors(candidate: number, { rows, nested, marksItems }: Budget, kept: readonly boolean[]): number[] {
  const chain: number[] = []
  for (let row = rows[candidate], index = candidate; row && !kept[index]; index = row.parent, row = rows[index]) {
    if (nested || index === candidate || (marksItems && isItem(row.node))) chain.push(index)
  }
  return chain
}

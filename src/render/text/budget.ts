import { mildSteps, type Step } from './detail.ts'
import { type Row, ranks, standsAlone } from './rows.ts'

/** Which rows are printed, and which limit kept the others out. */
export interface Choice {
  readonly step: Step
  readonly kept: readonly boolean[]
  readonly hitNodes: boolean
  readonly hitChars: boolean
}

export interface Budget {
  readonly rows: readonly Row[]
  /** candidates, what matters most first */
  readonly order: readonly number[]
  /** characters of a row with its line end */
  readonly size: (index: number, step: Step) => number
  readonly nested: boolean
  readonly room: number
  readonly maxNodes: number
}

const fields = new Set(['input', 'select', 'textarea'])

/** Dialog, in view, nearest first, covered last; a field counts as nearer than a link, and document order decides where all is equal. */
export function byImportance(
  rows: readonly Row[],
  { shows, plain, nested }: { shows: (row: Row) => boolean; plain: boolean; nested: boolean },
): readonly number[] {
  // without levels nothing comes along with what it holds
  const isCandidate = ({ view }: Row) => standsAlone(view) || (!nested && view.text !== '')
  const candidates = rows.flatMap((row, index) => (isCandidate(row) && shows(row) ? index : []))
  // who goes on after a ref reads the page from there to its end
  if (plain) return candidates
  const distance = (row: Row | undefined) => Math.abs(row?.view.offset ?? 0) / (row && fields.has(row.view.tag) ? 8 : 1)
  return candidates.sort(
    (one, other) => (rows[one]?.rank ?? 0) - (rows[other]?.rank ?? 0) || distance(rows[one]) - distance(rows[other]) || one - other,
  )
}

/**
 * Detail goes before nodes do. The mild steps are taken for anything that would not fit; the hardest only for what is in view,
 * because a far link is not worth the words of a near one.
 */
export function chooseWithin(steps: readonly Step[], budget: Budget): Choice {
  for (const step of steps.slice(0, mildSteps)) {
    const choice = choose(step, budget, true)
    if (!choice.hitChars) return choice
  }
  const near = budget.order.filter(index => (budget.rows[index]?.rank ?? 0) <= ranks.inView)
  const harder = steps.slice(mildSteps - 1)
  const enough = harder.find(step => !choose(step, { ...budget, order: near }, true).hitChars)
  return choose(enough ?? (harder[harder.length - 1] as Step), budget)
}

// after so many rows that did not fit, the next will not either
const patience = 40

/** with `whole`, nothing more is tried once a row does not fit: writing lines is most of the work */
function choose(step: Step, { rows, order, size, nested, room, maxNodes }: Budget, whole = false): Choice {
  const kept = rows.map(() => false)
  let hitNodes = false
  let hitChars = false
  let [many, used, misses] = [0, 0, 0]
  for (const candidate of order) {
    if (kept[candidate]) continue
    if (many >= maxNodes) hitNodes = true
    if (many >= maxNodes || misses >= patience) break
    const chain = missing(candidate, { rows, kept, nested })
    const cost = chain.reduce((sum, index) => sum + size(index, step), 0)
    const tooMany = many + chain.length > maxNodes
    const tooLong = used + cost > room
    hitNodes ||= tooMany
    hitChars ||= tooLong
    if (tooLong && whole) break
    if (tooMany || tooLong) {
      misses++
      continue
    }
    for (const index of chain) kept[index] = true
    many += chain.length
    used += cost
  }
  return { step, kept, hitNodes, hitChars }
}

function missing(candidate: number, { rows, kept, nested }: { rows: readonly Row[]; kept: readonly boolean[]; nested: boolean }): number[] {
  const chain: number[] = []
  for (let index = candidate; index >= 0 && !kept[index]; index = rows[index]?.parent ?? -1) {
    chain.push(index)
    if (!nested) break
  }
  return chain
}

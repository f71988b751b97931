import type { DiffNode } from './nodes.ts'

/** Elements that both snapshots have in the same container, in another order. */
export interface OrderChange {
  /** the fewest that must have moved */
  readonly count: number
  /** the ref of the container, if all are in one that has a ref */
  readonly container?: string
}

/** What changed in the order of the nodes that have stayed where they are; undefined if nothing did. */
export function reorderedNodes(past: readonly DiffNode[], present: readonly DiffNode[]): OrderChange | undefined {
  const [placesBefore, placesAfter] = [placesOf(past), placesOf(present)]
  const groups = new Map<string, number[]>()
  for (const [key, { container }] of placesAfter) {
    const was = placesBefore.get(key)
    if (was?.container !== container) continue
    const group = groups.get(container)
    if (group) group.push(was.index)
    else groups.set(container, [was.index])
  }
  const moved = [...groups]
    .map(([container, places]) => ({ container, count: places.length - longestRise(places) }))
    .filter(({ count }) => count > 0)
  const [first, ...others] = moved
  if (!first) return undefined
  const count = moved.reduce((sum, each) => sum + each.count, 0)
  return { count, ...(others.length === 0 && first.container && { container: first.container }) }
}

interface Place {
  readonly index: number
  readonly container: string
}

/** Of nodes with the same key none can be told from the others, and the line of the root has the first text, wherever that is. */
function placesOf(nodes: readonly DiffNode[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  const repeated = new Set<string>()
  for (const [index, { key, node, containers }] of nodes.entries()) {
    if (places.has(key) || node.role === 'document') repeated.add(key)
    places.set(key, { index, container: containers[0] ?? '' })
  }
  for (const key of repeated) places.delete(key)
  return places
}

/** The length of the longest part of a sequence, not necessarily in a row, that only rises. */
function longestRise(numbers: readonly number[]): number {
  // the smallest last number of a rise of each length
  const lasts: number[] = []
  for (const number of numbers) {
    let [from, to] = [0, lasts.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((lasts[middle] as number) < number) from = middle + 1
      else to = middle
    }
    lasts[from] = number
  }
  return lasts.length
}

import { availableParallelism } from 'node:os'

/** a browser starts in a second on an idle core; many at once would take the time of each other until all are too late */
const maxLaunches = Math.max(2, availableParallelism())
let running = 0
const waiting: (() => void)[] = []

/** Runs work when it is its turn: only so many browsers of this process start at a time. */
export async function inLaunchTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxLaunches) await new Promise<void>(resolve => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

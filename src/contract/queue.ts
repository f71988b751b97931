/** Runs tasks one at a time, in the order in which they were added. A task that fails does not stop the ones after it. */
export function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return task => {
    const turn = last.then(task)
    last = turn.catch(() => {})
    return turn
  }
}

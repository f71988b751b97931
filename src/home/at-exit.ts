const actions = new Set<() => void>()

const runAll = () => {
  for (const action of actions) action()
}

/**
 * Calls a function when the process exits, unless the returned function was called before. All share one listener: Node.js warns about a
 * leak when a process with many browsers has one for each.
 */
export function atExit(action: () => void): () => void {
  if (actions.size === 0) process.on('exit', runAll)
  actions.add(action)
  return () => {
    actions.delete(action)
    if (actions.size === 0) process.off('exit', runAll)
  }
}

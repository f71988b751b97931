/** Wakes all who wait for it, each at the latest when its own time is over. */
export function createSignal() {
  const waiting = new Set<() => void>()
  return {
    notify: () => {
      for (const wake of [...waiting]) wake()
    },
    wait: (ms: number) =>
      new Promise<void>(resolve => {
        const done = () => {
          clearTimeout(timer)
          waiting.delete(done)
          resolve()
        }
        const timer = setTimeout(done, ms)
        waiting.add(done)
      }),
  }
}

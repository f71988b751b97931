import { Failed } from './failed.ts'
import type { Tab } from './tab.ts'

interface Frame {
  readonly frameId: string
  readonly on: Tab['on']
  onLost(listener: (why: Failed) => void): () => void
}

interface Start {
  /** what is loading, for the message of a failure */
  readonly what: string
  readonly timeoutMs?: number
  start(): Promise<'loads' | 'same document'>
}

/** Starts a load and resolves with the load event of the first document that began since and got as far. */
export async function loaded({ frameId, on, onLost }: Frame, { what, timeoutMs = 30_000, start }: Start): Promise<void> {
  const undo: (() => void)[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Failed('timeout', `${what} did not load within ${timeoutMs} ms.`)), timeoutMs)
      undo.push(() => clearTimeout(timer))
      undo.push(onLost(why => reject(new Failed(why.code, `${why.message} It was loading ${what}.`))))

      // a quick page is loaded before the answer comes, and the page that an error shows is loaded like any other
      const begun = new Set<string>()
      let isStarted = false
      let isLoaded = false
      const off = on('Page.lifecycleEvent', event => {
        if (event.frameId !== frameId) return
        if (event.name === 'init') begun.add(event.loaderId)
        if (event.name === 'load' && begun.has(event.loaderId)) isLoaded = true
        if (isStarted && isLoaded) resolve()
      })
      undo.push(off)
      start().then(started => {
        isStarted = true
        if (isLoaded || started === 'same document') resolve()
      }, reject)
    })
  } finally {
    for (const step of undo) step()
  }
}

import { PagehandError } from '../errors.ts'
import type { PageTarget } from '../page/target.ts'

interface Frame {
  readonly frameId: string
  readonly on: PageTarget['on']
  onLost(listener: (why: PagehandError) => void): () => void
}

interface Start {
  /** what is loading, for the message of a failure */
  readonly what: string
  readonly timeoutMs?: number
  /** a document that has begun and is not loaded after this long is left to itself */
  readonly loadMs?: number
  /** the browser has the next document; the old one has this long to make way for it */
  readonly commitMs?: number
  /** may end the waiting; returns the function that ends its listening */
  interrupt?(stop: () => void): () => void
  /** a step of the history: only its end tells whether it stays within the document */
  readonly isHistory?: boolean
  start(): Promise<'loads' | 'same document'>
}

/** Starts a load and resolves with the load event of the first document that began since and got as far, or when it was waited for enough. */
export async function waitForLoad(
  { frameId, on, onLost }: Frame,
  { what, timeoutMs = 30_000, loadMs, commitMs, interrupt, isHistory = false, start }: Start,
): Promise<'loaded' | 'loading'> {
  const undo: (() => void)[] = []
  const after = (ms: number, then: () => void) => {
    const timer = setTimeout(then, ms)
    undo.push(() => clearTimeout(timer))
  }
  try {
    return await new Promise<'loaded' | 'loading'>((resolve, reject) => {
      after(timeoutMs, () => reject(new PagehandError('timeout', `${what} did not load within ${timeoutMs} ms.`)))
      undo.push(onLost(why => reject(new PagehandError(why.code, `${why.message} It was loading ${what}.`))))
      if (interrupt) undo.push(interrupt(() => resolve('loading')))

      // a quick page is loaded before the answer comes, and the page that an error shows is loaded like any other
      const begun = new Set<string>()
      let isStarted = false
      let isLoaded = false
      const arrive = () => {
        isLoaded = true
        if (isStarted) resolve('loaded')
      }
      undo.push(
        on('Page.lifecycleEvent', event => {
          if (event.frameId !== frameId) return
          if (event.name === 'init') {
            if (begun.size === 0 && loadMs !== undefined) after(loadMs, () => resolve('loading'))
            begun.add(event.loaderId)
          }
          if (event.name === 'load' && begun.has(event.loaderId)) arrive()
        }),
        // a document whose connection broke, or that stopped itself, has no load event
        on('Page.frameStoppedLoading', event => event.frameId === frameId && begun.size > 0 && arrive()),
        // steps of the history that load nothing
        on('Page.navigatedWithinDocument', event => event.frameId === frameId && isHistory && arrive()),
        on('Page.frameNavigated', event => event.frame.id === frameId && event.type === 'BackForwardCacheRestore' && arrive()),
      )
      start().then(started => {
        isStarted = true
        if (isLoaded || started === 'same document') resolve('loaded')
        else if (commitMs !== undefined)
          after(commitMs, () => begun.size || reject(new PagehandError('page_unresponsive', `The page does not make way for ${what}.`)))
      }, reject)
    })
  } finally {
    for (const step of undo) step()
  }
}

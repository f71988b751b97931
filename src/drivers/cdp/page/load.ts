import { say, term } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import { onAbort } from '../timeout.ts'
import type { PageTarget } from './target.ts'

type LoadingFrame = Pick<PageTarget, 'on' | 'onDisconnect'> & { readonly frameId: string }

interface LoadOptions {
  /** the URL that is being loaded, for failures */
  readonly url?: string
  /** @default 30_000 */
  readonly timeoutMs?: number
  /** how long to wait for the load event once a document has begun (default: until the timeout) */
  readonly loadMs?: number
  /** how long the previous document may take to unload once the server has answered (default: until the timeout) */
  readonly commitMs?: number
  /** whether the server has yet to answer */
  isWaitingForServer?(): boolean
  /** ends the wait with `aborted`; whatever is loading goes on */
  readonly signal?: AbortSignal
  /** subscribes to what may end the wait; returns the function that unsubscribes */
  interrupt?(wait: LoadWait): () => void
  /** a step in the session history: only its end tells whether it stays within the document */
  readonly isHistory?: boolean
  start(): Promise<'loads' | 'same document'>
}

/** The wait for a document, for what may end it early. */
export interface LoadWait {
  /** whether the document that is waited for has begun */
  hasBegun(): boolean
  /** resolves with 'loading' if the document has begun; otherwise nothing of it is there, and the wait fails with `page_unresponsive` */
  stop(): void
}

/** Resolves on the first `load` event of a document that began after `start()`, or with 'loading' if it was waited for long enough. */
export async function waitForLoad(
  { frameId, on, onDisconnect }: LoadingFrame,
  { url, timeoutMs = 30_000, loadMs, commitMs, isWaitingForServer = () => false, signal, interrupt, isHistory = false, start }: LoadOptions,
): Promise<'loaded' | 'loading'> {
  const words = url === undefined ? {} : { url }
  const undo: (() => void)[] = []
  const after = (ms: number, then: () => void) => {
    const timer = setTimeout(then, ms)
    undo.push(() => clearTimeout(timer))
  }
  try {
    return await new Promise<'loaded' | 'loading'>((resolve, reject) => {
      after(timeoutMs, () => reject(new PagehandError('timeout', say`The page did not load within ${timeoutMs} ms.`, { page: words })))
      undo.push(
        onDisconnect(reason =>
          reject(
            new PagehandError(reason.code, say`${reason.parts ?? term(reason.message)} It was loading another page.`, { page: words }),
          ),
        ),
      )
      if (signal) undo.push(onAbort(signal, () => reject(new PagehandError('aborted', say`The navigation was stopped.`))))
      const block = () => reject(new PagehandError('page_unresponsive', say`The page is blocking the navigation.`, { page: words }))

      // a fast page loads before start() resolves, and so does the error page of a failed navigation
      const loaderIds = new Set<string>()
      let isStarted = false
      let isLoaded = false
      const hasBegun = () => loaderIds.size > 0
      if (interrupt) undo.push(interrupt({ hasBegun, stop: () => (hasBegun() ? resolve('loading') : block()) }))
      const onLoad = () => {
        isLoaded = true
        if (isStarted) resolve('loaded')
      }
      undo.push(
        on('Page.lifecycleEvent', event => {
          if (event.frameId !== frameId) return
          if (event.name === 'init') {
            if (loaderIds.size === 0 && loadMs !== undefined) after(loadMs, () => resolve('loading'))
            loaderIds.add(event.loaderId)
          }
          if (event.name === 'load' && loaderIds.has(event.loaderId)) onLoad()
        }),
        // a document whose connection broke, or that called stop(), has no load event
        on('Page.frameStoppedLoading', event => event.frameId === frameId && loaderIds.size > 0 && onLoad()),
        // steps in the session history that load nothing
        on('Page.navigatedWithinDocument', event => event.frameId === frameId && isHistory && onLoad()),
        on('Page.frameNavigated', event => event.frame.id === frameId && event.type === 'BackForwardCacheRestore' && onLoad()),
      )
      const checkCommit = (ms: number) =>
        after(ms, () => {
          if (hasBegun()) return
          if (isWaitingForServer()) checkCommit(ms)
          else block()
        })
      start().then(started => {
        isStarted = true
        if (isLoaded || started === 'same document') resolve('loaded')
        else if (commitMs !== undefined) checkCommit(commitMs)
      }, reject)
    })
  } finally {
    for (const step of undo) step()
  }
}

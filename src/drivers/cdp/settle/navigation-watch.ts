import type { CdpSession } from '../connection/cdp-session.ts'
import { createEmitter } from '../emitter.ts'
import { waitForEvent } from '../timeout.ts'

export interface NavigationWatch {
  isNavigating(): boolean
  /** the number of documents that were committed in the top frame */
  commits(): number
  /** resolves when a navigation begins, commits or ends, or after `ms` */
  waitForChange(ms: number): Promise<void>
  end(): void
}

/** Watches the top frame of a page for navigations. */
export function watchTopFrame(target: CdpSession & { readonly targetId: string }): NavigationWatch {
  let isNavigating = false
  let commits = 0
  const changes = createEmitter()
  const update = (navigating: boolean) => {
    isNavigating = navigating
    changes.emit()
  }
  const topFrameId = target.targetId
  const unsubscribe = [
    target.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (frameId === topFrameId && disposition === 'currentTab') update(true)
    }),
    target.on('Page.frameNavigated', ({ frame, type }) => {
      if (frame.parentId !== undefined) return
      commits++
      // a document from the back/forward cache has loaded before, and no event reports that again
      update(type !== 'BackForwardCacheRestore')
    }),
    target.on('Page.navigatedWithinDocument', ({ frameId }) => {
      if (frameId === topFrameId) update(false)
    }),
    // sent also if the navigation has no document: a download, an empty response, a stopped load
    target.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === topFrameId) update(false)
    }),
  ]
  return {
    isNavigating: () => isNavigating,
    commits: () => commits,
    waitForChange: ms => waitForEvent(changes.on, ms),
    end: () => {
      for (const off of unsubscribe) off()
    },
  }
}

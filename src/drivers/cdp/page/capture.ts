import type { Params } from '../connection/protocol.ts'
import type { PageTarget } from './target.ts'

/** the tabs that a screencast keeps drawing */
const casts = new WeakSet<PageTarget>()

export function startScreencast(target: PageTarget, params: Params<'Page.startScreencast'>): Promise<unknown> {
  casts.add(target)
  return target.send('Page.startScreencast', params)
}

export function stopScreencast(target: PageTarget): void {
  casts.delete(target)
  target.send('Page.stopScreencast').catch(() => {}) // the tab is gone
}

interface CaptureContext {
  readonly target: PageTarget
  /** it draws tabs in the background like those in front */
  readonly isHeadlessShell: boolean
}

/**
 * Captures a tab, also behind other tabs or in a minimized window. There Chrome draws a frame only if the page changes, a screenshot waits
 * for the next frame, and every second screenshot of a still page would wait forever. A screencast makes it draw.
 */
export async function capture({ target, isHeadlessShell }: CaptureContext, params: Params<'Page.captureScreenshot'>): Promise<string> {
  const isDrawing = isHeadlessShell || casts.has(target)
  if (!isDrawing) await startScreencast(target, { format: 'jpeg', quality: 1, maxWidth: 16, maxHeight: 16 })
  try {
    return (await target.send('Page.captureScreenshot', params)).data
  } finally {
    if (!isDrawing) stopScreencast(target)
  }
}

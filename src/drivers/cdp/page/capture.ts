import type { Params } from '../connection/protocol.ts'
import type { PageTarget } from './target.ts'

/** the tabs that a screencast keeps drawing, with its parameters */
const casts = new WeakMap<PageTarget, Params<'Page.startScreencast'>>()

/**
 * Starts a screencast, or starts it again: Chromium refuses to start one that is active, and then keeps waiting for the acknowledgement of a
 * frame that nobody may have received.
 */
export function startScreencast(target: PageTarget, params: Params<'Page.startScreencast'>): Promise<unknown> {
  stopScreencast(target)
  casts.set(target, params)
  return target.send('Page.startScreencast', params)
}

export function stopScreencast(target: PageTarget): void {
  if (casts.delete(target)) target.send('Page.stopScreencast').catch(() => {}) // the tab is gone
}

/** width and height of pictures that only keep a tab drawn */
export const drawingPixels = 16

export interface DrawingTab {
  readonly isDrawn: Promise<unknown>
  end(): void
}

/**
 * Makes Chrome draw a tab behind other tabs or in a minimized window like one in front. There it draws a frame only now and then, if the
 * page changes, and moves of the mouse wait for one. The pictures of the screencast are not used.
 */
export function keepDrawing(target: PageTarget): DrawingTab {
  if (casts.has(target)) return { isDrawn: Promise.resolve(), end() {} }
  const params = { format: 'jpeg', quality: 1, maxWidth: drawingPixels, maxHeight: drawingPixels } as const
  return {
    isDrawn: startScreencast(target, params),
    end() {
      // a live view may have begun, and goes on
      if (casts.get(target) === params) stopScreencast(target)
    },
  }
}

interface CaptureContext {
  readonly target: PageTarget
  /** it draws tabs in the background like those in front */
  readonly isHeadlessShell: boolean
}

/**
 * Captures a tab, also in the background: a screenshot waits for the next frame there, and every second screenshot of a still page would
 * wait forever. `isPainted` says that the document has been painted, so that one color is what it shows.
 */
export async function capture(
  { target, isHeadlessShell }: CaptureContext,
  params: Params<'Page.captureScreenshot'>,
  { isPainted = false }: { readonly isPainted?: boolean } = {},
): Promise<string> {
  const drawing = isHeadlessShell ? undefined : keepDrawing(target)
  await drawing?.isDrawn
  try {
    const { data } = await target.send('Page.captureScreenshot', params)
    // a document that has just replaced another may not have painted yet; the second screenshot waits for its next frame
    return !isPainted && isBlank(data) ? (await target.send('Page.captureScreenshot', params)).data : data
  } finally {
    drawing?.end()
  }
}

/** A screenshot of one color takes less than a byte for so many pixels, one with a line of text takes more. */
const blankPixelsPerByte = 150

function isBlank(base64: string): boolean {
  const { width, height } = pngSize(base64)
  return base64.length * 0.75 * blankPixelsPerByte < width * height
}

// https://www.w3.org/TR/png/#11IHDR: the first chunk begins with width and height
export function pngSize(base64: string): { width: number; height: number } {
  const head = Buffer.from(base64.slice(0, 64), 'base64')
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

// Styles do not tell whether a text on an image, behind a mask or with a blend mode can be read. One screenshot of those that are in view
// decides; most pages have none.
import type { Box } from '../../../engine/dom.ts'
import { mapBox } from '../../../engine/matrix.ts'
import { embed } from '../../../webview/embed.ts'
import { capture } from '../page/capture.ts'
import { frameMatrix } from '../page/frames.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
import { withTimeout } from '../timeout.ts'

/** a tab that is not drawn has no pixels */
const maxCaptureMs = 2_000

/** Whether the pixels of undecided texts contradict the snapshot that found them; the engine remembers what they say. */
export async function contradictsSnapshot(page: Page, world: IsolatedWorld, given: readonly Box[]): Promise<boolean> {
  if (page.document.pendingNavigation() !== undefined) return false
  const [matrix, { cssVisualViewport }, isPainted] = await Promise.all([
    frameMatrix(page, world),
    page.target.send('Page.getLayoutMetrics'),
    page.evaluate<boolean>(world, `performance.getEntriesByName('first-paint').length > 0`),
  ])
  const { pageX, pageY, clientWidth, clientHeight } = cssVisualViewport
  const boxes = given.map(box => mapBox(matrix, box))
  const edge = (of: (box: Box) => number, pick: typeof Math.min, limit: number) => pick(limit, ...boxes.map(of))
  const left = Math.floor(
    Math.max(
      0,
      edge(box => box.x, Math.min, clientWidth),
    ),
  )
  const top = Math.floor(
    Math.max(
      0,
      edge(box => box.y, Math.min, clientHeight),
    ),
  )
  const width =
    Math.ceil(
      Math.min(
        clientWidth,
        edge(box => box.x + box.width, Math.max, 0),
      ),
    ) - left
  const height =
    Math.ceil(
      Math.min(
        clientHeight,
        edge(box => box.y + box.height, Math.max, 0),
      ),
    ) - top
  if (width < 1 || height < 1) return false
  const clip = { x: left + pageX, y: top + pageY, width, height, scale: 1 }
  const captured = capture(page, { format: 'png', optimizeForSpeed: true, clip }, { isPainted })
  const png = await withTimeout(maxCaptureMs, captured, () => undefined).catch(() => undefined)
  if (png === undefined) return false
  const inClip = boxes.map(box => ({ ...box, x: box.x - left, y: box.y - top }))
  return page.evaluate<boolean>(world, `__agentBrowser.textPixels.judge(${embed(png)}, ${width}, ${embed(inClip)})`)
}

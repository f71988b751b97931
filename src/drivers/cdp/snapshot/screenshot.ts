import { say } from '../../../contract/message.ts'
import type { ScreenshotData } from '../../../contract/results.ts'
import type { SnapshotNode } from '../../../contract/snapshot.ts'
import { mapPoint } from '../../../engine/matrix.ts'
import { embed } from '../../../webview/embed.ts'
import { PagehandError } from '../errors.ts'
import { capture, pngSize } from '../page/capture.ts'
import { frameMatrix } from '../page/frames.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
import { withSecretsCovered } from '../page/secret-covers.ts'
import { drawRefs } from '../script.js'
import { type SnapshotContext, takeSnapshot } from './snapshot.ts'

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** a larger screenshot is scaled down */
const maxPixels = 4_000_000
const maxSide = 8_000

interface ScreenshotOptions {
  readonly fullPage?: boolean | undefined
  readonly ref?: string | undefined
  readonly annotate?: boolean | undefined
  readonly mark?: string | undefined
}

/**
 * Captures the viewport, the whole page, or one element; `annotate` labels elements with their refs, `mark` outlines one element and moves
 * the captured area to it without scrolling the page.
 */
export async function takeScreenshot(
  context: SnapshotContext,
  { fullPage = false, ref, annotate = false, mark }: ScreenshotOptions,
): Promise<Omit<ScreenshotData, 'page' | 'notes'>> {
  const { page, resolveRef } = context
  // while the server of the next document is waited for, the browser draws the page but does not measure it
  if (page.document.pendingNavigation() !== undefined && !fullPage && !ref && !annotate && !mark) {
    const data = await withSecretsCovered(page, () => capture(page, { format: 'png' }))
    return { mime: 'image/png', base64: data, ...pngSize(data) }
  }
  const { cssContentSize, cssVisualViewport } = await page.target.send('Page.getLayoutMetrics')
  const { pageX: left, pageY: top } = cssVisualViewport
  const viewport: Area = { x: left, y: top, width: cssVisualViewport.clientWidth, height: cssVisualViewport.clientHeight }
  const marked = mark === undefined ? undefined : await areaOf(page, resolveRef(mark), viewport)
  const shown = fullPage ? cssContentSize : marked ? areaAround(marked, viewport) : viewport
  const area = ref ? await areaOf(page, resolveRef(ref), viewport) : shown
  if (area.width < 1 || area.height < 1)
    throw new PagehandError('screenshot_failed', say`${ref ? { ref } : 'The page'} has no size, so there is nothing to capture.`)

  const scale = Math.min(1, Math.sqrt(maxPixels / (area.width * area.height)), maxSide / Math.max(area.width, area.height))
  const clip = { ...area, scale }
  const data = await withSecretsCovered(page, () => capture(page, { format: 'png', clip, captureBeyondViewport: area !== viewport }))
  const base64 = annotate
    ? await labelElements(context, data, { area, viewport, scale, visibleOnly: !fullPage })
    : mark !== undefined && marked
      ? await drawLabels(page, data, [labelOf(mark, marked, { area, scale })])
      : data
  return { mime: 'image/png', base64, ...pngSize(base64) }
}

/** The area of an element, in coordinates of the top document. */
async function areaOf(page: Page, { world, local }: { world: IsolatedWorld; local: string }, viewport: Area): Promise<Area> {
  const objectId = await page.element(world, local)
  const { model } = await world.session.send('DOM.getBoxModel', { objectId }).catch(() => {
    throw new PagehandError('not_visible', say`${{ ref: local }} is not rendered, so there is nothing to capture.`)
  })
  const root = await frameMatrix(page, { frameId: world.rootFrameId })
  const corners = [0, 2, 4, 6].map(at => mapPoint(root, { x: model.border[at] ?? 0, y: model.border[at + 1] ?? 0 }))
  const [xs, ys] = [corners.map(each => each.x), corners.map(each => each.y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x: x + viewport.x, y: y + viewport.y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** Draws the refs on the screenshot, in an isolated world: the page itself is not changed. */
async function labelElements(
  context: SnapshotContext,
  base64: string,
  { area, viewport, scale, visibleOnly }: { area: Area; viewport: Area; scale: number; visibleOnly: boolean },
): Promise<string> {
  const { tree } = await takeSnapshot(context, {
    boxes: true,
    viewport: visibleOnly ? 'visible' : 'all',
    occluded: visibleOnly ? 'drop' : 'mark',
  })
  const labels = boxesIn(tree).map(({ ref, box: [x, y, width, height] }) =>
    labelOf(ref, { x: x + viewport.x, y: y + viewport.y, width, height }, { area, scale }),
  )
  return drawLabels(context.page, base64, labels)
}

/** The ref of an element and its box in pixels of the screenshot. */
const labelOf = (ref: string, { x, y, width, height }: Area, { area, scale }: { area: Area; scale: number }) => [
  ref,
  ...[x - area.x, y - area.y, width, height].map(length => Math.round(length * scale)),
]

const drawLabels = async (page: Page, base64: string, labels: readonly unknown[]): Promise<string> =>
  page.evaluate<string>(await page.topWorld(), `(${drawRefs})(${embed(base64)}, ${embed(labels)})`)

/** The viewport if it shows the element, else an area of its size around the element. */
function areaAround(element: Area, viewport: Area): Area {
  const isShown =
    element.x >= viewport.x &&
    element.y >= viewport.y &&
    element.x + element.width <= viewport.x + viewport.width &&
    element.y + element.height <= viewport.y + viewport.height
  if (isShown) return viewport
  const { width, height } = viewport
  const start = (at: number, length: number, room: number) => Math.max(0, Math.round(at - Math.max(0, room - length) / 2))
  return { x: start(element.x, element.width, width), y: start(element.y, element.height, height), width, height }
}

function boxesIn(node: SnapshotNode): { ref: string; box: NonNullable<SnapshotNode['box']> }[] {
  const own = node.ref && node.box && node.interactive ? [{ ref: node.ref, box: node.box }] : []
  return [...own, ...(node.children ?? []).flatMap(boxesIn)]
}

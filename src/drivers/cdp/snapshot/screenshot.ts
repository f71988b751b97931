import { say } from '../../../contract/message.ts'
import type { ScreenshotData } from '../../../contract/results.ts'
import type { SnapshotNode } from '../../../contract/snapshot.ts'
import { embed } from '../../../webview/embed.ts'
import { PagehandError } from '../errors.ts'
import { offsetOf } from '../page/frames.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
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

/** Captures the viewport, the whole page, or one element; `annotate` labels elements with their refs. */
export async function takeScreenshot(
  context: SnapshotContext,
  { fullPage = false, ref, annotate = false }: { fullPage?: boolean | undefined; ref?: string | undefined; annotate?: boolean | undefined },
): Promise<Omit<ScreenshotData, 'page' | 'notes'>> {
  const { page, resolveRef } = context
  // while the server of the next document is waited for, the browser draws the page but does not measure it
  if (page.pendingNavigation() !== undefined && !fullPage && !ref && !annotate) {
    const { data } = await page.target.send('Page.captureScreenshot', { format: 'png' })
    return { mime: 'image/png', base64: data, ...sizeOf(data) }
  }
  const { cssContentSize, cssVisualViewport } = await page.target.send('Page.getLayoutMetrics')
  const { pageX: left, pageY: top } = cssVisualViewport
  const viewport: Area = { x: left, y: top, width: cssVisualViewport.clientWidth, height: cssVisualViewport.clientHeight }
  const area = ref ? await areaOf(page, resolveRef(ref), viewport) : fullPage ? cssContentSize : viewport
  if (area.width < 1 || area.height < 1)
    throw new PagehandError('screenshot_failed', say`${ref ? { ref } : 'The page'} has no size, so there is nothing to capture.`)

  const scale = Math.min(1, Math.sqrt(maxPixels / (area.width * area.height)), maxSide / Math.max(area.width, area.height))
  const { data } = await page.target.send('Page.captureScreenshot', {
    format: 'png',
    clip: { ...area, scale },
    captureBeyondViewport: fullPage || ref !== undefined,
  })
  const base64 = annotate ? await labelElements(context, data, { area, viewport, scale, visibleOnly: !fullPage }) : data
  return { mime: 'image/png', base64, ...sizeOf(base64) }
}

/** The area of an element, in coordinates of the top document. */
async function areaOf(page: Page, { world, local }: { world: IsolatedWorld; local: string }, viewport: Area): Promise<Area> {
  const objectId = await page.element(world, local)
  const { model } = await world.session.send('DOM.getBoxModel', { objectId }).catch(() => {
    throw new PagehandError('not_visible', say`${{ ref: local }} is not rendered, so there is nothing to capture.`)
  })
  const root = await offsetOf(page, { frameId: world.rootFrameId })
  const xs = model.border.filter((_, index) => index % 2 === 0)
  const ys = model.border.filter((_, index) => index % 2 === 1)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x: x + root.x + viewport.x, y: y + root.y + viewport.y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
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
  const labels = boxesIn(tree).map(({ ref, box: [x, y, width, height] }) => [
    ref,
    Math.round((x + viewport.x - area.x) * scale),
    Math.round((y + viewport.y - area.y) * scale),
    Math.round(width * scale),
    Math.round(height * scale),
  ])
  const { page } = context
  return page.evaluate<string>(await page.topWorld(), `(${drawRefs})(${embed(base64)}, ${embed(labels)})`)
}

function boxesIn(node: SnapshotNode): { ref: string; box: NonNullable<SnapshotNode['box']> }[] {
  const own = node.ref && node.box && node.interactive ? [{ ref: node.ref, box: node.box }] : []
  return [...own, ...(node.children ?? []).flatMap(boxesIn)]
}

// https://www.w3.org/TR/png/#11IHDR: the first chunk begins with width and height
function sizeOf(base64: string): { width: number; height: number } {
  const head = Buffer.from(base64.slice(0, 64), 'base64')
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

import type { ScreenshotData } from '../../../contract/results.ts'
import type { SnapshotNode } from '../../../contract/snapshot.ts'
import { embed } from '../../../webview/embed.ts'
import { PagehandError } from '../errors.ts'
import { offsetOf } from '../page/frames.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
import { type SnapshotContext, takeSnapshot } from './snapshot.ts'

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** a picture has at most so many pixels, and is at most so long on one side; a larger one is made smaller */
const most = { pixels: 4_000_000, side: 8_000 }

/** Of the viewport, of the whole page, or of one element; `annotate` writes the refs of the snapshot on it. */
export async function takeScreenshot(
  looking: SnapshotContext,
  { fullPage = false, ref, annotate = false }: { fullPage?: boolean | undefined; ref?: string | undefined; annotate?: boolean | undefined },
): Promise<Omit<ScreenshotData, 'page' | 'notes'>> {
  const { view, find } = looking
  const { cssContentSize, cssVisualViewport } = await view.target.send('Page.getLayoutMetrics')
  const { pageX: left, pageY: top } = cssVisualViewport
  const seen: Area = { x: left, y: top, width: cssVisualViewport.clientWidth, height: cssVisualViewport.clientHeight }
  const area = ref ? await areaOf(view, find(ref), seen) : fullPage ? cssContentSize : seen
  if (area.width < 1 || area.height < 1)
    throw new PagehandError('screenshot_failed', `${ref ?? 'The page'} has no size; there is nothing to see.`)

  const scale = Math.min(1, Math.sqrt(most.pixels / (area.width * area.height)), most.side / Math.max(area.width, area.height))
  const { data } = await view.target.send('Page.captureScreenshot', {
    format: 'png',
    clip: { ...area, scale },
    captureBeyondViewport: fullPage || ref !== undefined,
  })
  const base64 = annotate ? await annotated(looking, data, { area, seen, scale, visibleOnly: !fullPage }) : data
  return { mime: 'image/png', base64, ...sizeOf(base64) }
}

/** of an element, in the coordinates of the top document */
async function areaOf(view: Page, { world, local }: { world: IsolatedWorld; local: string }, seen: Area): Promise<Area> {
  const objectId = await view.element(world, local)
  const { model } = await world.session.send('DOM.getBoxModel', { objectId }).catch(() => {
    throw new PagehandError('not_visible', `${local} is not drawn, so there is nothing to take a picture of.`)
  })
  const root = await offsetOf(view, { frameId: world.rootFrameId })
  const xs = model.border.filter((_, index) => index % 2 === 0)
  const ys = model.border.filter((_, index) => index % 2 === 1)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x: x + root.x + seen.x, y: y + root.y + seen.y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** Drawn on the picture, in the engine's world: the page itself stays as it is. */
async function annotated(
  looking: SnapshotContext,
  base64: string,
  { area, seen, scale, visibleOnly }: { area: Area; seen: Area; scale: number; visibleOnly: boolean },
): Promise<string> {
  const { tree } = await takeSnapshot(looking, {
    boxes: true,
    viewport: visibleOnly ? 'visible' : 'all',
    occluded: visibleOnly ? 'drop' : 'mark',
  })
  const labels = boxesIn(tree).map(({ ref, box: [x, y, width, height] }) => [
    ref,
    Math.round((x + seen.x - area.x) * scale),
    Math.round((y + seen.y - area.y) * scale),
    Math.round(width * scale),
    Math.round(height * scale),
  ])
  const { view } = looking
  return view.evaluate<string>(await view.topWorld(), `(${draw})(${embed(base64)}, ${embed(labels)})`)
}

function boxesIn(node: SnapshotNode): { ref: string; box: NonNullable<SnapshotNode['box']> }[] {
  const own = node.ref && node.box && node.interactive ? [{ ref: node.ref, box: node.box }] : []
  return [...own, ...(node.children ?? []).flatMap(boxesIn)]
}

const draw = `async (base64, labels) => {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  const pen = canvas.getContext('2d')
  pen.drawImage(picture, 0, 0)
  pen.font = 'bold 12px sans-serif'
  pen.textBaseline = 'top'
  for (const [ref, x, y, width, height] of labels) {
    pen.strokeStyle = '#d0006f'
    pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1)
    const wide = pen.measureText(ref).width + 4
    const [left, above] = [Math.max(0, Math.min(x, picture.width - wide)), Math.max(0, y - 14)]
    pen.fillStyle = '#d0006f'
    pen.fillRect(left, above, wide, 14)
    pen.fillStyle = '#fff'
    pen.fillText(ref, left + 2, above + 1)
  }
  const drawn = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
  let text = ''
  for (let at = 0; at < drawn.length; at += 32768) text += String.fromCharCode(...drawn.subarray(at, at + 32768))
  return btoa(text)
}`

// https://www.w3.org/TR/png/#11IHDR: width and height are the first two numbers after the name of the first chunk
function sizeOf(base64: string): { width: number; height: number } {
  const head = Buffer.from(base64.slice(0, 64), 'base64')
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

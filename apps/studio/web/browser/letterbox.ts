import type { Box } from '../../../../src/wire/live.ts'

export interface Size {
  readonly width: number
  readonly height: number
}
export interface Point {
  readonly x: number
  readonly y: number
}

/** How the picture of a viewport lies in the element that shows it. All values in CSS pixels of the studio's page. */
export interface Placement extends Box {
  /** pixels of the studio per CSS pixel of the viewport */
  readonly scale: number
}

/** Fits a viewport into a stage: centered, never enlarged beyond its own size, or at its own size if `zoom` is `actual`. */
export const place = (viewport: Size, stage: Size, zoom: 'fit' | 'actual' = 'fit'): Placement => {
  if (viewport.width <= 0 || viewport.height <= 0) return { x: 0, y: 0, width: 0, height: 0, scale: 1 }
  const scale = zoom === 'actual' ? 1 : Math.min(stage.width / viewport.width, stage.height / viewport.height, 1)
  const width = viewport.width * scale
  const height = viewport.height * scale
  // a picture larger than its stage starts at the edge, so that scrolling reaches all of it
  return { x: Math.max(0, (stage.width - width) / 2), y: Math.max(0, (stage.height - height) / 2), width, height, scale }
}

/** The point of the viewport under a point of the element that shows the picture; undefined beside the picture. */
export const toViewport = (point: Point, shown: Box, viewport: Size): Point | undefined => {
  if (shown.width <= 0 || shown.height <= 0) return undefined
  // measured from the rectangle on the screen, so that zoom of the browser, transforms and scrolling are already in it
  const x = ((point.x - shown.x) / shown.width) * viewport.width
  const y = ((point.y - shown.y) / shown.height) * viewport.height
  if (x < 0 || y < 0 || x >= viewport.width || y >= viewport.height) return undefined
  return { x: round(x), y: round(y) }
}

/** Like `toViewport`, for a drag that leaves the picture: the nearest point inside. */
export const clampToViewport = (point: Point, shown: Box, viewport: Size): Point => {
  const clamp = (value: number, max: number) => Math.min(Math.max(value, 0), max - 1)
  if (shown.width <= 0 || shown.height <= 0) return { x: 0, y: 0 }
  return {
    x: round(clamp(((point.x - shown.x) / shown.width) * viewport.width, viewport.width)),
    y: round(clamp(((point.y - shown.y) / shown.height) * viewport.height, viewport.height)),
  }
}

const round = (value: number) => Math.round(value * 100) / 100

/** The smallest of the boxes that contain a point: the innermost element. */
export const boxAt = <T extends { readonly box: Box }>(items: readonly T[], point: Point): T | undefined => {
  const around = items.filter(
    ({ box }) => point.x >= box.x && point.y >= box.y && point.x < box.x + box.width && point.y < box.y + box.height,
  )
  return around.sort((a, b) => a.box.width * a.box.height - b.box.width * b.box.height)[0]
}

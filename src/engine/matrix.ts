import type { Box } from './dom.ts'

/** An affine map with the numbers of CSS `matrix()`: x becomes a·x + c·y + e, and y becomes b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export interface Point {
  readonly x: number
  readonly y: number
}

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** The map that applies `inner` first. */
export const multiply = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
]

/** The map back. A map to a line or a point has none, so it is only moved back. */
export function invert([a, b, c, d, e, f]: Matrix): Matrix {
  const area = a * d - b * c
  return area ? [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area] : [1, 0, 0, 1, -e, -f]
}

export const mapPoint = ([a, b, c, d, e, f]: Matrix, { x, y }: Point): Point => ({ x: a * x + c * y + e, y: b * x + d * y + f })

/** The bounding box of a box that is mapped. */
export function mapBox(matrix: Matrix, { x, y, width, height }: Box): Box {
  const [a, b, c, d] = matrix
  const at = mapPoint(matrix, { x, y })
  return {
    x: at.x + Math.min(0, a * width) + Math.min(0, c * height),
    y: at.y + Math.min(0, b * width) + Math.min(0, d * height),
    width: Math.abs(a * width) + Math.abs(c * height),
    height: Math.abs(b * width) + Math.abs(d * height),
  }
}

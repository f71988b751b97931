import type { Dom } from '../../engine/dom.ts'
import { type Matrix, mapPoint, multiply } from '../../engine/matrix.ts'
import * as native from '../runtime/natives.ts'

/** Maps the viewport of the document in a frame to the viewport of the document around it. */
export function frameMatrix(dom: Dom<Node>, frame: Element): Matrix {
  const { left, top, width, height } = native.getBoundingClientRect(frame)
  const style = native.styleOf(frame)
  const inset = (side: 'left' | 'top') =>
    ((side === 'left' ? native.clientLeft : native.clientTop)(frame) ?? 0) +
    (Number.parseFloat(native.styleProperty(style, `padding-${side}`)) || 0)
  const own = { x: native.offsetWidth(frame) ?? width, y: native.offsetHeight(frame) ?? height }
  let [a, b, c, d] = turns(dom, frame)
  // the size of the bounding box also has what no transform says, such as CSS zoom
  const expected = { x: Math.abs(a) * own.x + Math.abs(c) * own.y, y: Math.abs(b) * own.x + Math.abs(d) * own.y }
  if (a === 1 && d === 1 && !b && !c && Math.abs(expected.x - width) <= 1 && Math.abs(expected.y - height) <= 1)
    return [1, 0, 0, 1, left + inset('left'), top + inset('top')]
  if (Math.abs(expected.x - width) > 1 && expected.x) [a, c] = [(a * width) / expected.x, (c * width) / expected.x]
  if (Math.abs(expected.y - height) > 1 && expected.y) [b, d] = [(b * height) / expected.y, (d * height) / expected.y]
  // a transform maps the middle of the element to the middle of its bounding box
  const { x, y } = mapPoint([a, b, c, d, left + width / 2, top + height / 2], {
    x: inset('left') - own.x / 2,
    y: inset('top') - own.y / 2,
  })
  return [a, b, c, d, x, y]
}

/** The transforms of an element and of all around it, without what they move. */
function turns(dom: Dom<Node>, element: Node): Matrix {
  let all: Matrix = [1, 0, 0, 1, 0, 0]
  for (let each: Node | null = element; each; each = dom.parent(each)) {
    const style = native.styleOf(each)
    const numbers = (property: string) => (native.styleProperty(style, property).match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number)
    const transform = native.styleProperty(style, 'transform')
    if (/^matrix/.test(transform)) {
      const list = numbers('transform')
      // the first number of matrix3d is that of its name
      const [a = 1, b = 0, c = 0, d = 1] = transform.startsWith('matrix3d') ? [list[1], list[2], list[5], list[6]] : list
      all = multiply([a, b, c, d, 0, 0], all)
    }
    const [x = 1, y = x] = numbers('scale')
    if (x !== 1 || y !== 1) all = multiply([x, 0, 0, y, 0, 0], all)
    const turn = /^(-?[\d.]+)deg$/.exec(native.styleProperty(style, 'rotate'))?.[1]
    if (turn) {
      const [cos, sin] = [Math.cos, Math.sin].map(of => of((Number(turn) * Math.PI) / 180)) as [number, number]
      all = multiply([cos, sin, -sin, cos, 0, 0], all)
    }
  }
  return all
}

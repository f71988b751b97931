import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boxAt, clampToViewport, place, toViewport } from '../../apps/studio/web/browser/letterbox.ts'

const viewport = { width: 1280, height: 800 }

test('a picture is centered in a stage that is wider or higher than it', () => {
  expect(place(viewport, { width: 2000, height: 400 })).toEqual({ x: 680, y: 0, width: 640, height: 400, scale: 0.5 })
  expect(place(viewport, { width: 640, height: 1000 })).toEqual({ x: 0, y: 300, width: 640, height: 400, scale: 0.5 })
})

test('a picture is never enlarged, and keeps its size at actual zoom', () => {
  expect(place(viewport, { width: 4000, height: 4000 }).scale).toBe(1)
  expect(place(viewport, { width: 300, height: 300 }, 'actual')).toEqual({ x: 0, y: 0, width: 1280, height: 800, scale: 1 })
})

test('a point of the picture is the same point of the viewport, whatever the stage and the zoom', () => {
  const size = fc.record({ width: fc.integer({ min: 50, max: 3_000 }), height: fc.integer({ min: 50, max: 3_000 }) })
  const point = fc.record({ x: fc.integer({ min: 0, max: 1279 }), y: fc.integer({ min: 0, max: 799 }) })
  const offset = fc.record({ x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }) })
  fc.assert(
    fc.property(size, point, offset, fc.constantFrom('fit' as const, 'actual' as const), (stage, at, scrolled, zoom) => {
      const shown = place(viewport, stage, zoom)
      const box = { ...shown, x: shown.x + scrolled.x, y: shown.y + scrolled.y }
      const found = toViewport({ x: box.x + at.x * shown.scale, y: box.y + at.y * shown.scale }, box, viewport)
      // the very edge may round to the outside
      if (found === undefined) return at.x === 0 || at.y === 0
      return Math.abs(found.x - at.x) < 0.02 && Math.abs(found.y - at.y) < 0.02
    }),
  )
})

test('a point beside the picture is no point of the viewport, and a drag that leaves it ends at its edge', () => {
  const shown = place(viewport, { width: 2000, height: 400 })
  expect(toViewport({ x: 100, y: 200 }, shown, viewport)).toBeUndefined()
  expect(clampToViewport({ x: 100, y: 200 }, shown, viewport)).toEqual({ x: 0, y: 400 })
  expect(clampToViewport({ x: 5000, y: 5000 }, shown, viewport)).toEqual({ x: 1279, y: 799 })
})

test('the innermost of nested boxes is found', () => {
  const outer = { name: 'outer', box: { x: 0, y: 0, width: 100, height: 100 } }
  const inner = { name: 'inner', box: { x: 10, y: 10, width: 20, height: 20 } }
  expect(boxAt([outer, inner], { x: 15, y: 15 })).toBe(inner)
  expect(boxAt([outer, inner], { x: 50, y: 50 })).toBe(outer)
  expect(boxAt([outer, inner], { x: 200, y: 50 })).toBeUndefined()
})

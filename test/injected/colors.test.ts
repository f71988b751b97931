import { expect, test } from 'vitest'
import { isClose, parseColor } from '../../src/injected/view/colors.ts'

test.each([
  ['rgb(1, 2, 3)', [1, 2, 3, 1]],
  ['rgba(1, 2, 3, 0.5)', [1, 2, 3, 0.5]],
  ['color(srgb 1 0 0.2 / 0.3)', [255, 0, 51, 0.3]],
  ['color(srgb-linear 1 0 none)', [255, 0, 0, 1]],
  ['oklab(1 0 0 / 0.2)', [255, 255, 255, 0.2]],
  ['oklch(0.627955 0.257683 29.2339)', [255, 0, 0, 1]],
  ['lab(54.29 80.8 69.89)', [255, 0, 0, 1]],
  ['lch(100 0 none)', [255, 255, 255, 1]],
])('%s is a color of the page', (css, expected) => {
  const color = parseColor(css) ?? []
  expect(color.map((channel, i) => (i === 3 ? channel : Math.round(channel)))).toEqual(expected)
})

test('of a color in an unknown color space the alpha is known, and it is like no other color', () => {
  const color = parseColor('color(xyz 1 1 1 / 0.5)')
  expect(color?.[3]).toBe(0.5)
  expect(color && isClose(color, color)).toBe(false)
  expect([parseColor('none'), parseColor('url("#a")'), parseColor('rgb(a b c / d)')]).toEqual([null, null, null])
})

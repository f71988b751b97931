export type Color = readonly [red: number, green: number, blue: number, alpha: number]

/** colors whose channels differ by no more than this look the same */
const maxDifference = 10

/** Matches each computed color in a list, such as the stops of a gradient or shadows. */
export const colorPattern = /(rgba?|color|(ok)?l(ab|ch))\([^()]*\)/g

const linear = (...channels: readonly number[]): readonly number[] =>
  channels.map(each => 255 * Math.min(1, Math.max(0, each <= 0.0031308 ? 12.92 * each : 1.055 * each ** (1 / 2.4) - 0.055)))

type Conversion = (a: number, b: number, c: number) => readonly number[]

const polar =
  (convert: Conversion): Conversion =>
  (lightness, chroma, hue) =>
    convert(lightness, chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180))

const rgb: Conversion = (...channels) => channels
const srgb: Conversion = (...channels) => channels.map(each => each * 255)

// https://www.w3.org/TR/css-color-4/#color-conversion-code
const oklab: Conversion = (lightness, a, b) => {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return linear(
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  )
}

const lab: Conversion = (lightness, a, b) => {
  const fromF = (f: number) => (f ** 3 > 0.008856 ? f ** 3 : (116 * f - 16) / 903.3)
  const f = (lightness + 16) / 116
  const [x, y, z] = [0.96422 * fromF(f + a / 500), fromF(f), 0.82521 * fromF(f - b / 200)] as const
  return linear(
    3.1338561 * x - 1.6168667 * y - 0.4906146 * z,
    -0.9787684 * x + 1.9161415 * y + 0.033454 * z,
    0.0719453 * x - 0.2289914 * y + 1.4052427 * z,
  )
}

const conversions = new Map<string, Conversion>([
  ['rgb', rgb],
  ['rgba', rgb],
  ['srgb', srgb],
  // near enough to compare colors of one page
  ['display-p3', srgb],
  ['srgb-linear', linear],
  ['oklab', oklab],
  ['oklch', polar(oklab)],
  ['lab', lab],
  ['lch', polar(lab)],
])

/** A computed color; null if it is unknown. Of a color in another color space only the alpha is known, and its channels are NaN. */
export function parseColor(css: string): Color | null {
  const parts = /^(rgba?|color|(?:ok)?l(?:ab|ch))\(([^()]*)\)$/.exec(css)
  if (!parts) return null
  const words = (parts[2] as string).trim().split(/[\s,/]+/)
  const space = parts[1] === 'color' ? (words.shift() as string) : (parts[1] as string)
  const [a = Number.NaN, b = Number.NaN, c = Number.NaN, alpha = 1] = words.map(word => (word === 'none' ? 0 : Number.parseFloat(word)))
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = conversions.get(space)?.(a, b, c) ?? []
  return Number.isNaN(alpha) ? null : [red, green, blue, alpha]
}

/** The known colors in a list, such as the stops of a gradient. */
export const colorsIn = (css: string): Color[] =>
  (css.match(colorPattern) ?? []).map(parseColor).filter((color): color is Color => color !== null)

/** Whether something drawn in the first color with this opacity is not seen on the second one. Unknown colors are seen. */
export const isClose = (one: Color, other: Color, opacity = 1): boolean =>
  Math.max(...[0, 1, 2].map(i => Math.abs((one[i] as number) - (other[i] as number)))) * opacity <= maxDifference

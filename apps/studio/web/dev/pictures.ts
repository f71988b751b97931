// Pictures for the fake server: a page of plain rectangles as PNG, drawn without a browser.
import { crc32, deflateSync } from 'node:zlib'

type Color = readonly [number, number, number]
interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly color: Color
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32BE(data.length, 0)
  sizes.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([sizes.subarray(0, 4), body, sizes.subarray(4)])
}

const png = (width: number, height: number, rectangles: readonly Rectangle[]): Buffer => {
  const stride = width * 3 + 1
  const pixels = Buffer.alloc(stride * height, 0xff)
  for (let y = 0; y < height; y++) pixels[y * stride] = 0
  for (const { x, y, width: w, height: h, color } of rectangles) {
    for (let row = Math.max(0, y); row < Math.min(height, y + h); row++) {
      for (let column = Math.max(0, x); column < Math.min(width, x + w); column++) pixels.set(color, row * stride + 1 + column * 3)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const ink: Color = [38, 50, 56]
const soft: Color = [226, 232, 230]
const accent: Color = [15, 118, 110]

export const viewport = { width: 1280, height: 800 } as const

/** A page in its n-th state: a header, three products, and a bar that grows. */
export const pagePicture = (state: number): Buffer =>
  png(viewport.width, viewport.height, [
    { x: 0, y: 0, width: 1280, height: 64, color: ink },
    { x: 40, y: 22, width: 160, height: 20, color: soft },
    ...[0, 1, 2].flatMap(product => [
      { x: 60 + product * 400, y: 120, width: 340, height: 240, color: soft },
      { x: 60 + product * 400, y: 380, width: 220, height: 18, color: ink },
      { x: 60 + product * 400, y: 420, width: 140, height: 40, color: accent },
    ]),
    { x: 60, y: 700, width: 60 + ((state * 90) % 1080), height: 16, color: accent },
  ])

export const cropPicture = (): Buffer => png(140, 40, [{ x: 0, y: 0, width: 140, height: 40, color: accent }])

import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { capture } from '../../../src/drivers/cdp/page/capture.ts'
import type { PageTarget } from '../../../src/drivers/cdp/page/target.ts'

/** The bytes of a PNG file that `capture` looks at: the size, and the amount of data. */
function png(pixels: Uint8Array): string {
  const head = Buffer.alloc(33)
  head.writeUInt32BE(400, 16)
  head.writeUInt32BE(300, 20)
  return Buffer.concat([head, deflateSync(pixels)]).toString('base64')
}
const blank = png(new Uint8Array(400 * 300 * 3))
const painted = png(Uint8Array.from({ length: 400 * 300 * 3 }, (_, index) => (index * 7) % 251))

function tabThatPaints(...pictures: string[]) {
  const sent: string[] = []
  const send = async (method: string) => {
    sent.push(method)
    return { data: pictures.length > 1 ? pictures.shift() : pictures[0] }
  }
  return { tab: { isHeadlessShell: true, target: { send } as unknown as PageTarget }, sent }
}

test('a screenshot of one color is taken again, because the document may not have painted yet', async () => {
  const { tab, sent } = tabThatPaints(blank, painted)
  expect(await capture(tab, { format: 'png' })).toBe(painted)
  expect(sent).toHaveLength(2)
})

test('a page that is one color is captured twice, not forever', async () => {
  const { tab, sent } = tabThatPaints(blank)
  expect(await capture(tab, { format: 'png' })).toBe(blank)
  expect(sent).toHaveLength(2)
})

test('a painted page is captured once', async () => {
  const { tab, sent } = tabThatPaints(painted)
  expect(await capture(tab, { format: 'png' })).toBe(painted)
  expect(sent).toHaveLength(1)
})

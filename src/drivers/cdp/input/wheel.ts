import type { Scrolling } from '../../../contract/page-api.ts'
import { Failed } from '../errors.ts'
import type { Deed } from './action.ts'

/** as long as a scroll may take to begin; a page that keeps the wheel for itself never does */
const beginMs = 1_000

/** Turns the wheel where what is meant scrolls. */
export async function wheel(deed: Deed, { direction, amount = 300 }: Scrolling): Promise<void> {
  const { x, y, dx, dy } = await deed.call<{ x: number; y: number; dx: number; dy: number }>('wheel', {
    ...(deed.ref !== undefined && { ref: deed.ref }),
    direction,
    amount,
  })
  const offset = await deed.frame.offset()
  await deed.input('Input.dispatchMouseEvent', { type: 'mouseWheel', x: x + offset.x, y: y + offset.y, deltaX: dx, deltaY: dy })
  const { scrolled } = await deed.call<{ scrolled: boolean }>('scrolled', { ms: beginMs })
  if (!scrolled) throw new Failed('no_progress', 'Nothing scrolled: the page keeps the wheel to itself there.')
}

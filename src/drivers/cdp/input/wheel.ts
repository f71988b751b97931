import type { ScrollOptions } from '../../../contract/page-api.ts'
import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action.ts'

/** as long as a scroll may take to begin; a page that keeps the wheel for itself never does */
const beginMs = 1_000

/** Turns the wheel where what is meant scrolls. */
export async function wheel(deed: ActionContext, { direction, amount = 300 }: ScrollOptions): Promise<void> {
  const { x, y, dx, dy } = await deed.call<{ x: number; y: number; dx: number; dy: number }>('wheel', {
    ...(deed.ref !== undefined && { ref: deed.ref }),
    direction,
    amount,
  })
  const offset = await deed.frame.offset()
  await deed.dispatch('Input.dispatchMouseEvent', { type: 'mouseWheel', x: x + offset.x, y: y + offset.y, deltaX: dx, deltaY: dy })
  const { scrolled } = await deed.call<{ scrolled: boolean }>('scrolled', { ms: beginMs })
  if (!scrolled) throw new PagehandError('no_progress', 'Nothing scrolled: the page keeps the wheel to itself there.')
}

import { say } from '../../../contract/message.ts'
import type { ScrollOptions } from '../../../contract/page-api.ts'
import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action-context.ts'

/** time for a scroll to start; if the page handles the wheel itself, it never does */
const maxStartMs = 1_000

/** Turns the wheel over the scroll container of the target (default: of the page). */
export async function wheel(action: ActionContext, { direction, amount = 300 }: ScrollOptions): Promise<void> {
  const { ref, frame } = action
  const { x, y, dx, dy } = await action.call('wheelPoint', { ...(ref !== undefined && { ref }), direction, amount })
  const offset = await frame.offset()
  await action.dispatch('Input.dispatchMouseEvent', { type: 'mouseWheel', x: x + offset.x, y: y + offset.y, deltaX: dx, deltaY: dy })
  if (!(await action.call('hasScrolled', { ms: maxStartMs })))
    throw new PagehandError('no_progress', say`Nothing scrolled: the page keeps the wheel to itself there.`)
}

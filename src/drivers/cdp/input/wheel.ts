import { say } from '../../../contract/message.ts'
import type { ScrollOptions } from '../../../contract/page-api.ts'
import { mapPoint } from '../../../engine/matrix.ts'
import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action-context.ts'

/** time for a scroll to start; if the page handles the wheel itself, it never does */
const maxStartMs = 1_000

/** Turns the wheel over the scroll container of the target (default: of the page). */
export async function wheel(action: ActionContext, { direction, amount = 300 }: ScrollOptions): Promise<void> {
  const { ref, frame } = action
  const point = await action.call('wheelPoint', { ...(ref !== undefined && { ref }), direction, amount })
  if (!point) return action.markUntrusted()
  const at = mapPoint(await frame.matrix(), point)
  await action.dispatch('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: point.dx, deltaY: point.dy })
  const { scrolled, changedField } = await action.call('wheelResult', { ms: maxStartMs })
  if (scrolled) return
  if (changedField) throw new PagehandError('outcome_unknown', say`Nothing scrolled, but the wheel changed a field of the page.`)
  throw new PagehandError('no_progress', say`Nothing scrolled: the page keeps the wheel to itself there.`)
}

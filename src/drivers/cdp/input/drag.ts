import { say } from '../../../contract/message.ts'
import type { Point } from '../../../engine/matrix.ts'
import type { EventPayload } from '../connection/protocol.ts'
import { PagehandError } from '../errors.ts'
import { callEngine, spellRefs } from '../page/engine.ts'
import type { ActionContext } from './action-context.ts'
import type { ResolvedRef } from './input-context.ts'
import { aim, pressureOf } from './mouse.ts'

type DragData = EventPayload<'Input.dragIntercepted'>['data']
const moveSteps = 8
const maxStartFrames = 60

/** Drags one element onto another: as an HTML drag if the page starts one, else with the pointer held down. */
export async function drag(action: ActionContext, from: ResolvedRef, to: ResolvedRef): Promise<void> {
  const { input, frame } = action
  const { target } = input
  let data: DragData | undefined
  const off = target.on('Input.dragIntercepted', event => {
    data = event.data
  })
  await target.send('Input.setInterceptDrags', { enabled: true })
  const mouse = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', at: Point) =>
    action.dispatch('Input.dispatchMouseEvent', {
      type,
      ...at,
      button: 'left',
      ...(type === 'mouseMoved' ? {} : { clickCount: 1 }),
      buttons: type === 'mouseReleased' ? 0 : 1,
      ...(type !== 'mouseReleased' && pressureOf('mousePressed')),
    })
  let isPressed = false
  const atGoal: ActionContext = { ...action, frame: to.frame, call: (name, ...payload) => callEngine(to.frame, name, ...payload) }
  try {
    const start = await aim(action, { ref: from.ref })
    await action.call('watchDrag')
    if (to.frame.frameId !== frame.frameId) await atGoal.call('watchDrag')
    await action.dispatch('Input.dispatchMouseEvent', { type: 'mouseMoved', ...start })
    isPressed = true
    await mouse('mousePressed', start)
    const { error } = await action.call('hitResult')
    if (error)
      throw new PagehandError(
        'click_intercepted',
        say`${{ ref: frame.spell(from.ref) }} could not be picked up: ${spellRefs(frame, error.message)}.`,
        { page: error.page },
      )
    // a browser starts an HTML drag after a few pixels
    for (const by of [2, 6]) await mouse('mouseMoved', { x: start.x + by, y: start.y + by })
    const end = await aim(atGoal, { ref: to.ref, press: false, intercept: false })
    const { started, isSecret } = await action.call('dragState')
    for (let frames = 0; started && !data && frames < maxStartFrames; frames++) await action.call('nextFrame')
    if (data && (isSecret || hasSecret(action, data))) {
      await action.dispatch('Input.dispatchDragEvent', { type: 'dragCancel', ...start, data })
      throw new PagehandError('secret_not_allowed', say`What would be dragged contains a secret, so it was not dropped anywhere.`)
    }
    if (data) await drop(action, data, end)
    else for (let step = 1; step <= moveSteps; step++) await mouse('mouseMoved', between(start, end, step / moveSteps))
    await mouse('mouseReleased', end)
    isPressed = false
    if (data && !(await atGoal.call('dragState')).dropped)
      throw new PagehandError('not_committed', say`${{ ref: to.frame.spell(to.ref) }} does not take ${{ ref: frame.spell(from.ref) }}.`)
  } finally {
    off()
    // a button that stays down would turn all later moves into drags
    if (isPressed) mouse('mouseReleased', { x: 0, y: 0 }).catch(() => {})
    target.send('Input.setInterceptDrags', { enabled: false }).catch(() => {}) // the tab may be gone
  }
}

/** Dragging carries text to another field or frame, like the clipboard. */
const hasSecret = ({ input }: ActionContext, { items }: DragData): boolean => items.some(({ data }) => input.scrub(data) !== data)

async function drop(action: ActionContext, data: DragData, at: Point): Promise<void> {
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await action.dispatch('Input.dispatchDragEvent', { type, ...at, data })
}

const between = (from: Point, to: Point, part: number): Point => ({
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
})

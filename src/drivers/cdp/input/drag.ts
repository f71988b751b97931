import type { EventPayload } from '../connection/protocol.ts'
import { PagehandError } from '../errors.ts'
import { type ActionContext, callEngine } from './action.ts'
import type { ResolvedRef } from './context.ts'
import { aim } from './mouse.ts'

type Data = EventPayload<'Input.dragIntercepted'>['data']
interface Point {
  readonly x: number
  readonly y: number
}
const steps = 8

/** From one element onto another: with the pointer held down, or as drag and drop of HTML where the page begins that. */
export async function drag(deed: ActionContext, where: ResolvedRef, to: ResolvedRef): Promise<void> {
  const { input: hands, frame } = deed
  const { target: tab } = hands
  let data: Data | undefined
  const off = tab.on('Input.dragIntercepted', event => {
    data = event.data
  })
  await tab.send('Input.setInterceptDrags', { enabled: true })
  const mouse = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', at: Point) =>
    deed.dispatch('Input.dispatchMouseEvent', {
      type,
      ...at,
      button: 'left',
      ...(type === 'mouseMoved' ? {} : { clickCount: 1 }),
      buttons: type === 'mouseReleased' ? 0 : 1,
    })
  let isHeld = false
  const goal: ActionContext = { ...deed, frame: to.frame, call: (name, payload) => callEngine(hands, to.frame, name, payload) }
  try {
    const from = await aim(deed, { ref: where.ref })
    await deed.call('dragging')
    if (to.frame.frameId !== frame.frameId) await goal.call('dragging')
    await deed.dispatch('Input.dispatchMouseEvent', { type: 'mouseMoved', ...from })
    isHeld = true
    await mouse('mousePressed', from)
    const { error } = await deed.call<{ error?: { message: string } }>('landed')
    if (error) throw new PagehandError('click_intercepted', `${hands.spell(frame, where.ref)} could not be picked up: ${error.message}.`)
    // a drag of HTML begins after a few pixels
    for (const by of [2, 6]) await mouse('mouseMoved', { x: from.x + by, y: from.y + by })
    const end = await aim(goal, { ref: to.ref, press: false, hear: false })
    const { started } = await deed.call<{ started?: boolean }>('dragged')
    for (let frames = 0; started && !data && frames < 60; frames++) await deed.call('frame')
    if (data) await drop(deed, { data, at: end })
    else for (let step = 1; step <= steps; step++) await mouse('mouseMoved', between(from, end, step / steps))
    await mouse('mouseReleased', end)
    isHeld = false
    if (data && !(await goal.call<{ dropped?: boolean }>('dragged')).dropped)
      throw new PagehandError('not_committed', `${hands.spell(to.frame, to.ref)} does not take ${hands.spell(frame, where.ref)}.`)
  } finally {
    off()
    // a button that stays down would drag through all that follows
    if (isHeld) mouse('mouseReleased', { x: 0, y: 0 }).catch(() => {})
    tab.send('Input.setInterceptDrags', { enabled: false }).catch(() => {}) // the tab may be gone
  }
}

async function drop(deed: ActionContext, { data, at }: { data: Data; at: Point }): Promise<void> {
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await deed.dispatch('Input.dispatchDragEvent', { type, ...at, data })
}

const between = (from: Point, to: Point, part: number): Point => ({
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
})

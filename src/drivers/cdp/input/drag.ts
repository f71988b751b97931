import type { Payload } from '../connection/protocol.ts'
import { Failed } from '../errors.ts'
import { ask, type Deed } from './action.ts'
import type { Where } from './context.ts'
import { aim } from './mouse.ts'

type Data = Payload<'Input.dragIntercepted'>['data']
interface Point {
  readonly x: number
  readonly y: number
}
const steps = 8

/** From one element onto another: with the pointer held down, or as drag and drop of HTML where the page begins that. */
export async function drag(deed: Deed, where: Where, to: Where): Promise<void> {
  const { hands, frame } = deed
  const { tab } = hands
  let data: Data | undefined
  const off = tab.on('Input.dragIntercepted', event => {
    data = event.data
  })
  await tab.send('Input.setInterceptDrags', { enabled: true })
  const mouse = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', at: Point) =>
    deed.input('Input.dispatchMouseEvent', {
      type,
      ...at,
      button: 'left',
      ...(type === 'mouseMoved' ? {} : { clickCount: 1 }),
      buttons: type === 'mouseReleased' ? 0 : 1,
    })
  let isHeld = false
  const goal: Deed = { ...deed, frame: to.frame, call: (name, payload) => ask(hands, to.frame, name, payload) }
  try {
    const from = await aim(deed, { ref: where.ref })
    await deed.call('dragging')
    if (to.frame.frameId !== frame.frameId) await goal.call('dragging')
    await deed.input('Input.dispatchMouseEvent', { type: 'mouseMoved', ...from })
    isHeld = true
    await mouse('mousePressed', from)
    const { error } = await deed.call<{ error?: { message: string } }>('landed')
    if (error) throw new Failed('click_intercepted', `${hands.spell(frame, where.ref)} could not be picked up: ${error.message}.`)
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
      throw new Failed('not_committed', `${hands.spell(to.frame, to.ref)} does not take ${hands.spell(frame, where.ref)}.`)
  } finally {
    off()
    // a button that stays down would drag through all that follows
    if (isHeld) mouse('mouseReleased', { x: 0, y: 0 }).catch(() => {})
    tab.send('Input.setInterceptDrags', { enabled: false }).catch(() => {}) // the tab may be gone
  }
}

async function drop(deed: Deed, { data, at }: { data: Data; at: Point }): Promise<void> {
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await deed.input('Input.dispatchDragEvent', { type, ...at, data })
}

const between = (from: Point, to: Point, part: number): Point => ({
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
})

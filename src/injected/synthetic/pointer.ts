import { isModifier } from '../../contract/keys.ts'
import type { PressOptions } from '../../contract/page-api.ts'
import type { Dom } from '../../engine/dom.ts'
import { hold } from '../../engine/refs.ts'
import { send } from '../actions/events.ts'
import { focusFrom } from '../actions/focus.ts'
import { type Place, reach, type Target } from '../actions/target.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/natives.ts'
import type { Session } from '../view/snapshot.ts'
import { showHovered } from './hover.ts'

export interface Held {
  readonly button: number
  readonly buttons: number
  readonly detail: number
}
const loose: Held = { button: 0, buttons: 0, detail: 0 }

export const withModifiers = (held: readonly string[] = []): object => ({
  altKey: held.includes('Alt'),
  ctrlKey: held.includes('Control'),
  metaKey: held.includes('Meta'),
  shiftKey: held.includes('Shift'),
})

/** One pointer or mouse event at a place; false when a handler prevented it. */
export function point(node: Node, type: string, { x, y, left, top }: Place, init: object): boolean {
  const pointer = /^(pointer|click|auxclick|contextmenu)/.test(type)
  const at = { clientX: x, clientY: y, screenX: x + left, screenY: y + top, pageX: x, pageY: y }
  const kind = pointer ? 'PointerEvent' : /^drag|^drop/.test(type) ? 'DragEvent' : 'MouseEvent'
  return send(node, kind, type, { ...at, ...(pointer && { pointerId: 1, pointerType: 'mouse', isPrimary: true }), ...init })
}

/** The pointer comes to a place: out of where it was, into where it is. Where it stays, what `:hover` shows is shown. */
export function moveTo(session: Session, dom: Dom<Node>, place: Place, held: object = loose, stays = false): void {
  const to: Node = place.hit
  const from = session.hover?.deref()
  const before = from && native.isConnected(from) ? around(dom, from) : []
  const now = around(dom, to)
  if (from !== to) {
    for (const kind of ['pointer', 'mouse']) {
      if (from && before.length) {
        point(from, `${kind}out`, place, { ...held, relatedTarget: to })
        for (const each of before)
          if (!now.includes(each)) point(each, `${kind}leave`, place, { ...held, bubbles: false, relatedTarget: to })
      }
      point(to, `${kind}over`, place, { ...held, relatedTarget: from })
      for (const each of now.reverse()) {
        if (!before.includes(each)) point(each, `${kind}enter`, place, { ...held, bubbles: false, relatedTarget: from })
      }
      now.reverse()
    }
    session.hover = hold(to)
  }
  showHovered(now, stays)
  point(to, 'pointermove', place, { ...held, button: -1 })
  point(to, 'mousemove', place, held)
}

/** the element and all around it, from inside out */
function around(dom: Dom<Node>, node: Node): Node[] {
  const list: Node[] = []
  for (let each: Node | null = node; each; each = dom.parent(each)) list.push(each)
  return list
}

const buttons = ['left', 'middle', 'right']

/** Presses and releases, once or twice. The order is that of https://w3c.github.io/pointerevents/#mapping-for-devices-that-support-hover */
export function press(target: Target, at: Place, { button = 'left', modifiers = [] }: PressOptions, times = 1): void {
  const { session, dom } = target
  const number = buttons.indexOf(button)
  if (number < 0 || !modifiers.every(isModifier)) throw engineError('invalid_input', 'no such button or modifier')
  const keys = withModifiers(modifiers)
  moveTo(session, dom, at, { ...loose, ...keys })
  // coming near may have moved it, or put something over it
  const place = hitNow(at) === at.hit ? at : reach(target)
  for (let detail = 1; detail <= times; detail++) {
    const down = { ...keys, button: number, buttons: [1, 4, 2][number], detail }
    const pressed = hitNow(place)
    const isMouse = point(pressed, 'pointerdown', place, { ...down, detail: 0, pressure: 0.5 })
    // the focus goes where the mouse was pressed, unless the page says otherwise; a prevented pointerdown has no mouse events at all
    if (isMouse && point(pressed, 'mousedown', place, down)) focusFrom(dom, pressed)
    if (number === 2) point(pressed, 'contextmenu', place, down)
    const released = hitNow(place)
    const up = { ...down, buttons: 0 }
    point(released, 'pointerup', place, { ...up, detail: 0 })
    if (isMouse) point(released, 'mouseup', place, up)
    const clicked = shared(dom, pressed, released)
    if (clicked) point(clicked, number ? 'auxclick' : 'click', place, up)
    if (clicked && detail === 2 && !number) point(clicked, 'dblclick', place, up)
  }
}

/** what lies at the place by now: handlers may have put something else there, or taken it away */
export function hitNow({ hit, x, y }: Place): Element {
  return native.elementAt(native.ownerDocument(hit) as Document, x, y) ?? hit
}

/** a click goes to what the places of pressing and releasing have in common, https://w3c.github.io/uievents/#event-type-click */
function shared(dom: Dom<Node>, pressed: Node, released: Node): Node | undefined {
  if (!native.isConnected(pressed)) return undefined
  const others = around(dom, released)
  return around(dom, pressed).find(each => others.includes(each))
}

import { isModifier } from '../../contract/keys.ts'
import { mouseButtons, type PressOptions } from '../../contract/page-api.ts'
import type { Dom } from '../../engine/dom.ts'
import { createWeakHandle } from '../../engine/refs.ts'
import { send } from '../actions/events.ts'
import { focusFromPress } from '../actions/focus.ts'
import { requireJudged } from '../actions/inspect.ts'
import { describePressed, replacedError } from '../actions/replaced.ts'
import { findHitPoint, type HitPoint } from '../actions/target.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/natives.ts'
import type { Target } from '../view/target.ts'
import { showHover } from './hover.ts'

const noButtons = { button: 0, buttons: 0, detail: 0 }

/** modifier flags of an event */
export const modifierFlags = (modifiers: readonly string[] = []): object => ({
  altKey: modifiers.includes('Alt'),
  ctrlKey: modifiers.includes('Control'),
  metaKey: modifiers.includes('Meta'),
  shiftKey: modifiers.includes('Shift'),
})

/** Sends one pointer or mouse event at a point; false if a handler prevented it. */
export function sendPointer(node: Node, type: string, { x, y, left, top }: HitPoint, init: object): boolean {
  const isPointer = /^(pointer|click|auxclick|contextmenu)/.test(type)
  const at = { clientX: x, clientY: y, screenX: x + left, screenY: y + top, pageX: x, pageY: y }
  const name = isPointer ? 'PointerEvent' : /^drag|^drop/.test(type) ? 'DragEvent' : 'MouseEvent'
  return send(node, name, type, { ...at, ...(isPointer && { pointerId: 1, pointerType: 'mouse', isPrimary: true }), ...init })
}

interface MoveOptions {
  /** pressed buttons and modifiers, as event init */
  readonly init?: object
  /** whether the pointer stays there, so that `:hover` rules apply */
  readonly stays?: boolean
}

/** Moves the pointer to a point: out of the element it was over, into the one there. */
export function movePointer(
  { session: { actions }, dom }: Pick<Target, 'session' | 'dom'>,
  point: HitPoint,
  { init = noButtons, stays = false }: MoveOptions = {},
): void {
  const to: Node = point.hit
  const from = actions.pointerTarget?.deref()
  const before = from && native.isConnected(from) ? ancestorsOf(dom, from) : []
  const now = ancestorsOf(dom, to)
  if (from !== to) {
    for (const kind of ['pointer', 'mouse']) {
      if (from && before.length) {
        sendPointer(from, `${kind}out`, point, { ...init, relatedTarget: to })
        for (const each of before)
          if (!now.includes(each)) sendPointer(each, `${kind}leave`, point, { ...init, bubbles: false, relatedTarget: to })
      }
      sendPointer(to, `${kind}over`, point, { ...init, relatedTarget: from })
      for (const each of now.reverse()) {
        if (!before.includes(each)) sendPointer(each, `${kind}enter`, point, { ...init, bubbles: false, relatedTarget: from })
      }
      now.reverse()
    }
    actions.pointerTarget = createWeakHandle(to)
  }
  showHover(actions, now, stays)
  sendPointer(to, 'pointermove', point, { ...init, button: -1 })
  sendPointer(to, 'mousemove', point, init)
}

/** the element and its ancestors, from inside out */
function ancestorsOf(dom: Dom<Node>, node: Node): Node[] {
  const list: Node[] = []
  for (let each: Node | null = node; each; each = dom.parent(each)) list.push(each)
  return list
}

/** Presses and releases once or twice, in the order of https://w3c.github.io/pointerevents/#mapping-for-devices-that-support-hover */
export function press(target: Target, at: HitPoint, { button = 'left', modifiers = [] }: PressOptions, times = 1): void {
  const { dom } = target
  const number = mouseButtons.indexOf(button)
  if (number < 0 || !modifiers.every(isModifier)) throw engineError('invalid_input', 'no such button or modifier')
  const flags = modifierFlags(modifiers)
  movePointer(target, at, { init: { ...noButtons, ...flags } })
  // handlers of the move may have moved or covered the element
  const point = currentHit(at) === at.hit ? at : findHitPoint(target)
  const before = describePressed(target)
  let isClicked = false
  for (let detail = 1; detail <= times; detail++) {
    const down = { ...flags, button: number, buttons: [1, 4, 2][number], detail }
    const pressed = currentHit(point)
    requireJudged(target, pressed)
    const sendsMouse = sendPointer(pressed, 'pointerdown', point, { ...down, detail: 0, pressure: 0.5 })
    // a prevented pointerdown suppresses mouse events, and a prevented mousedown keeps the focus
    if (sendsMouse && sendPointer(pressed, 'mousedown', point, down)) focusFromPress(dom, pressed)
    if (number === 2) sendPointer(pressed, 'contextmenu', point, down)
    const released = currentHit(point)
    const up = { ...down, buttons: 0 }
    sendPointer(released, 'pointerup', point, { ...up, detail: 0 })
    if (sendsMouse) sendPointer(released, 'mouseup', point, up)
    const clicked = commonAncestor(dom, pressed, released)
    if (clicked) sendPointer(clicked, number ? 'auxclick' : 'click', point, up)
    isClicked = isClicked || !!clicked
    if (clicked && detail === 2 && !number) sendPointer(clicked, 'dblclick', point, up)
  }
  target.session.judged.delete(target.node)
  const error = isClicked ? undefined : replacedError(before)
  if (error) throw error
}

/** the element at the point now: handlers may have covered or removed the one found before */
export function currentHit({ hit, x, y }: HitPoint): Element {
  return native.elementAt(native.ownerDocument(hit) as Document, x, y) ?? hit
}

/** a click goes to the nearest common ancestor of the pressed and the released element, https://w3c.github.io/uievents/#event-type-click */
function commonAncestor(dom: Dom<Node>, pressed: Node, released: Node): Node | undefined {
  if (!native.isConnected(pressed)) return undefined
  const others = ancestorsOf(dom, released)
  return ancestorsOf(dom, pressed).find(each => others.includes(each))
}

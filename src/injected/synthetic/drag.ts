import { say } from '../../contract/message.ts'
import { send } from '../actions/events.ts'
import { requireJudged } from '../actions/inspect.ts'
import type { HitPoint } from '../actions/target.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { Target } from '../view/target.ts'
import type { Watch } from '../watch/watch.ts'
import { currentHit, movePointer, sendPointer } from './pointer.ts'

const leftDown = { button: 0, buttons: 1, detail: 1 }
const steps = 8

/** Drags from one point to another: as an HTML drag if the element is draggable, else with the pointer held down. */
export function drag(target: Target, from: HitPoint, to: HitPoint): void {
  movePointer(target, from)
  const capture = emulatePointerCapture(target.document)
  try {
    const pressed = currentHit(from)
    requireJudged(target, pressed)
    target.session.judged.delete(target.node)
    if (sendPointer(pressed, 'pointerdown', from, { ...leftDown, detail: 0, pressure: 0.5 }))
      sendPointer(pressed, 'mousedown', from, leftDown)
    const source = draggableAt(target, pressed)
    if (source) htmlDrag(target, source, { from, to })
    else pointerDrag(target, { from, to, captured: capture.element })
  } finally {
    capture.end()
  }
}

interface DragPath {
  readonly from: HitPoint
  readonly to: HitPoint
}

function pointerDrag(target: Target, { from, to, captured }: DragPath & { readonly captured: () => Element | null }): void {
  for (let step = 1; step <= steps; step++) {
    const at = between(from, to, step / steps)
    movePointer(target, { ...at, hit: captured() ?? currentHit(at) }, { init: leftDown })
  }
  const end = captured() ?? currentHit(to)
  sendPointer(end, 'pointerup', to, { button: 0 })
  sendPointer(end, 'mouseup', to, { button: 0, detail: 1 })
}

/** Browsers allow pointer capture for real pointers only, so it is emulated during the drag. */
function emulatePointerCapture(document: Document): { element(): Element | null; end(): void } {
  let captured: Element | null = null
  const view = native.defaultView(document) as Window & typeof globalThis
  const { prototype } = view.Element
  const { setPointerCapture, hasPointerCapture, releasePointerCapture } = prototype
  prototype.setPointerCapture = function (this: Element) {
    captured = this
  }
  prototype.hasPointerCapture = function (this: Element) {
    return captured === this
  }
  prototype.releasePointerCapture = () => {
    captured = null
  }
  return {
    element: () => captured,
    end: () => {
      Object.assign(prototype, { setPointerCapture, hasPointerCapture, releasePointerCapture })
    },
  }
}

function draggableAt({ dom }: Target, pressed: Node): Node | null {
  for (let each: Node | null = pressed; each; each = dom.parent(each)) {
    const draggable = native.getAttribute(each, 'draggable')
    if (draggable === 'true') return each
    if (draggable === 'false') return null
  }
  return null
}

const between = (from: HitPoint, to: HitPoint, part: number): HitPoint => ({
  ...to,
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
})

/** https://html.spec.whatwg.org/#drag-and-drop-processing-model */
function htmlDrag(target: Target, source: Node, { from, to }: DragPath): void {
  const dataTransfer = new DataTransfer()
  const init = { dataTransfer, buttons: 1 }
  if (!sendPointer(source, 'dragstart', from, init)) throw engineError('not_committed', say`the page does not let ${target} be dragged`)
  send(source, 'PointerEvent', 'pointercancel', { pointerId: 1, cancelable: false })
  sendPointer(source, 'drag', from, init)
  const over = currentHit(to)
  sendPointer(over, 'dragenter', to, init)
  // a drop target accepts by preventing the default action of dragover
  const isRefused = sendPointer(over, 'dragover', to, init)
  if (!isRefused) sendPointer(over, 'drop', to, { dataTransfer })
  else sendPointer(over, 'dragleave', to, init)
  sendPointer(source, 'dragend', to, { dataTransfer })
  if (isRefused) throw engineError('not_committed', say`nothing there takes ${target}`)
}

/** Presses with a finger and releases later: timers of the page decide about a long press, so they must run in between. */
export function longPress(target: Target, point: HitPoint, ms: number, watch: Watch): void {
  const touch = { pointerType: 'touch', button: 0 }
  const pressed = currentHit(point)
  movePointer(target, point)
  requireJudged(target, pressed)
  target.session.judged.delete(target.node)
  sendPointer(pressed, 'pointerdown', point, { ...touch, buttons: 1, pressure: 0.5 })
  sendTouch(pressed, 'touchstart', point)
  sendPointer(pressed, 'mousedown', point, leftDown)
  watch.pendingEvents++
  native.later(() => {
    watch.pendingEvents--
    if (!native.isConnected(pressed)) return
    sendPointer(pressed, 'contextmenu', point, { ...touch, buttons: 0 })
    sendPointer(pressed, 'pointerup', point, { ...touch, buttons: 0 })
    sendTouch(pressed, 'touchend', point)
    sendPointer(pressed, 'mouseup', point, { button: 0, detail: 1 })
  }, ms)
}

function sendTouch(node: Element, type: string, { x, y }: HitPoint): void {
  const touch = createTouch(node, x, y)
  if (!touch) return
  const touches = type === 'touchstart' ? [touch] : []
  send(node, 'TouchEvent', type, { touches, targetTouches: touches, changedTouches: [touch] })
}

function createTouch(target: Element, clientX: number, clientY: number): Touch | null {
  try {
    return new Touch({ identifier: 1, target, clientX, clientY })
  } catch {
    return null // desktop browsers have no Touch, or no constructor for it
  }
}

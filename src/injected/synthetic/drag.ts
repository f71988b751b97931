import { send } from '../actions/events.ts'
import type { Place, Target } from '../actions/target.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { Watch } from '../watch/watch.ts'
import { hitNow, moveTo, point } from './pointer.ts'

const held = { button: 0, buttons: 1, detail: 1 }
const steps = 8

/** From one place to another: as drag and drop of HTML where the element is made for that, else with the pointer held down. */
export function drag(target: Target, from: Place, to: Place): void {
  const { session, dom, ref, document } = target
  moveTo(session, dom, from)
  const capture = heedCapture(document)
  try {
    const pressed = hitNow(from)
    if (point(pressed, 'pointerdown', from, { ...held, detail: 0, pressure: 0.5 })) point(pressed, 'mousedown', from, held)
    const source = draggable(target, pressed)
    if (source) drop(source, { from, to, ref })
    else slide(target, { from, to, captured: capture.by })
  } finally {
    capture.end()
  }
}

function slide({ session, dom }: Target, { from, to, captured }: { from: Place; to: Place; captured: () => Element | null }): void {
  for (let step = 1; step <= steps; step++) {
    const at = between(from, to, step / steps)
    moveTo(session, dom, { ...at, hit: captured() ?? hitNow(at) }, held)
  }
  const end = captured() ?? hitNow(to)
  point(end, 'pointerup', to, { button: 0 })
  point(end, 'mouseup', to, { button: 0, detail: 1 })
}

/** Who asks for all that the pressed pointer does, wherever it goes. Browsers give that for real pointers only, so for this time we do. */
function heedCapture(document: Document): { by(): Element | null; end(): void } {
  let captured: Element | null = null
  const view = native.defaultView(document) as Window & typeof globalThis
  const of = view.Element.prototype
  const { setPointerCapture, hasPointerCapture, releasePointerCapture } = of
  of.setPointerCapture = function (this: Element) {
    captured = this
  }
  of.hasPointerCapture = function (this: Element) {
    return captured === this
  }
  of.releasePointerCapture = () => {
    captured = null
  }
  return { by: () => captured, end: () => void Object.assign(of, { setPointerCapture, hasPointerCapture, releasePointerCapture }) }
}

function draggable({ dom }: Target, pressed: Node): Node | null {
  for (let each: Node | null = pressed; each; each = dom.parent(each)) {
    const said = native.getAttribute(each, 'draggable')
    if (said === 'true') return each
    if (said === 'false') return null
  }
  return null
}

const between = (from: Place, to: Place, part: number): Place => ({
  ...to,
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
})

/** https://html.spec.whatwg.org/#drag-and-drop-processing-model */
function drop(source: Node, { from, to, ref }: { from: Place; to: Place; ref: string }): void {
  const dataTransfer = new DataTransfer()
  const all = { dataTransfer, buttons: 1 }
  if (!point(source, 'dragstart', from, all)) throw engineError('not_committed', `the page does not let ${ref} be dragged`)
  send(source, 'PointerEvent', 'pointercancel', { pointerId: 1, cancelable: false })
  point(source, 'drag', from, all)
  const over = hitNow(to)
  point(over, 'dragenter', to, all)
  // who takes it prevents the default, which is to refuse it
  const isRefused = point(over, 'dragover', to, all)
  if (!isRefused) point(over, 'drop', to, { dataTransfer })
  else point(over, 'dragleave', to, all)
  point(source, 'dragend', to, { dataTransfer })
  if (isRefused) throw engineError('not_committed', `nothing there takes ${ref}`)
}

/** Held down for a while, by finger. The page's own timers decide what that means, so it is let go later, when they have run. */
export function longPress(target: Target, place: Place, ms: number, watch: Watch): void {
  const touch = { pointerType: 'touch', button: 0 }
  const pressed = hitNow(place)
  moveTo(target.session, target.dom, place)
  point(pressed, 'pointerdown', place, { ...touch, buttons: 1, pressure: 0.5 })
  fingers(pressed, 'touchstart', place)
  point(pressed, 'mousedown', place, held)
  watch.open++
  native.later(() => {
    watch.open--
    if (!native.isConnected(pressed)) return
    point(pressed, 'contextmenu', place, { ...touch, buttons: 0 })
    point(pressed, 'pointerup', place, { ...touch, buttons: 0 })
    fingers(pressed, 'touchend', place)
    point(pressed, 'mouseup', place, { button: 0, detail: 1 })
  }, ms)
}

function fingers(node: Element, type: string, { x, y }: Place): void {
  const touch = finger(node, x, y)
  if (!touch) return
  const down = type === 'touchstart' ? [touch] : []
  send(node, 'TouchEvent', type, { touches: down, targetTouches: down, changedTouches: [touch] })
}

function finger(target: Element, clientX: number, clientY: number): Touch | null {
  try {
    return new Touch({ identifier: 1, target, clientX, clientY })
  } catch {
    return null // desktop engines have no such thing, or its name alone
  }
}

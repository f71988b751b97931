import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'

const interfaces = [
  'Event',
  'MouseEvent',
  'PointerEvent',
  'KeyboardEvent',
  'InputEvent',
  'FocusEvent',
  'DragEvent',
  'ClipboardEvent',
  'TouchEvent',
] as const
type EventInterface = (typeof interfaces)[number]
type EventConstructor = new (type: string, init: object) => Event
const globals = globalThis as unknown as Record<string, EventConstructor | undefined>
const captured: Record<string, EventConstructor | undefined> = {}
for (const name of interfaces) captured[name] = globals[name]

/** Dispatches one event, by default bubbling, cancelable and composed; false if a handler prevented the default action. */
export function send(node: Node, name: EventInterface, type: string, init: object = {}): boolean {
  const view = native.defaultView(native.ownerDocument(node) as Document) as Window
  // a handler may check that the event belongs to its own window; a browser without PointerEvent, or without such clicks, has MouseEvent
  const constructors = (view === window ? captured : (view as unknown as typeof captured)) as typeof captured
  const hasConstructor = constructors[name] && (type !== 'click' || clicksByPointerEvent())
  const Event = constructors[hasConstructor ? name : 'MouseEvent'] as EventConstructor
  const event = new Event(type, { bubbles: true, cancelable: true, composed: true, view, ...init })
  const { keyCode } = init as { keyCode?: number }
  // WebKit ignores a keyCode from a script, and many applications read nothing else
  if (keyCode && (event as KeyboardEvent).keyCode !== keyCode)
    for (const name of ['keyCode', 'which']) Object.defineProperty(event, name, { value: keyCode })
  return asPage(() => native.dispatch(node, event))
}

let canClick: boolean | undefined
/** Whether a click that is a PointerEvent activates an element: in Chromium before 92 only a MouseEvent does, and no other is sent there. */
function clicksByPointerEvent(): boolean {
  if (canClick === undefined) {
    const box = native.createElement(document, 'input')
    native.setAttribute(box, 'type', 'checkbox')
    const { PointerEvent } = captured
    if (PointerEvent) native.dispatch(box, new PointerEvent('click', {}))
    canClick = !!native.inputChecked(box)
  }
  return canClick
}

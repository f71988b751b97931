import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'

/** Events as browsers make them: all of ours bubble, can be prevented and leave shadow roots, unless said otherwise. */
const kinds = [
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
type Kind = (typeof kinds)[number]
type Made = new (type: string, init: object) => Event
const here = globalThis as unknown as Record<string, Made | undefined>
const captured: Record<string, Made | undefined> = {}
for (const kind of kinds) captured[kind] = here[kind]

/** Sends one event; false when a handler prevented what it would lead to. */
export function send(node: Node, kind: Kind, type: string, init: object = {}): boolean {
  const view = native.defaultView(native.ownerDocument(node) as Document) as Window
  // a handler may ask whether the event is one of its own window; an engine without PointerEvent has MouseEvent
  const of = (view === window ? captured : (view as unknown as typeof captured)) as typeof captured
  const Event = (of[kind] ?? of.MouseEvent) as Made
  const event = new Event(type, { bubbles: true, cancelable: true, composed: true, view, ...init })
  const { keyCode } = init as { keyCode?: number }
  // WebKit takes no keyCode from a script, and half of the applications ask for nothing else
  if (keyCode && (event as KeyboardEvent).keyCode !== keyCode)
    for (const name of ['keyCode', 'which']) Object.defineProperty(event, name, { value: keyCode })
  return asPage(() => native.dispatch(node, event))
}

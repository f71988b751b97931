import * as native from '../runtime/native-actions.ts'
import { send } from './events.ts'

/** the value of an input or textarea; undefined for any other element */
export const fieldValue = (node: Node): string | undefined => native.inputValue(node) ?? native.textareaValue(node)

export const dispatchChange = (node: Element): boolean => send(node, 'Event', 'change', { cancelable: false, composed: false })

/** `input` and `change`, as a browser fires them for a control that changes as a whole */
export function dispatchInputAndChange(node: Element): void {
  send(node, 'Event', 'input', { cancelable: false })
  dispatchChange(node)
}

/** the value that a field had when it got the focus, while its `change` event is pending */
const valuesBefore = new WeakMap<Node, string>()

/** Fires `change` when the field loses the focus with a different value than before (C22). */
export function deferChange(node: Element, before: string): void {
  if (valuesBefore.has(node)) return
  valuesBefore.set(node, before)
  native.listen(node, 'blur', () => flushChange(node), { capture: true, once: true })
}

/** Fires a pending `change` event now, as Enter does. */
export function flushChange(node: Element): void {
  const before = valuesBefore.get(node)
  if (before === undefined) return
  valuesBefore.delete(node)
  if (fieldValue(node) !== before) dispatchChange(node)
}

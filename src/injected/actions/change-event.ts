import * as native from '../runtime/native-actions.ts'
import { send } from './events.ts'

/** what a field holds; undefined for what is no field */
export const fieldValue = (node: Node): string | undefined => native.inputValue(node) ?? native.textareaValue(node)

export const dispatchChange = (node: Element): boolean => send(node, 'Event', 'change', { cancelable: false, composed: false })

const owed = new WeakMap<Node, string>()

/** `change` comes when the field is left with another value than it was entered with (C22), whoever leaves it and how. */
export function deferChange(node: Element, before: string): void {
  if (owed.has(node)) return
  owed.set(node, before)
  native.listen(node, 'blur', () => flushChange(node), { capture: true, once: true })
}

/** Fires the `change` that is still to come; Enter does that too. */
export function flushChange(node: Element): void {
  const before = owed.get(node)
  if (before === undefined) return
  owed.delete(node)
  if (fieldValue(node) !== before) dispatchChange(node)
}

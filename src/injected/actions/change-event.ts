import * as lever from '../runtime/native-actions.ts'
import * as native from '../runtime/natives.ts'
import { send } from './events.ts'

/** what a field holds; undefined for what is no field */
export const heldIn = (node: Node): string | undefined => native.inputValue(node) ?? native.textareaValue(node)

export const changed = (node: Element): boolean => send(node, 'Event', 'change', { cancelable: false, composed: false })

const owed = new WeakMap<Node, string>()

/** `change` comes when the field is left with another value than it was entered with (C22), whoever leaves it and how. */
export function owe(node: Element, before: string): void {
  if (owed.has(node)) return
  owed.set(node, before)
  lever.listen(node, 'blur', () => pay(node), { capture: true, once: true })
}

/** Fires the `change` that is still to come; Enter does that too. */
export function pay(node: Element): void {
  const before = owed.get(node)
  if (before === undefined) return
  owed.delete(node)
  if (heldIn(node) !== before) changed(node)
}

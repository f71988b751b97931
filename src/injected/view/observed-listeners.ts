import { isActionAttribute } from '../../engine/attributes.ts'
import * as native from '../runtime/natives.ts'
import { clickListeners, maxOwnTypes } from './click-listeners.ts'
import type { ClickListeners } from './layout.ts'

// captured, because the calls of a page come when it may have patched these, and must not reach its patches
const { apply } = Reflect
const { create } = Object
/** the function of the browser behind one that is observed, and the types of events that a target listens to */
const map = new WeakMap<object, object>()
const get = map.get.bind(map)
const set = map.set.bind(map)

/**
 * Replaces a method by one that the page cannot tell from it: a Proxy has the name, the length and the properties of its target, and only
 * its source text differs, which `Function.prototype.toString` shows.
 */
function observe(owner: object, name: string, call: (original: () => unknown, self: object, given: readonly unknown[]) => unknown): void {
  const original = (owner as { readonly [name: string]: () => unknown })[name] as () => unknown
  const proxy = new Proxy(original, { apply: call })
  set(proxy, original)
  native.replace(owner, name, proxy)
}

const handlersOf = (node: object) => native.handlers[native.namespaceURI(node) ?? '']
const hasClickHandler = (node: object) => !!handlersOf(node)?.[0](node)
const hasDropHandler = (node: object) => {
  const handlers = handlersOf(node)
  return !!(handlers?.[1](node) || handlers?.[2](node))
}

/** What a script that runs later than scripts of the page knows: the handlers in properties, and no listeners. */
export const visibleHandlers = (): ClickListeners =>
  clickListeners({ has: hasClickHandler, isRoot: () => false, hasWindow: () => true, isComplete: () => false, takesDrops: hasDropHandler })

/**
 * Learns which elements listen to clicks from the calls of `addEventListener`. Only a script that runs before all scripts of the page sees
 * every call. The function of the browser is called with the same arguments, so the page works as before. Not all handlers of the page can
 * be seen, so what is known is never complete.
 */
export function observeListeners(): ClickListeners {
  const someType = (node: object, test: (types: readonly string[]) => boolean): boolean => {
    const types = get(node)
    return types !== undefined && test(Object.keys(types))
  }
  observe(EventTarget.prototype, 'addEventListener', (add, self, given) => {
    const result = apply(add, self, given)
    // no array pattern, which would call the iterator of the page
    const { 0: type, 1: listener } = given
    // null and undefined are not listeners, and the call has no effect
    if (listener && typeof type === 'string') {
      const target = self ?? globalThis
      const types = get(target) ?? create(null)
      types[type] = true
      set(target, types)
    }
    return result
  })
  observe(Function.prototype, 'toString', (show, self, given) => apply(show, get(self) ?? self, given))
  return clickListeners({
    has: node => someType(node, types => types.some(type => isActionAttribute(`on${type}`))) || hasClickHandler(node),
    isRoot: node => someType(node, types => types.length > maxOwnTypes),
    hasWindow: () => true,
    isComplete: () => false,
    takesDrops: node => someType(node, types => types.includes('drop')) || hasDropHandler(node),
  })
}

import * as native from '../runtime/natives.ts'
import { clickListeners, maxOwnTypes } from './click-listeners.ts'
import type { ClickListeners } from './layout.ts'

const clickTypes = /^(click|mousedown|mouseup|pointerdown|pointerup)$/

/**
 * Learns which elements listen to clicks from the calls of `addEventListener`. Only a script that runs before all scripts of the page sees
 * every call. A Proxy has the name and the length of the function that it wraps, and its target is called with the same arguments, so the
 * page works as before. Handlers in properties are not seen here, so what is known is never complete.
 */
export function observeListeners(): ClickListeners {
  const typesOf = new WeakMap<object, Set<string>>()
  const { prototype } = EventTarget
  const { addEventListener } = prototype
  const { apply } = Reflect
  const note = (target: unknown, type: unknown) => {
    if (typeof target !== 'object' || target === null || typeof type !== 'string') return
    const types = typesOf.get(target) ?? new Set()
    types.add(type)
    typesOf.set(target, types)
  }
  native.replace(
    prototype,
    'addEventListener',
    new Proxy(addEventListener, {
      apply: (add, self, given: Parameters<typeof addEventListener>) => {
        const result = apply(add, self, given)
        // null and undefined are not listeners, and the call has no effect
        if (given[1]) note(self ?? globalThis, given[0])
        return result
      },
    }),
  )
  return clickListeners({
    has: node => {
      const types = typesOf.get(node)
      return !!types && [...types].some(type => clickTypes.test(type))
    },
    isRoot: node => (typesOf.get(node)?.size ?? 0) > maxOwnTypes,
    hasWindow: () => true,
    isComplete: () => false,
    takesDrops: node => !!typesOf.get(node)?.has('drop'),
  })
}

/**
 * A page may patch Array.prototype.push after we came. While the engine runs, the built-ins stand as they were at injection;
 * what the page put there comes back afterwards. So the engine is written in plain language and still cannot be lied to.
 */
const { getOwnPropertyDescriptor, defineProperty, getPrototypeOf } = Object
const { ownKeys, deleteProperty } = Reflect

const kept: object[] = [
  Object,
  Array,
  String,
  Number,
  Math,
  JSON,
  Reflect,
  Object.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  RegExp.prototype,
  Function.prototype,
  Map.prototype,
  Set.prototype,
  WeakMap.prototype,
  WeakSet.prototype,
  getPrototypeOf([][Symbol.iterator]()),
  getPrototypeOf(new Map().values()),
  getPrototypeOf(new Set().values()),
]
for (const name of ['WeakRef', 'DOMRectReadOnly', 'DOMRect', 'NodeList', 'DOMRectList', 'HTMLOptionsCollection']) {
  const found = (globalThis as Record<string, unknown>)[name] as { prototype: object } | undefined
  if (found?.prototype) kept[kept.length] = found.prototype
}

interface Kept {
  readonly owner: object
  readonly key: PropertyKey
  readonly was: PropertyDescriptor
}

const originals: Kept[] = []
for (let i = 0; i < kept.length; i++) {
  const owner = kept[i] as object
  const keys = ownKeys(owner)
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k] as PropertyKey
    const was = getOwnPropertyDescriptor(owner, key)
    if (was) originals[originals.length] = { owner, key, was }
  }
}
/** names that change what JSON or an array does when a page adds them to a prototype */
const strangers: readonly [object, PropertyKey][] = [
  [Object.prototype, 'toJSON'],
  [Array.prototype, 'toJSON'],
]

/** Runs `work` on untouched built-ins; `tampered` is told when the page has made one that cannot be put back. */
export function pristine<T>(work: (tampered: boolean) => T): T {
  const undo: { owner: object; key: PropertyKey; back: PropertyDescriptor }[] = []
  let tampered = false
  for (let i = 0; i < originals.length; i++) {
    const { owner, key, was } = originals[i] as Kept
    const is = getOwnPropertyDescriptor(owner, key)
    if (is && is.value === was.value && is.get === was.get) continue
    if (!swap(owner, key, was)) tampered = true
    else undo[undo.length] = { owner, key, back: is ?? { value: undefined, configurable: true, writable: true } }
  }
  for (let i = 0; i < strangers.length; i++) {
    const [owner, key] = strangers[i] as [object, PropertyKey]
    const is = getOwnPropertyDescriptor(owner, key)
    if (!is) continue
    if (!deleteProperty(owner, key)) tampered = true
    else undo[undo.length] = { owner, key, back: is }
  }
  try {
    return work(tampered)
  } finally {
    for (let i = undo.length - 1; i >= 0; i--) {
      const { owner, key, back } = undo[i] as (typeof undo)[number]
      swap(owner, key, back)
    }
  }
}

function swap(owner: object, key: PropertyKey, to: PropertyDescriptor): boolean {
  try {
    defineProperty(owner, key, to)
    return true
  } catch {
    return false // the page made it unchangeable
  }
}

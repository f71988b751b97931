/**
 * A page may patch Array.prototype.push after we came. While the engine runs, the built-ins stand as they were at injection;
 * what the page put there comes back afterwards. So the engine is written in plain language and still cannot be lied to.
 */
const { getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object
const { ownKeys, deleteProperty, defineProperty: define } = Reflect

const kept: object[] = [
  Object.prototype,
  Array.prototype,
  Object,
  Array,
  String,
  Number,
  Math,
  JSON,
  Reflect,
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
  /** undefined for what was not there */
  readonly was: PropertyDescriptor | undefined
}

/** without a prototype: a `get` that the page hangs on Object.prototype must not pass for a part of it */
function look(owner: object, key: PropertyKey): PropertyDescriptor | undefined {
  const is = getOwnPropertyDescriptor(owner, key)
  return is && setPrototypeOf(is, null)
}

const originals: Kept[] = []
/** the keys of what every object and array inherits (the first two), at injection */
const born: Record<PropertyKey, true> = Object.create(null)
const inherited = 2
for (let i = 0; i < kept.length; i++) {
  const owner = kept[i] as object
  const keys = ownKeys(owner)
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k] as PropertyKey
    originals[originals.length] = { owner, key, was: look(owner, key) }
    if (i < inherited) born[key] = true
  }
}

/** Runs `work` on untouched built-ins; `tampered` is told when the page has made one that cannot be put back. */
export function pristine<T>(work: (tampered: boolean) => T): T {
  // a chain, since a page can lay a setter under the elements of every array
  let undo: (Kept & { readonly next: unknown }) | null = null
  let tampered = false
  const put = (owner: object, key: PropertyKey, was: PropertyDescriptor | undefined) => {
    const is = look(owner, key)
    if (is?.value === was?.value && is?.get === was?.get) return
    if (was ? define(owner, key, was) : deleteProperty(owner, key)) undo = { owner, key, was: is, next: undo }
    else tampered = true
  }
  // what the page has added there would reach into all that we make
  for (let i = 0; i < inherited; i++) {
    const owner = kept[i] as object
    const keys = ownKeys(owner)
    for (let k = 0; k < keys.length; k++) if (!((keys[k] as PropertyKey) in born)) put(owner, keys[k] as PropertyKey, undefined)
  }
  for (let i = 0; i < originals.length; i++) {
    const { owner, key, was } = originals[i] as Kept
    put(owner, key, was)
  }
  try {
    return work(tampered)
  } finally {
    for (let last = undo as (Kept & { readonly next: unknown }) | null; last; last = last.next as typeof last)
      if (last.was) define(last.owner, last.key, last.was)
      else deleteProperty(last.owner, last.key)
  }
}

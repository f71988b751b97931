/**
 * A page may patch Array.prototype.push after we came. While the engine runs, the built-ins stand as they were at injection;
 * what the page put there comes back afterwards. So the engine is written in plain language and still cannot be lied to.
 */
const { getOwnPropertyDescriptor, getPrototypeOf } = Object
const { ownKeys, deleteProperty, defineProperty: reflectDefine } = Reflect

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
  /** undefined for what was not there */
  readonly was: PropertyDescriptor | undefined
}

const originals: Kept[] = []
for (let i = 0; i < kept.length; i++) {
  const owner = kept[i] as object
  // a page that adds toJSON to a prototype changes what JSON is
  const keys = [...ownKeys(owner), 'toJSON']
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k] as PropertyKey
    originals[originals.length] = { owner, key, was: getOwnPropertyDescriptor(owner, key) }
  }
}

/** Runs `work` on untouched built-ins; `tampered` is told when the page has made one that cannot be put back. */
export function pristine<T>(work: (tampered: boolean) => T): T {
  const undo: Kept[] = []
  let tampered = false
  for (let i = 0; i < originals.length; i++) {
    const { owner, key, was } = originals[i] as Kept
    const is = getOwnPropertyDescriptor(owner, key)
    if (is?.value === was?.value && is?.get === was?.get) continue
    if (put(owner, key, was)) undo[undo.length] = { owner, key, was: is }
    else tampered = true
  }
  try {
    return work(tampered)
  } finally {
    for (let i = 0; i < undo.length; i++) {
      const { owner, key, was } = undo[i] as Kept
      put(owner, key, was)
    }
  }
}

/** false where the page has made it unchangeable */
const put = (owner: object, key: PropertyKey, to: PropertyDescriptor | undefined): boolean =>
  to ? reflectDefine(owner, key, to) : deleteProperty(owner, key)

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

type Undo = Kept & { readonly next: Undo }
// a chain, since a page can lay a setter under the elements of every array
let undo = null as Undo | null
let tampered = false
/** calls within calls: only the outermost changes anything */
let depth = 0

/** Runs `work` on untouched built-ins; `tampered` is told when the page has made one that cannot be put back. */
export function pristine<T>(work: (tampered: boolean) => T): T {
  if (depth++ === 0) enter()
  try {
    return work(tampered)
  } finally {
    if (--depth === 0) leave()
  }
}

/** For what runs handlers of the page: they find their own built-ins, polyfills and all, as at any other time. */
export function asPage<T>(work: () => T): T {
  const inside = depth
  depth = 0
  leave()
  try {
    return work()
  } finally {
    depth = inside
    // a timer or listener of ours was not within a call, and leaves the page with what it has
    if (inside) enter()
  }
}

function enter(): void {
  tampered = false
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
}

function put(owner: object, key: PropertyKey, was: PropertyDescriptor | undefined): void {
  const is = look(owner, key)
  if (is?.value === was?.value && is?.get === was?.get) return
  if (was ? define(owner, key, was) : deleteProperty(owner, key)) undo = { owner, key, was: is, next: undo as Undo }
  else tampered = true
}

function leave(): void {
  for (; undo; undo = undo.next)
    if (undo.was) define(undo.owner, undo.key, undo.was)
    else deleteProperty(undo.owner, undo.key)
}

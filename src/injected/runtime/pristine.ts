/**
 * A page may patch Array.prototype.push after injection. While the engine runs, the built-ins are restored to their state at injection, and
 * the patches of the page come back afterwards. So the engine is plain JavaScript, and a page still cannot deceive it.
 */
const { getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object
const { ownKeys, deleteProperty, defineProperty: define } = Reflect

const builtIns: object[] = [
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
  if (found?.prototype) builtIns[builtIns.length] = found.prototype
}

interface Property {
  readonly owner: object
  readonly key: PropertyKey
  /** undefined if it did not exist */
  readonly was: PropertyDescriptor | undefined
}

/** without a prototype, so that a `get` on Object.prototype is not taken for a part of the descriptor */
function descriptorOf(owner: object, key: PropertyKey): PropertyDescriptor | undefined {
  const is = getOwnPropertyDescriptor(owner, key)
  return is && setPrototypeOf(is, null)
}

const originals: Property[] = []
/** the keys of Object.prototype and Array.prototype, the first two, at injection */
const inheritedKeys: Record<PropertyKey, true> = Object.create(null)
const inheritedCount = 2
for (let i = 0; i < builtIns.length; i++) {
  const owner = builtIns[i] as object
  const keys = ownKeys(owner)
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k] as PropertyKey
    originals[originals.length] = { owner, key, was: descriptorOf(owner, key) }
    if (i < inheritedCount) inheritedKeys[key] = true
  }
}

type Undo = Property & { readonly next: Undo }
// a linked list, since a page can define setters on Array.prototype for indexes
let undo = null as Undo | null
let tampered = false
/** nesting of calls: only the outermost one restores anything */
let depth = 0

/** Runs `work` on the original built-ins. `tampered` is true if the page has made one that cannot be restored. */
export function pristine<T>(work: (tampered: boolean) => T): T {
  if (depth++ === 0) enter()
  try {
    return work(tampered)
  } finally {
    if (--depth === 0) leave()
  }
}

let effects = 0
/** Changes each time the script does something that the page can see: before the first change, a call that fails has done nothing. */
export const effectCount = (): number => effects
export function noteEffect(): void {
  effects++
}

/** Runs `work`, which calls handlers of the page, on the built-ins of the page with its patches and polyfills. */
export function asPage<T>(work: () => T): T {
  noteEffect()
  const inside = depth
  depth = 0
  leave()
  try {
    return work()
  } finally {
    depth = inside
    // a timer or listener of the engine runs outside of any call, where nothing was restored
    if (inside) enter()
  }
}

let isTrusted = false
/** Nothing is restored from now on: the built-ins of this world cannot be patched by the page. */
export function trustBuiltIns(): void {
  isTrusted = true
}

function enter(): void {
  if (isTrusted) return
  tampered = false
  // a property that the page has added there would be inherited by every object of the engine
  for (let i = 0; i < inheritedCount; i++) {
    const owner = builtIns[i] as object
    const keys = ownKeys(owner)
    for (let k = 0; k < keys.length; k++) if (!((keys[k] as PropertyKey) in inheritedKeys)) put(owner, keys[k] as PropertyKey, undefined)
  }
  for (let i = 0; i < originals.length; i++) {
    const { owner, key, was } = originals[i] as Property
    put(owner, key, was)
  }
}

const isSame = (is: PropertyDescriptor | undefined, was: PropertyDescriptor | undefined): boolean =>
  is?.value === was?.value && is?.get === was?.get

function put(owner: object, key: PropertyKey, was: PropertyDescriptor | undefined): void {
  const is = getOwnPropertyDescriptor(owner, key)
  if (isSame(is, was)) return
  // most built-ins are as they were, and removing the prototype takes longer than all the rest
  if (is && isSame(setPrototypeOf(is, null), was)) return
  if (was ? define(owner, key, was) : deleteProperty(owner, key)) undo = { owner, key, was: is, next: undo as Undo }
  else tampered = true
}

function leave(): void {
  for (; undo; undo = undo.next)
    if (undo.was) define(undo.owner, undo.key, undo.was)
    else deleteProperty(undo.owner, undo.key)
}

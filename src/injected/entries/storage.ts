// Saves and restores the stored data of an origin. Runs on an empty page of that origin. Values of IndexedDB for which JSON has no form
// (dates, binary data, undefined, bigints) are written with a tag; values without any such form are left out and counted.

interface StoredIndex {
  readonly name: string
  readonly keyPath: string | string[]
  readonly unique: boolean
  readonly multiEntry: boolean
}
interface StoredStore {
  readonly name: string
  readonly keyPath: string | string[] | null
  readonly autoIncrement: boolean
  readonly indexes: readonly StoredIndex[]
  readonly records: readonly (readonly [key: EncodedValue, value: EncodedValue])[]
}
interface StoredDatabase {
  readonly name: string
  readonly version: number
  readonly stores: readonly StoredStore[]
}
interface StoredData {
  readonly localStorage: readonly (readonly [name: string, value: string])[]
  readonly indexedDB: readonly StoredDatabase[]
}

type EncodedValue =
  | null
  | string
  | boolean
  | number
  | { readonly $: 'undefined' }
  | { readonly $: 'number' | 'bigint' | 'buffer' | 'bytes'; readonly v: string }
  | { readonly $: 'date'; readonly v: number }
  | { readonly $: 'list'; readonly v: readonly EncodedValue[] }
  | { readonly $: 'object'; readonly v: readonly (readonly [key: string, value: EncodedValue])[] }

/** more than this is not saved */
const maxChars = 5_000_000

/** Returns JSON: the stored data, the number of saved records, and what is missing. */
export async function saveStorage(): Promise<string> {
  const stored: [string, string][] = Object.keys(localStorage).map(key => [key, localStorage.getItem(key) ?? ''])
  const databases: StoredDatabase[] = []
  let records = 0
  let skipped = 0
  let size = JSON.stringify(stored).length
  for (const { name = '', version = 1 } of await indexedDB.databases()) {
    const database = await resultOf(indexedDB.open(name))
    const stores: StoredStore[] = []
    for (const storeName of database.objectStoreNames) {
      const store = database.transaction(storeName).objectStore(storeName)
      const [keys, values] = [await resultOf(store.getAllKeys()), await resultOf(store.getAll())]
      const saved: [EncodedValue, EncodedValue][] = []
      for (let index = 0; index < keys.length; index++) {
        try {
          const record: [EncodedValue, EncodedValue] = [encode(keys[index]), encode(values[index])]
          size += JSON.stringify(record).length
          if (size > maxChars) throw new Error('too much')
          saved.push(record)
        } catch {
          skipped++
        }
      }
      records += saved.length
      stores.push({
        name: storeName,
        keyPath: store.keyPath,
        autoIncrement: store.autoIncrement,
        indexes: indexesOf(store),
        records: saved,
      })
    }
    database.close()
    databases.push({ name, version, stores })
  }
  const missing = skipped ? `${skipped} records of IndexedDB have no form in JSON, or are too large` : ''
  return JSON.stringify({ localStorage: stored, indexedDB: databases, records, missing })
}

/** Returns JSON: the number of restored records, and what is missing. */
export async function restoreStorage({ localStorage: stored, indexedDB: databases }: StoredData): Promise<string> {
  for (const [key, value] of stored) localStorage.setItem(key, value)
  let records = 0
  for (const { name, version, stores } of databases) {
    const request = indexedDB.open(name, version)
    request.onupgradeneeded = () => {
      for (const store of stores) createStore(request.result, store)
    }
    const database = await resultOf(request)
    for (const { name: storeName, keyPath, records: saved } of stores) {
      const transaction = database.transaction(storeName, 'readwrite')
      // records are stored when the transaction completes: a tab that closes earlier loses them
      const completed = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve
        transaction.onabort = () => reject(transaction.error)
      })
      const store = transaction.objectStore(storeName)
      for (const [key, value] of saved) {
        if (keyPath === null) store.put(decode(value), decode(key) as IDBValidKey)
        else store.put(decode(value))
        records++
      }
      await completed
    }
    database.close()
  }
  return JSON.stringify({ records, missing: '' })
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    if (request instanceof IDBOpenDBRequest) request.onblocked = () => reject(new Error('blocked'))
  })
}

function indexesOf(store: IDBObjectStore): StoredIndex[] {
  return [...store.indexNames].map(name => {
    const { keyPath, unique, multiEntry } = store.index(name)
    return { name, keyPath, unique, multiEntry }
  })
}

function createStore(database: IDBDatabase, { name, keyPath, autoIncrement, indexes }: StoredStore): void {
  const store = database.createObjectStore(name, { keyPath, autoIncrement })
  for (const { name: index, keyPath: path, unique, multiEntry } of indexes) store.createIndex(index, path, { unique, multiEntry })
}

function encode(value: unknown): EncodedValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $: 'number', v: String(value) }
  if (value === undefined) return { $: 'undefined' }
  if (typeof value === 'bigint') return { $: 'bigint', v: String(value) }
  if (value instanceof Date) return { $: 'date', v: value.getTime() }
  if (value instanceof ArrayBuffer) return { $: 'buffer', v: toBase64(new Uint8Array(value)) }
  if (value instanceof Uint8Array) return { $: 'bytes', v: toBase64(value) }
  if (Array.isArray(value)) return { $: 'list', v: value.map(encode) }
  if (Object.getPrototypeOf(value) === Object.prototype)
    return { $: 'object', v: Object.entries(value as object).map(([key, each]) => [key, encode(each)] as const) }
  throw new Error(`no form for ${Object.prototype.toString.call(value)}`)
}

function decode(value: EncodedValue): unknown {
  if (value === null || typeof value !== 'object') return value
  switch (value.$) {
    case 'undefined':
      return undefined
    case 'number':
      return Number(value.v)
    case 'bigint':
      return BigInt(value.v)
    case 'date':
      return new Date(value.v)
    case 'buffer':
      return fromBase64(value.v).buffer
    case 'bytes':
      return fromBase64(value.v)
    case 'list':
      return value.v.map(decode)
    case 'object':
      return Object.fromEntries(value.v.map(([key, each]) => [key, decode(each)]))
  }
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), character => character.charCodeAt(0))

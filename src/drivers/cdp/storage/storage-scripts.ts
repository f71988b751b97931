// Sources that run on an empty page of an origin. What IndexedDB holds is written with a tag where JSON has no word for it:
// dates, binary data, undefined, big numbers; what has no such form is left out and counted.

const asPromise =
  'const done = request => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); request.onblocked = () => reject(new Error("blocked")) })'

/** more than this is not carried from one session to another */
const mostChars = 5_000_000

export const dumpJs = `(async () => {
  ${asPromise}
  const base64 = bytes => { let text = ''; for (const byte of bytes) text += String.fromCharCode(byte); return btoa(text) }
  const write = value => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && isFinite(value))) return value
    if (value === undefined) return { $: 'undefined' }
    if (typeof value === 'number' || typeof value === 'bigint') return { $: typeof value, v: String(value) }
    if (value instanceof Date) return { $: 'date', v: value.getTime() }
    if (value instanceof ArrayBuffer) return { $: 'buffer', v: base64(new Uint8Array(value)) }
    if (value instanceof Uint8Array) return { $: 'bytes', v: base64(value) }
    if (Array.isArray(value)) return { $: 'list', v: value.map(write) }
    if (Object.getPrototypeOf(value) === Object.prototype) return { $: 'object', v: Object.entries(value).map(([key, each]) => [key, write(each)]) }
    throw new Error('no form for ' + Object.prototype.toString.call(value))
  }
  const local = Object.keys(localStorage).map(key => [key, localStorage.getItem(key)])
  const databases = []
  let records = 0, skipped = 0, size = JSON.stringify(local).length
  for (const { name, version } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name))
    const stores = []
    for (const store of database.objectStoreNames) {
      const from = database.transaction(store).objectStore(store)
      const [keys, values] = [await done(from.getAllKeys()), await done(from.getAll())]
      const kept = []
      for (let i = 0; i < keys.length; i++) {
        try {
          const record = [write(keys[i]), write(values[i])]
          size += JSON.stringify(record).length
          if (size > ${mostChars}) throw new Error('too much')
          kept.push(record)
        } catch { skipped++ }
      }
      records += kept.length
      const indexes = [...from.indexNames].map(each => { const { keyPath, unique, multiEntry } = from.index(each); return { name: each, keyPath, unique, multiEntry } })
      stores.push({ name: store, keyPath: from.keyPath, autoIncrement: from.autoIncrement, indexes, records: kept })
    }
    database.close()
    databases.push({ name, version, stores })
  }
  const missing = skipped ? skipped + ' records of IndexedDB have no form in JSON, or are too large' : ''
  return JSON.stringify({ localStorage: local, indexedDB: databases, records, missing })
})()`

export const restoreJs = `async ({ localStorage: local, indexedDB: databases }) => {
  ${asPromise}
  const bytes = text => Uint8Array.from(atob(text), character => character.charCodeAt(0))
  const read = value => {
    if (value === null || typeof value !== 'object') return value
    const { $: kind, v } = value
    return { undefined: () => undefined, number: () => Number(v), bigint: () => BigInt(v), date: () => new Date(v), buffer: () => bytes(v).buffer,
      bytes: () => bytes(v), list: () => v.map(read), object: () => Object.fromEntries(v.map(([key, each]) => [key, read(each)])) }[kind]()
  }
  for (const [key, value] of local) localStorage.setItem(key, value)
  let records = 0
  for (const { name, version, stores } of databases) {
    const opening = indexedDB.open(name, version)
    opening.onupgradeneeded = () => {
      for (const { name: store, keyPath, autoIncrement, indexes } of stores) {
        const made = opening.result.createObjectStore(store, { keyPath, autoIncrement })
        for (const { name: index, keyPath, unique, multiEntry } of indexes) made.createIndex(index, keyPath, { unique, multiEntry })
      }
    }
    const database = await done(opening)
    for (const { name: store, keyPath, records: kept } of stores) {
      const writing = database.transaction(store, 'readwrite')
      // a record is kept when its transaction is complete: a tab that closes before that takes it along
      const written = new Promise((resolve, reject) => { writing.oncomplete = resolve; writing.onabort = () => reject(writing.error) })
      const into = writing.objectStore(store)
      for (const [key, value] of kept) { keyPath === null ? into.put(read(value), read(key)) : into.put(read(value)); records++ }
      await written
    }
    database.close()
  }
  return JSON.stringify({ records, missing: '' })
}`

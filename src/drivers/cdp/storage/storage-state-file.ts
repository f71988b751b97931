import { readFileSync } from 'node:fs'
import { quoted, say, term } from '../../../contract/message.ts'
import { isSealedText, unsealText } from '../browser/sealed-text.ts'
import { PagehandError } from '../errors.ts'
import type { StorageState, StoredOrigin } from './storage-state.ts'

/** An entry of localStorage: a pair, or an object in files of Playwright. */
type StoredEntry = readonly [name: string, value: string] | { readonly name: string; readonly value: string }

interface StorageFile extends Omit<StorageState, 'origins'> {
  readonly origins?: readonly (Omit<StoredOrigin, 'localStorage'> & { readonly localStorage?: readonly StoredEntry[] })[]
}

/** Reads a storage state that `Session.storageState` or Playwright has saved as JSON, or a login of `pagehand login`. Fails with `invalid_input`. */
export function readStorageState(file: string, key?: string): StorageState {
  const { cookies = [], origins = [] } = parse(file, key)
  return {
    cookies,
    // IndexedDB is saved differently by Playwright, where it is an option
    origins: origins.map(({ origin, localStorage = [], indexedDB = [] }) => ({
      origin,
      localStorage: localStorage.map(entry => ('name' in entry ? ([entry.name, entry.value] as const) : entry)),
      indexedDB: localStorage.some(entry => 'name' in entry) ? [] : indexedDB,
    })),
    report: [],
  }
}

function requireKey(key: string | undefined): string {
  if (key === undefined) throw new Error('no key')
  return key
}

function parse(file: string, key: string | undefined): StorageFile {
  let state: StorageFile
  let reason = 'cannot be read'
  try {
    const text = readFileSync(file, 'utf8')
    const isSealed = isSealedText(text)
    reason = isSealed ? 'is encrypted, and the key is missing or wrong' : 'is not JSON'
    const parsed = JSON.parse(isSealed ? unsealText(text, requireKey(key)) : text) as StorageFile & { readonly state?: StorageFile }
    state = parsed?.state ?? parsed
  } catch {
    throw new PagehandError('invalid_input', say`The storage state ${quoted(file, 200)} ${term(reason)}.`)
  }
  const isList = (value: unknown) => value === undefined || Array.isArray(value)
  if (typeof state !== 'object' || state === null || !isList(state.cookies) || !isList(state.origins) || !(state.cookies ?? state.origins))
    throw new PagehandError('invalid_input', say`The storage state ${quoted(file, 200)} has neither cookies nor origins.`)
  return state
}

import { readFileSync } from 'node:fs'
import { quoted, say, term } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import type { StorageState, StoredOrigin } from './storage-state.ts'

/** An entry of localStorage: a pair, or an object in files of Playwright. */
type StoredEntry = readonly [name: string, value: string] | { readonly name: string; readonly value: string }

interface StorageFile extends Omit<StorageState, 'origins'> {
  readonly origins?: readonly (Omit<StoredOrigin, 'localStorage'> & { readonly localStorage?: readonly StoredEntry[] })[]
}

/** Reads a storage state that `Session.storageState` or Playwright has saved as JSON. Fails with `invalid_input`. */
export function readStorageState(file: string): StorageState {
  const { cookies = [], origins = [] } = parse(file)
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

function parse(file: string): StorageFile {
  let state: StorageFile
  try {
    state = JSON.parse(readFileSync(file, 'utf8')) as StorageFile
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new PagehandError('invalid_input', say`The storage state ${quoted(file, 200)} ${term(reason)}.`)
  }
  const isList = (value: unknown) => value === undefined || Array.isArray(value)
  if (typeof state !== 'object' || state === null || !isList(state.cookies) || !isList(state.origins) || !(state.cookies ?? state.origins))
    throw new PagehandError('invalid_input', say`The storage state ${quoted(file, 200)} has neither cookies nor origins.`)
  return state
}

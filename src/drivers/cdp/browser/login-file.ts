// The login of a named profile, as `pagehand login` stores it.
import { readFileSync, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quoted, say, term } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import type { SessionOptions } from '../options.ts'
import { isSealedText, sealText, unsealText } from './sealed-text.ts'

export interface StoredLogin {
  /** time in ISO 8601 */
  readonly savedAt: string
  /** the page that was opened to log in */
  readonly url: string
  readonly state: NonNullable<SessionOptions['storageState']>
  /** the file is encrypted, and the profile keeps nothing else */
  readonly isSealed: boolean
}

const fileIn = (folder: string): string => join(folder, 'pagehand-login.json')

/** Replaces the login of a profile. Only the user can read the file; with a key it is encrypted. */
export async function saveLogin(folder: string, login: Omit<StoredLogin, 'isSealed'>, key?: string): Promise<string> {
  const file = fileIn(folder)
  const text = JSON.stringify(login)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    await writeFile(temporary, key === undefined ? text : sealText(text, key), { mode: 0o600, flag: 'wx' })
    await rename(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  return file
}

/** The login of a profile, if it has one. Fails with `login_locked` if it is encrypted and the key is missing or wrong. */
export function readLogin(folder: string, key?: string): StoredLogin | undefined {
  let text: string
  try {
    text = readFileSync(fileIn(folder), 'utf8')
  } catch {
    return undefined // nobody has logged in
  }
  const isSealed = isSealedText(text)
  if (isSealed && key === undefined) throw lockedError(folder, 'is encrypted, and there is no key')
  try {
    const { savedAt, url, state } = JSON.parse(isSealed ? unsealText(text, key as string) : text) as StoredLogin
    return { savedAt, url, state, isSealed }
  } catch {
    throw lockedError(folder, isSealed ? 'cannot be decrypted with this key' : 'is damaged')
  }
}

/** Writes a state into a new file for another program. Only the user can read it; with a key it is encrypted. */
export async function exportState(file: string, state: StoredLogin['state'], key?: string): Promise<void> {
  const text = JSON.stringify(state)
  await writeFile(file, key === undefined ? text : sealText(text, key), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EEXIST' ? 'exists already' : 'cannot be written'
      throw new PagehandError('invalid_input', say`${quoted(file, 300)} ${term(reason)}.`)
    },
  )
}

const lockedError = (folder: string, reason: string) =>
  new PagehandError('login_locked', say`The stored login in ${quoted(folder, 300)} ${term(reason)}.`)

// A window in which a person logs in. Nothing is attached to its tabs: the person's dialogs, passwords and keys stay theirs.
import { readdir, rm } from 'node:fs/promises'
import { say } from '../../contract/message.ts'
import { type LaunchOptions, launch } from './browser/launch.ts'
import { saveLogin } from './browser/login-file.ts'
import { namedProfileFolder } from './browser/profile.ts'
import { PagehandError } from './errors.ts'
import { openSession } from './session.ts'
import { scopeStorageState } from './storage/storage-scope.ts'
import type { StorageState } from './storage/storage-state.ts'

/**
 * Where a person logs in, and what is stored.
 *
 * @example
 * const options: LoginOptions = { url: 'https://shop.example/login', profile: 'work' }
 */
export interface LoginOptions {
  /** the page to begin with */
  readonly url: string
  /** the named profile that keeps the login; created if there is none */
  readonly profile: string
  /**
   * Encrypts the stored login. The browser then keeps no profile folder: the encrypted file is all that is stored.
   * @default none
   */
  readonly key?: string
  /**
   * Stores only what belongs to these origins.
   * @default everything that the window has visited
   */
  readonly origins?: readonly string[]
  readonly launch?: Omit<LaunchOptions, 'profileDir'>
}

/**
 * What was stored.
 *
 * @example
 * const { file, cookies }: LoginReport = await window.save()
 */
export interface LoginReport {
  readonly file: string
  readonly cookies: number
  /** the origins with stored data */
  readonly origins: number
  /** the window was closed first, so that only cookies could be read */
  readonly cookiesOnly: boolean
  readonly isEncrypted: boolean
}

/**
 * The open window.
 *
 * @example
 * const window: LoginWindow = await openLogin({ url, profile: 'work' })
 * await window.closed
 * console.log(await window.save())
 */
export interface LoginWindow {
  /** resolves when the person has closed the window */
  readonly closed: Promise<void>
  /** whether the browser saves what it visits in a profile that was there before, also if the window is canceled */
  readonly keepsProfile: boolean
  /** stores the login and closes the window */
  save(): Promise<LoginReport>
  /** closes the window without storing a login, and removes a profile that was created for it */
  cancel(): Promise<void>
}

/** how often cookies and URLs are read, in case that the window is closed next */
const pollMs = 500

/**
 * Opens a browser window at a URL, for a person to log in.
 *
 * @example
 * const window = await openLogin({ url: 'https://shop.example/login', profile: 'work' })
 * await window.closed
 * await window.save()
 */
export async function openLogin({ url, profile, key, origins, launch: options }: LoginOptions): Promise<LoginWindow> {
  const folder = await namedProfileFolder(profile, { create: true })
  const isNew = (await readdir(folder)).length === 0
  const removeNew = () => (isNew ? rm(folder, { recursive: true, force: true, maxRetries: 5 }) : undefined)
  const browser = await launch({ headless: false, ...options, ...(key === undefined && { profileDir: folder }) }).catch(
    async (error: Error) => {
      await removeNew()
      throw error
    },
  )
  const { connection } = browser
  const visited = new Set<string>()
  let cookies: StorageState['cookies'] = []
  let isClosed = false
  const poll = async () => {
    const current = await connection.send('Storage.getCookies')
    const { targetInfos } = await connection.send('Target.getTargets')
    const pages = targetInfos.filter(({ type }) => type === 'page')
    for (const page of pages) if (/^https?:/.test(page.url)) visited.add(new URL(page.url).origin)
    // Chrome drops session cookies with its last window, so those of a closed one are not the login
    if (pages.length > 0) cookies = current.cookies
    return pages.length > 0
  }
  const watch = async () => {
    while (!isClosed && (await poll())) await new Promise(resolve => setTimeout(resolve, pollMs).unref())
    isClosed = true
  }
  const first = (await connection.send('Target.getTargets')).targetInfos.find(({ type }) => type === 'page')
  await connection.send('Target.createTarget', { url })
  if (first) await connection.send('Target.closeTarget', { targetId: first.targetId })
  const closed = watch().catch(() => {
    isClosed = true // the browser has exited
  })

  const readState = async (): Promise<StorageState> => {
    const report = [...visited].map(origin => ({ origin, localStorage: 0, indexedDB: 0, missing: 'the window was closed' }))
    if (isClosed) return { cookies, origins: [], report }
    await poll()
    await using session = await openSession({ browser, isolated: false })
    return { ...(await session.storageState({ origins: [...visited] })), cookies }
  }
  return {
    closed,
    keepsProfile: key === undefined && !isNew,
    async save() {
      const cookiesOnly = isClosed
      try {
        const everything = await readState()
        const state = origins ? scopeStorageState(everything, origins) : everything
        if (state.cookies.length + state.origins.length === 0)
          throw new PagehandError('invalid_input', say`There is nothing to store: the window has no cookies and no stored data.`)
        const file = await saveLogin(folder, { savedAt: new Date().toISOString(), url, state }, key)
        return { file, cookies: state.cookies.length, origins: state.origins.length, cookiesOnly, isEncrypted: key !== undefined }
      } finally {
        isClosed = true
        await browser.close()
      }
    },
    async cancel() {
      isClosed = true
      await browser.close()
      await removeNew()
    },
  }
}

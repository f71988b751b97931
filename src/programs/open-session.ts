import type { DeviceName } from '../contract/devices.ts'
import { messageOf } from '../contract/error-message.ts'
import { failure, isFailureCode } from '../contract/failures.ts'
import { quoted, say } from '../contract/message.ts'
import { toFailure } from '../contract/pagehand-error.ts'
import { PagehandError } from '../drivers/cdp/errors.ts'
import type { SessionOptions } from '../drivers/cdp/options.ts'
import { openSession } from '../drivers/cdp/session.ts'
import { defaultRoots } from '../drivers/cdp/storage/allowed-paths.ts'
import { scopeStorageState } from '../drivers/cdp/storage/storage-scope.ts'
import type { StorageState } from '../drivers/cdp/storage/storage-state.ts'
import { readStorageState } from '../drivers/cdp/storage/storage-state-file.ts'
import { secretsFromEnvironment, secretsFromFile } from '../drivers/secret-sources.ts'
import { isUserBrowser, type OpenOptions, type OpenSession, parseSize } from '../surfaces/flags/session-flags.ts'
import { userBrowser } from './user-browser.ts'

/** The secrets of the environment and of a file. Throws if the file cannot be used. */
export const readSecrets = (file: string | undefined) => ({ ...secretsFromEnvironment(), ...(file !== undefined && secretsFromFile(file)) })

/** encrypts and decrypts stored logins */
export const loginKey = (): string | undefined => process.env.PAGEHAND_LOGIN_KEY || undefined

function readState(file: string, origins: readonly string[] | undefined): StorageState {
  const state = readStorageState(file, loginKey())
  return origins ? scopeStorageState(state, origins) : state
}

/** The options of `openSession` for the flags of a program. Throws if a value is invalid or a file cannot be used. */
export function toSessionOptions(options: OpenOptions): SessionOptions {
  const { headed, window, device, userAgent, profile, attach, proxy, allowEval = false, secrets, hosts } = options
  const { folder, fileRoot, uploadRoot, downloads, storageState, storageOrigin, isolated } = options
  const key = loginKey()
  const viewport = window === undefined ? undefined : parseSize(window)
  if (viewport === null) throw new PagehandError('invalid_input', say`${quoted(window)} is not a size such as 1280x720.`)
  return {
    allowEval,
    secrets: readSecrets(secrets),
    fileRoots: fileRoot ?? defaultRoots(folder),
    // without a folder a model chooses the files, not a person at a command line: nothing is sent unless a folder is named
    uploadRoots: uploadRoot ?? (folder === undefined ? [] : defaultRoots(folder)),
    launch: { headless: !headed },
    ...(hosts && { hosts }),
    ...(proxy !== undefined && { proxy: { server: proxy } }),
    ...(viewport && { viewport }),
    ...(device !== undefined && { device: device as DeviceName }),
    ...(userAgent !== undefined && { userAgent }),
    ...(downloads !== undefined && { downloads: { folder: downloads } }),
    ...(key !== undefined && { loginKey: key }),
    ...(isolated !== undefined && { isolated }),
    ...(storageState !== undefined && { storageState: readState(storageState, storageOrigin) }),
    ...(isUserBrowser(options)
      ? { profile: 'chrome', attach: { ...(attach !== undefined && { endpoint: attach }), keepConnection: true } }
      : profile !== undefined && { profile, createProfile: true }),
  }
}

/** The options of `openSession` for the flags of a program, with the browser of the user if they ask for it. `client` is shown to the user. */
export async function findSessionOptions(options: OpenOptions, client: string): Promise<SessionOptions> {
  const session = toSessionOptions(options)
  const needsSearch = isUserBrowser(options) && options.attach === undefined
  return needsSearch ? { ...session, attach: { ...session.attach, ...(await userBrowser(client)) } } : session
}

const startHint = 'Only the user can change this: pass the message on, then try again.'

/** Opens a browser session for a program. Returns a failure instead of throwing. `client` is shown to the user of a browser that is shared. */
export const openFor =
  (client: string): OpenSession =>
  async options => {
    try {
      const { run, close } = await openSession(await findSessionOptions(options, client))
      return { ok: true, data: { run, close } }
    } catch (error) {
      if (error instanceof PagehandError && isFailureCode(error.code)) return { ok: false, error: toFailure(error) }
      // no page is open yet: this is a message of pagehand or of the system
      return {
        ok: false,
        error: { ...failure('not_running', say`the browser did not start: ${quoted(messageOf(error), 500)}`), hint: startHint },
      }
    }
  }

import { quoted, say } from '../../contract/message.ts'
import { exportState, readLogin } from './browser/login-file.ts'
import { namedProfileFolder } from './browser/profile.ts'
import { PagehandError } from './errors.ts'
import { scopeStorageState } from './storage/storage-scope.ts'

interface LoginExport {
  readonly profile: string
  /** the file to create */
  readonly file: string
  /** @default everything that is stored */
  readonly origins?: readonly string[]
  readonly key?: string
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv
}

/** Writes the stored login of a profile into a file that another session can begin with (`--storage-state`). An encrypted login stays encrypted. */
export async function exportLogin({ profile, file, origins, key, env = process.env }: LoginExport) {
  const login = readLogin(await namedProfileFolder(profile, { env }), key)
  if (!login)
    throw new PagehandError(
      'invalid_input',
      say`The profile ${quoted(profile, 64)} has no stored login. Log in first: pagehand login URL --profile NAME.`,
    )
  const state = origins ? scopeStorageState(login.state, origins) : login.state
  await exportState(file, state, login.isSealed ? key : undefined)
  return { file, cookies: state.cookies.length, origins: state.origins.length, cookiesOnly: false, isEncrypted: login.isSealed }
}

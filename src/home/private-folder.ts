// Where pagehand keeps files of a user. Every folder here is entered by its owner only: another user who could write to one could have
// files removed, read screenshots, or put a browser or a socket there.
import { lstatSync, mkdirSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The folder for what is kept: named profiles, runs and grants. `PAGEHAND_HOME`, or `pagehand` in the data folder of the platform. This only
 * names the folder; `createPrivateFolder` creates and checks it.
 */
export function homeFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.PAGEHAND_HOME) return env.PAGEHAND_HOME
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? homedir(), 'pagehand')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'pagehand')
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'pagehand')
}

/**
 * The folder for what is removed again: temporary profiles, copies of uploads, screenshots, the socket. It is in the temporary folder and not
 * in the home folder, because Chromium keeps its shared memory there, and because a socket's path has at most 107 characters.
 */
export const temporaryFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  env.PAGEHAND_HOME ? join(env.PAGEHAND_HOME, 'tmp') : join(env.TMPDIR || tmpdir(), `pagehand-${process.getuid?.() ?? 'user'}`)

/** The shortest private folder, for sockets whose path in `temporaryFolder` would be too long; undefined on Windows, which has none. */
export const shortTemporaryFolder = (): string | undefined => (process.getuid ? `/tmp/pagehand-${process.getuid()}` : undefined)

/** Creates `temporaryFolder`. If another user has taken its name in the shared temporary folder, a folder in `homeFolder` replaces it. */
export function createTemporaryRoot(env: NodeJS.ProcessEnv = process.env): string {
  if (!env.PAGEHAND_HOME)
    try {
      return createPrivateFolder(temporaryFolder(env))
    } catch {
      /* it is not ours, or not writable */
    }
  return createPrivateFolder(join(createPrivateFolder(homeFolder(env)), 'tmp'))
}

/** Creates a folder that only this user can enter, unless it exists. Throws if it belongs to another user, or others can enter it. */
export function createPrivateFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  assertPrivate(folder)
  return folder
}

/** Throws unless only this user can enter the folder. A link is not a folder: its target could be replaced. */
export function assertPrivate(folder: string): void {
  const uid = process.getuid?.()
  if (uid === undefined) return // Windows: these folders belong to the user anyway
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} belongs to another user, or other users can enter it: remove it, run chmod 700, or set PAGEHAND_HOME`)
}

import { lstatSync } from 'node:fs'
import { version } from '../../version.ts'

export interface DaemonPaths {
  /** null on Windows, where pipes are not files */
  readonly folder: string | null
  readonly socket: string
  /** contains the process id of the daemon, so that a client can name a daemon that does not answer; null on Windows */
  readonly pidFile: string | null
}

/** Where the daemon of this user listens: in a folder that only its owner can enter, under a name that changes with the version. */
export function daemonPaths(env: NodeJS.ProcessEnv = process.env, platform = process.platform): DaemonPaths {
  if (platform === 'win32') return { folder: null, pidFile: null, socket: `\\\\.\\pipe\\pagehand-${version}-${pipeOwner(env)}` }
  const folder =
    env.PAGEHAND_RUNTIME_DIR ??
    (env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/pagehand` : `${env.TMPDIR ?? '/tmp'}/pagehand-${process.getuid?.() ?? 0}`)
  return { folder, pidFile: `${folder}/${version}.pid`, socket: `${folder}/${version}.sock` }
}

/** Pipes have no folder to keep users and PAGEHAND_RUNTIME_DIRs apart, so their name does; it is case-insensitive, at most 256 characters. */
const pipeOwner = ({ USERDOMAIN = '', USERNAME = '', PAGEHAND_RUNTIME_DIR = '' }: NodeJS.ProcessEnv): string =>
  [USERDOMAIN, USERNAME, PAGEHAND_RUNTIME_DIR]
    .map(each => each.toLowerCase().replace(/[^a-z0-9.-]/g, letter => `_${letter.charCodeAt(0).toString(16)}_`))
    .join('~')
    .slice(-200)

/** Throws if another user could have created the socket, or could use it. */
export function assertPrivate(folder: string | null): void {
  if (folder === null) return
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} belongs to another user, or other users can enter it: remove it, or set PAGEHAND_RUNTIME_DIR`)
}

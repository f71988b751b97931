import { temporaryFolder } from '../../../home/private-folder.ts'
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
  const ofSession = env.PAGEHAND_HOME || !env.XDG_RUNTIME_DIR ? temporaryFolder(env) : `${env.XDG_RUNTIME_DIR}/pagehand`
  const folder = env.PAGEHAND_RUNTIME_DIR ?? ofSession
  return { folder, pidFile: `${folder}/${version}.pid`, socket: `${folder}/${version}.sock` }
}

/** macOS allows 103 bytes, Linux 107 */
const maxSocketPath = 103

/** Throws if the path is too long. Node would cut it off, and the socket would be in another folder, which others may be able to enter. */
export function assertSocketPath({ folder, socket }: DaemonPaths): void {
  if (folder !== null && Buffer.byteLength(socket) > maxSocketPath)
    throw new Error(`${socket} is too long for a socket: set PAGEHAND_RUNTIME_DIR to a folder with a shorter path`)
}

/** Pipes have no folder to keep users and homes apart, so their name does; it is case-insensitive, at most 256 characters. */
const pipeOwner = ({ USERDOMAIN = '', USERNAME = '', PAGEHAND_RUNTIME_DIR, PAGEHAND_HOME }: NodeJS.ProcessEnv): string =>
  [USERDOMAIN, USERNAME, PAGEHAND_RUNTIME_DIR ?? PAGEHAND_HOME ?? '']
    .map(each => each.toLowerCase().replace(/[^a-z0-9.-]/g, letter => `_${letter.charCodeAt(0).toString(16)}_`))
    .join('~')
    .slice(-200)

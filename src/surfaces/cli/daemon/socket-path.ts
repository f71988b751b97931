import { lstatSync } from 'node:fs'

declare const __VERSION__: string
export const version = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0'

interface Place {
  /** null where sockets lie in no folder */
  readonly folder: string | null
  readonly socket: string
}

/** Where the host of this user listens: a folder that only its owner may enter, and a name that changes with the version. */
export function hostPlace(env: NodeJS.ProcessEnv = process.env, platform = process.platform): Place {
  if (platform === 'win32') return { folder: null, socket: `\\\\.\\pipe\\pagehand-${version}-${whose(env)}` }
  const folder =
    env.PAGEHAND_RUNTIME_DIR ??
    (env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/pagehand` : `${env.TMPDIR ?? '/tmp'}/pagehand-${process.getuid?.() ?? 0}`)
  return { folder, socket: `${folder}/${version}.sock` }
}

/** A pipe of Windows has no folder around it, so its name keeps users and folders apart; it has 256 characters, and knows no case. */
const whose = ({ USERDOMAIN = '', USERNAME = '', PAGEHAND_RUNTIME_DIR = '' }: NodeJS.ProcessEnv): string =>
  [USERDOMAIN, USERNAME, PAGEHAND_RUNTIME_DIR]
    .map(each => each.toLowerCase().replace(/[^a-z0-9.-]/g, letter => `_${letter.charCodeAt(0).toString(16)}_`))
    .join('~')
    .slice(-200)

/** Whether nobody else can have put something into the folder; who else could would read along. */
export function isOurs(folder: string | null): boolean {
  if (folder === null) return true
  const found = lstatSync(folder)
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
}

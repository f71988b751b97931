import { lstatSync } from 'node:fs'

declare const __VERSION__: string
export const version = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0'

/** Where the host of this user listens: a folder that only its owner may enter, and a name that changes with the version. */
export function hostPlace(env: NodeJS.ProcessEnv = process.env): { readonly folder: string | null; readonly socket: string } {
  if (process.platform === 'win32') {
    const user = (env.USERNAME ?? 'user').replace(/[^\w-]/g, '_')
    return { folder: null, socket: `\\\\.\\pipe\\pagehand-${user}-${version}` }
  }
  const folder =
    env.PAGEHAND_RUNTIME_DIR ??
    (env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/pagehand` : `${env.TMPDIR ?? '/tmp'}/pagehand-${process.getuid?.() ?? 0}`)
  return { folder, socket: `${folder}/${version}.sock` }
}

/** Whether nobody else can have put something into the folder; who else could would read along. */
export function isOurs(folder: string | null): boolean {
  if (folder === null) return true
  const found = lstatSync(folder)
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
}

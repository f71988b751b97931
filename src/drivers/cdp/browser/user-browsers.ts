// What can be known about the user's own browsers without connecting to them: a connection may show a dialog.
import { existsSync } from 'node:fs'
import { readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { homeFolder } from '../../../home/private-folder.ts'
import { processState } from '../../../home/process-identity.ts'
import { PagehandError } from '../errors.ts'
import { probePort, readActivePort, userDataFolders } from './endpoint.ts'
import { readLogin, type StoredLogin } from './login-file.ts'
import { namesIn } from './profile.ts'

/** A browser of the user. */
export interface UserBrowser {
  /** its user data folder; undefined if only its port is known */
  readonly folder: string | undefined
  /** its main version, as far as its folder or its port tells */
  readonly version: number | undefined
  readonly isRunning: boolean
  readonly port: number | undefined
  /** open: accepts connections; asks: asks its user first; off: has no debugging port; other: another program answers at the port */
  readonly debugging: 'open' | 'asks' | 'off' | 'other'
}

/** The browsers with a user data folder in its usual place, and one that answers at the default port. */
export async function findUserBrowsers({ port = 9222, env = process.env } = {}): Promise<readonly UserBrowser[]> {
  const found = await Promise.all(
    userDataFolders(env)
      .filter(folder => existsSync(folder))
      .map(folder => inspectFolder(folder)),
  )
  if (found.some(each => each.port === port)) return found
  const answer = await probePort(port)
  if (!answer) return found
  // a browser that asks has written its port into its folder
  const debugging = answer.debugging === 'asks' ? 'other' : answer.debugging
  return [...found, { folder: undefined, isRunning: true, port, version: answer.version, debugging }]
}

async function inspectFolder(folder: string): Promise<UserBrowser> {
  const version = Number.parseInt(await readFile(join(folder, 'Last Version'), 'utf8').catch(() => ''), 10) || undefined
  const isRunning = await isLocked(folder)
  const written = Number((await readActivePort(folder))?.port) || undefined
  // the file remains when the browser exits
  const answer = written === undefined ? undefined : await probePort(written)
  if (!answer) return { folder, version, isRunning, port: undefined, debugging: 'off' }
  return { folder, isRunning: true, port: written, debugging: answer.debugging, version: answer.version ?? version }
}

/** Chromium's lock is a link to "host-pid". */
async function isLocked(folder: string): Promise<boolean> {
  const [, host = '', pid] = /^(.*)-(\d+)$/.exec(await readlink(join(folder, 'SingletonLock')).catch(() => '')) ?? [] // no lock
  return pid !== undefined && processState({ host, pid: Number(pid), started: '' }) !== 'dead'
}

/** A named profile. */
export interface NamedProfile {
  readonly name: string
  /** locked: encrypted, and the key is missing or wrong */
  readonly login: StoredLogin | 'locked' | undefined
  readonly isRunning: boolean
}

/** The named profiles of this user. */
export async function listProfiles({
  key,
  env = process.env,
}: {
  key?: string | undefined
  env?: NodeJS.ProcessEnv
} = {}): Promise<readonly NamedProfile[]> {
  const folder = join(homeFolder(env), 'profiles')
  return Promise.all(
    namesIn(folder).map(async name => ({ name, login: loginOf(join(folder, name), key), isRunning: await isLocked(join(folder, name)) })),
  )
}

function loginOf(folder: string, key: string | undefined): StoredLogin | 'locked' | undefined {
  try {
    return readLogin(folder, key)
  } catch (error) {
    if (error instanceof PagehandError) return 'locked'
    throw error
  }
}

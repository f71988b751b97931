import { existsSync, readdirSync, rmSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quoted, say, term } from '../../../contract/message.ts'
import { assertPrivate, createPrivateFolder, createTemporaryRoot, homeFolder, shortTemporaryFolder } from '../../../home/private-folder.ts'
import { currentProcess, type ProcessIdentity, parseProcessIdentity, processState } from '../../../home/process-identity.ts'
import { PagehandError } from '../errors.ts'

/** temporary: a new, empty folder per session; chrome: a browser that is already running */
export const builtInProfiles = ['temporary', 'chrome'] as const

const ownerFile = 'pagehand-owner.json'
/** profiles, and the copies of files that a session uploads */
const temporaryName = /^(profile|uploads|downloads)-/

/** The folder of a named profile. Unless `create` is set it must exist, so that a mistyped name does not create one. */
export async function namedProfileFolder(name: string, { create = false, env = process.env } = {}): Promise<string> {
  const folder = join(homeFolder(env), 'profiles')
  const known = new Set([...builtInProfiles, ...namesIn(folder)])
  if (!/^[\w][\w.-]{0,63}$/.test(name) || !(create || known.has(name)))
    throw new PagehandError(
      'unknown_profile',
      say`There is no profile ${quoted(name, 64)}. There are: ${term([...known].sort().join(', '))}.`,
    )
  const path = join(folder, name)
  createPrivateFolder(homeFolder(env))
  await mkdir(path, { recursive: true, mode: 0o700 })
  return path
}

/** An empty folder in the private folder of this user, with a file that names the process to which it belongs. */
export async function createTemporaryFolder(kind: 'profile' | 'uploads' | 'downloads', root = createTemporaryRoot()): Promise<string> {
  const folder = await mkdtemp(join(root, `${kind}-`))
  await writeFile(join(folder, ownerFile), JSON.stringify(currentProcess()))
  return folder
}

/**
 * Removes temporary profiles, uploads and held downloads of processes that were killed. A folder whose owner may be alive, or is unknown, is kept; so is a folder that
 * another user made or can write to: removing it could follow links that this user puts there.
 */
export async function removeStaleProfiles(): Promise<void> {
  const roots = [createTemporaryRoot(), ...[shortTemporaryFolder() ?? []].flat().filter(isPrivate)]
  const lists = await Promise.all(
    [...new Set(roots)].map(async root => (await readdir(root)).map(name => ({ name, folder: join(root, name) }))),
  )
  await Promise.all(
    lists.flat().map(async ({ name, folder }) => {
      if (!temporaryName.test(name)) return
      if (!(await isOurs(folder))) return
      const owner = await ownerOf(folder)
      if (owner ? processState(owner) === 'dead' : await isAbandoned(folder))
        await rm(folder, { recursive: true, force: true, maxRetries: 2 }).catch(() => {}) // another process may be removing it too
    }),
  )
}

/** Locks a profile for this process; returns the function that unlocks it. Fails with `profile_in_use`, which names the owner. */
export async function claimProfile(folder: string): Promise<() => void> {
  const file = join(folder, ownerFile)
  await mkdir(folder, { recursive: true })
  for (let attempt = 0; attempt < 3; attempt++) {
    await refuseOwner(folder) // first: it names the process that started the browser, and the lock of Chromium names the browser
    await refuseForeignLock(folder)
    try {
      await writeFile(file, JSON.stringify(currentProcess()), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    await refuseOwner(folder)
    await rm(file, { force: true })
  }
  throw new PagehandError('profile_in_use', say`The profile ${quoted(folder, 500)} is being claimed by several processes at the same time.`)
}

async function refuseOwner(folder: string): Promise<void> {
  const owner = await ownerOf(folder)
  if (owner && processState(owner) !== 'dead') throw inUseError(folder, owner)
}

/** Chromium's own lock, a link to "host-pid". It remains if Chromium is killed, and keeps a browser on another host from starting. */
async function refuseForeignLock(folder: string): Promise<void> {
  const target = await readlink(join(folder, 'SingletonLock')).catch(() => '') // most profiles have no lock
  const match = /^(.*)-(\d+)$/.exec(target)
  if (!match) return
  const owner = { host: match[1] ?? '', pid: Number(match[2]), started: '' }
  if (processState(owner) !== 'dead') throw inUseError(folder, owner)
  for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie']) await rm(join(folder, name), { force: true })
}

function inUseError(folder: string, owner: ProcessIdentity): PagehandError {
  const message = say`The profile ${quoted(folder, 500)} is used by process ${owner.pid}`
  if (processState(owner) !== 'other-host') return new PagehandError('profile_in_use', say`${message}.`)
  return new PagehandError(
    'profile_in_use',
    say`${message} on ${quoted(owner.host)}. If that machine no longer uses it, remove ${ownerFile} and SingletonLock from the folder.`,
  )
}

async function ownerOf(folder: string): Promise<ProcessIdentity | undefined> {
  return parseProcessIdentity(await readFile(join(folder, ownerFile), 'utf8').catch(() => '')) // not written yet, or a profile of another program
}

/** An empty folder that is older than a minute: its owner was killed before it could write its file. */
async function isAbandoned(folder: string): Promise<boolean> {
  const minute = 60_000
  try {
    return (await readdir(folder)).length === 0 && Date.now() - (await stat(folder)).mtimeMs > minute
  } catch {
    return false // removed meanwhile
  }
}

/** Made by `mkdtemp` of this user, in the private folder: other users can neither change nor replace it. */
async function isOurs(folder: string): Promise<boolean> {
  if (process.getuid === undefined) return true // Windows has a temporary folder per user
  try {
    const { uid, mode } = await lstat(folder)
    return uid === process.getuid() && (mode & 0o170_777) === 0o040_700
  } catch {
    return false // removed in the meantime
  }
}

const isPrivate = (folder: string): boolean => {
  try {
    assertPrivate(folder)
    return true
  } catch {
    return false // it does not exist, or belongs to another user
  }
}

/** The names of the entries of a folder. */
export const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

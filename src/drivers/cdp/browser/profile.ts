import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PagehandError } from '../errors.ts'
import { currentProcess, type ProcessIdentity, parseProcessIdentity, processState } from './process-identity.ts'

/** the profile of nobody (a new folder per session), and the browser that somebody has running */
export const builtIn = ['openclaw', 'chrome'] as const

const ownerFile = 'pagehand-owner.json'
const sandboxName = 'pagehand-profile-'

/** The folder of a profile that has a name of its own. Names are listed by the host, or have a folder from before: a typing error makes none. */
export async function namedProfile(name: string, { listed = [] as readonly string[], env = process.env } = {}): Promise<string> {
  const folder = join(dataFolder(env), 'profiles')
  const known = new Set([...builtIn, ...listed, ...namesIn(folder)])
  if (!/^[\w][\w.-]{0,63}$/.test(name) || !known.has(name))
    throw new PagehandError(
      'unknown_profile',
      `There is no profile ${JSON.stringify(name.slice(0, 64))}. There are: ${[...known].sort().join(', ')}.`,
    )
  const path = join(folder, name)
  await mkdir(path, { recursive: true, mode: 0o700 })
  return path
}

/** An empty folder for one browser, with the name of its owner in it. */
export async function sandboxProfile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), sandboxName))
  await writeFile(join(folder, ownerFile), JSON.stringify(currentProcess()))
  return folder
}

/** Removes what processes that were killed have left behind; a folder whose owner may live, or is not known, stays. */
export async function sweepProfiles(): Promise<void> {
  const folders = (await readdir(tmpdir())).filter(name => name.startsWith(sandboxName))
  await Promise.all(
    folders.map(async name => {
      const folder = join(tmpdir(), name)
      const owner = await ownerOf(folder)
      if (owner ? processState(owner) === 'dead' : await isForgotten(folder))
        await rm(folder, { recursive: true, force: true, maxRetries: 2 }).catch(() => {}) // another process may be at it too
    }),
  )
}

/** Takes a kept profile for this process; returns what gives it back. Throws `profile_in_use` naming whoever has it. */
export async function claimProfile(folder: string): Promise<() => void> {
  const file = join(folder, ownerFile)
  await mkdir(folder, { recursive: true })
  for (let attempt = 0; attempt < 3; attempt++) {
    await refuseForeignLock(folder)
    try {
      await writeFile(file, JSON.stringify(currentProcess()), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = await ownerOf(folder)
    if (owner && processState(owner) !== 'dead') throw inUse(folder, owner)
    await rm(file, { force: true })
  }
  throw new PagehandError('profile_in_use', `The profile ${folder} is being taken by other processes at the same time.`)
}

/** Chromium's own lock: a link to "host-pid". It is left behind by a kill, and a browser on another host refuses to start because of it. */
async function refuseForeignLock(folder: string): Promise<void> {
  const target = await readlink(join(folder, 'SingletonLock')).catch(() => '') // most have none
  const found = /^(.*)-(\d+)$/.exec(target)
  if (!found) return
  const owner = { host: found[1] ?? '', pid: Number(found[2]), started: '' }
  if (processState(owner) !== 'dead') throw inUse(folder, owner)
  for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie']) await rm(join(folder, name), { force: true })
}

function inUse(folder: string, owner: ProcessIdentity): PagehandError {
  const who = processState(owner) === 'elsewhere' ? `process ${owner.pid} on ${owner.host}` : `process ${owner.pid}`
  const way =
    processState(owner) === 'elsewhere' ? ` If that machine does not use it any more, remove ${ownerFile} and SingletonLock there.` : ''
  return new PagehandError('profile_in_use', `The profile ${folder} is used by ${who}.${way}`)
}

async function ownerOf(folder: string): Promise<ProcessIdentity | undefined> {
  return parseProcessIdentity(await readFile(join(folder, ownerFile), 'utf8').catch(() => '')) // not written yet, or not ours
}

/** nobody's name in it, nothing else in it, and not from just now: its owner was killed before it could write */
async function isForgotten(folder: string): Promise<boolean> {
  const minute = 60_000
  try {
    return (await readdir(folder)).length === 0 && Date.now() - (await stat(folder)).mtimeMs > minute
  } catch {
    return false // gone
  }
}

function dataFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? homedir(), 'pagehand')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'pagehand')
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'pagehand')
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

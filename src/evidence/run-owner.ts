import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '../contract/message.ts'
import { PagehandError } from '../contract/pagehand-error.ts'
import { currentProcess, parseProcessIdentity, processState } from '../home/process-identity.ts'

/**
 * Takes a run for this process; returns the function that gives it back. Fails with `run_in_use` while another owner lives.
 *
 * Owners are numbered files, and the highest number is the owner. A new owner creates the next number exclusively, so that of two processes
 * that find a dead owner only one succeeds; the last file is never removed, so that a number is never used twice. Files hold the start time
 * of their process: an owner that was killed has no effect, even if its pid is used again.
 */
export async function claimRun(folder: string): Promise<() => Promise<void>> {
  const owners = join(folder, 'owner')
  await mkdir(owners, { recursive: true, mode: 0o700 })
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const last = await lastOwner(owners)
    if (last > 0) await refuseLiving(owners, last)
    const mine = join(owners, `${last + 1}`)
    if (!(await createExclusively(mine, JSON.stringify(currentProcess())))) continue
    // a slower process may have created a number that was removed in the meantime
    if ((await lastOwner(owners)) > last + 1) {
      await rm(mine, { force: true })
      continue
    }
    for (const name of await readdir(owners)) if (Number(name) <= last) await rm(join(owners, name), { force: true })
    return () => replaceFile(mine, released)
  }
  throw new PagehandError('run_in_use', say`Several processes are opening this run at the same time.`)
}

/** Whether a living process, or one on another machine, has the run. */
export async function isOwned(folder: string): Promise<boolean> {
  const owners = join(folder, 'owner')
  const last = await lastOwner(owners)
  return last > 0 && (await livingOwner(owners, last)) !== undefined
}

const maxAttempts = 20
const released = 'released'

async function lastOwner(owners: string): Promise<number> {
  const names = await readdir(owners).catch(() => []) // a run of an older version has no such folder
  return Math.max(0, ...names.map(Number).filter(Number.isInteger))
}

async function refuseLiving(owners: string, number: number): Promise<void> {
  const owner = await livingOwner(owners, number)
  if (owner) throw new PagehandError('run_in_use', say`Process ${owner.pid} works on this run.`)
}

async function livingOwner(owners: string, number: number) {
  const owner = parseProcessIdentity(await readFile(join(owners, `${number}`), 'utf8').catch(() => '')) // removed by the next owner
  return owner && processState(owner) !== 'dead' ? owner : undefined
}

/** Creates a file with its content at once; false if it exists. */
export async function createExclusively(file: string, content: string): Promise<boolean> {
  const temporary = await writeTemporary(file, content)
  try {
    await link(temporary, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await rm(temporary, { force: true })
  }
}

async function replaceFile(file: string, content: string): Promise<void> {
  await rename(await writeTemporary(file, content), file)
}

let temporaryFiles = 0
async function writeTemporary(file: string, content: string): Promise<string> {
  const temporary = `${file}.${process.pid}-${++temporaryFiles}-${performance.now().toString(36).replace('.', '')}.tmp`
  await writeFile(temporary, content, { mode: 0o600, flag: 'wx', flush: true })
  return temporary
}

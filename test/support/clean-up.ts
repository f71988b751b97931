import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endGroup } from './processes.ts'

/**
 * Global setup of the browser tests: all temporary files are in one folder, and at the end of the run the folder and every Chromium that
 * a worker has noted there are removed. A worker thread is torn down without an exit event, so it cannot clean up itself.
 */
export default async function cleanUp(): Promise<() => Promise<void>> {
  const before = process.env.TMPDIR
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-run-'))
  process.env.TMPDIR = folder // inherited by the workers, which start later
  return async () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    const pids = (await readdir(folder)).flatMap(name => /^running-(\d+)$/.exec(name)?.[1] ?? [])
    await Promise.all(pids.map(pid => endGroup(Number(pid))))
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

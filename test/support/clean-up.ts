import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endGroup } from './processes.ts'

/**
 * Global setup of the browser tests: all temporary files are in one folder, and at the end of the run the folder and every Chromium that
 * a worker has noted there are removed. A worker thread is torn down without an exit event, so it cannot clean up itself. Projects that run
 * together share the folder of the first one.
 */
export default async function cleanUp(): Promise<() => Promise<void>> {
  if (process.env.PAGEHAND_TEST_FOLDER) return async () => {}
  const before = { TMPDIR: process.env.TMPDIR, XDG_DATA_HOME: process.env.XDG_DATA_HOME, PAGEHAND_TEST_FOLDER: undefined }
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-run-'))
  // inherited by the workers, which start later; runs and profiles of tests are not those of the user
  Object.assign(process.env, { TMPDIR: folder, XDG_DATA_HOME: join(folder, 'data'), PAGEHAND_TEST_FOLDER: folder })
  return async () => {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    const pids = (await readdir(folder)).flatMap(name => /^running-(\d+)$/.exec(name)?.[1] ?? [])
    await Promise.all(pids.map(pid => endGroup(Number(pid))))
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

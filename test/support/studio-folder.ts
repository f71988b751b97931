import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'

const cache = fileURLToPath(new URL('../../dist/studio-dev/empty-database-0.5.14', import.meta.url))

/** A temporary data folder of a studio. Creating an embedded database takes seconds, so that an empty one is copied. */
export async function studioFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-studio-test-'))
  await fillDatabase(join(folder, 'database'))
  return folder
}

/** Puts an empty database into a folder, as `openDatabase` would create it. */
export async function fillDatabase(folder: string): Promise<void> {
  if (!(await stat(cache).catch(() => undefined))) {
    const draft = `${cache}-${randomBytes(4).toString('hex')}`
    await mkdir(draft, { recursive: true })
    await (await PGlite.create(draft)).close()
    await rename(draft, cache).catch(() => rm(draft, { recursive: true, force: true })) // another process was faster
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await cp(cache, join(folder, 'pg'), { recursive: true })
}

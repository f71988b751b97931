import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rowsPage } from './pages.mjs'
import { progress } from './progress.mjs'

const host = fileURLToPath(new URL('many-host.mjs', import.meta.url))

/** What 1, 10 and 50 sessions in one browser cost, and what they leave behind. */
export async function manyOf({ environment }, site) {
  site.show(rowsPage(40).html)
  const done = []
  for (const count of [1, 10, 50]) {
    progress(`${count} sessions in one browser`)
    const { env, folder } = environment()
    const { stdout } = await promisify(execFile)(process.execPath, [host, String(count), site.url], { env: { ...env, TMPDIR: folder } })
    done.push(JSON.parse(stdout))
  }
  return done
}

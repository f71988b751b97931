import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rowsPage } from './pages.mjs'
import { progress } from './progress.mjs'

const worker = fileURLToPath(new URL('many-worker.mjs', import.meta.url))

/** The cost of 1, 10 and 50 sessions in one browser, and what they leave behind. */
export async function manyOf({ environment }, site) {
  site.show(rowsPage(40).html)
  const results = []
  for (const count of [1, 10, 50]) {
    progress(`${count} sessions in one browser`)
    const { env, folder } = environment()
    const { stdout } = await promisify(execFile)(process.execPath, [worker, String(count), site.url], { env: { ...env, TMPDIR: folder } })
    results.push(JSON.parse(stdout))
  }
  return results
}

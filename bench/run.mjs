// `npm run bench`: the cost of a snapshot, ours and Playwright's, alternating in one Chromium.
// --json prints JSON, --quick measures less, --write updates docs/bench.md.
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { openBrowser } from './browser.mjs'
import { growthOf } from './growth.mjs'
import { corpusPages, rowsPages } from './pages.mjs'
import { progress } from './progress.mjs'
import { documentOf, reportOf } from './report.mjs'
import { openSite } from './site.mjs'
import { judge } from './targets.mjs'
import { versionsOf } from './versions.mjs'
import { visit } from './visit.mjs'
import { countRight } from './web-platform-tests.mjs'

const { values: options } = parseArgs({ options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, write: { type: 'boolean' } } })
if (options.quick && options.write) throw new TypeError('--write needs a full run; remove --quick')

const load = [loadavg()[0]]
const site = await openSite()
const browser = await openBrowser()
try {
  const setup = { browser, site }
  const rows = await each(rowsPages(options), page => visit(setup, page))
  progress('growth')
  const growth = await growthOf(setup, rowsPages(options))
  const corpus = await each(corpusPages(options), page => visit(setup, page))
  const webPlatformTests = await countRight(setup)
  load.push(loadavg()[0])
  const measured = { versions: versionsOf(browser), machine: { cores: cpus().length, load }, rows, growth, corpus, webPlatformTests }
  const result = { ...measured, targets: judge(measured) }

  if (options.write) await writeFile(new URL('../docs/bench.md', import.meta.url), documentOf(result))
  process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : reportOf(result))
} finally {
  progress('')
  await browser.close()
  site.close()
}

/** One after the other, because two at once would disturb each other. */
async function each(pages, work) {
  const results = []
  for (const page of pages) {
    progress(page.name)
    results.push(await work(page))
  }
  return results
}

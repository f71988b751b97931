// `npm run bench`: what a look at a page costs, ours and Playwright's in turns in one Chromium.
// --json for machines; --quick for a first impression; --write for docs/bench.md
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

const { values: asked } = parseArgs({ options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, write: { type: 'boolean' } } })
if (asked.quick && asked.write) throw new TypeError('--write keeps a whole run; leave out --quick')

const load = [loadavg()[0]]
const site = await openSite()
const browser = await openBrowser()
try {
  const ground = { browser, site }
  const rows = await each(rowsPages(asked), page => visit(ground, page))
  progress('growth')
  const growth = await growthOf(ground, rowsPages(asked))
  const corpus = await each(corpusPages(asked), page => visit(ground, page))
  const webPlatformTests = await countRight(ground)
  load.push(loadavg()[0])
  const measured = { versions: versionsOf(browser), machine: { cores: cpus().length, load }, rows, growth, corpus, webPlatformTests }
  const result = { ...measured, targets: judge(measured) }

  if (asked.write) await writeFile(new URL('../docs/bench.md', import.meta.url), documentOf(result))
  process.stdout.write(asked.json ? `${JSON.stringify(result, null, 2)}\n` : reportOf(result))
} finally {
  progress('')
  await browser.close()
  site.close()
}

/** One after the other: two at once would measure each other. */
async function each(pages, work) {
  const done = []
  for (const page of pages) {
    progress(page.name)
    done.push(await work(page))
  }
  return done
}

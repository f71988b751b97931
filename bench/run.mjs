// `npm run bench`: the cost of a snapshot, ours and Playwright's, alternating in one Chromium.
// --json prints JSON, --quick measures less, --write updates docs/bench.md.

import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openBrowser } from './browser.mjs'
import { growthOf } from './growth.mjs'
import { corpusPages, rowsPages } from './pages.mjs'
import { profileOf } from './profile.mjs'
import { progress } from './progress.mjs'
import { repeatedOf } from './repeated.mjs'
import { documentOf, reportOf } from './report.mjs'
import { openSite } from './site.mjs'
import { judge } from './targets.mjs'
import { versionsOf } from './versions.mjs'
import { visit } from './visit.mjs'
import { countRight } from './web-platform-tests.mjs'

const { values: options } = parseArgs({ options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, write: { type: 'boolean' } } })
if (options.quick && options.write) throw new TypeError('--write needs a full run; remove --quick')

/** small, middle and large ones */
const profiledPages = new Set(['xwiki-admin', 'hacker-news', 'bbc-home', 'zooroyal-product', 'amazon-es-product', 'wikipedia-bob-dylan'])
const load = [loadavg()[0]]
const site = await openSite()
const browser = await openBrowser()
try {
  const setup = { browser, site }
  // Playwright takes a minute for its first snapshot of 100,000 elements
  const rows = await each(rowsPages(options).slice(0, 2), page => visit(setup, page))
  progress('growth')
  const growth = await growthOf(setup, rowsPages(options))
  const corpus = await each(corpusPages(options), page => visit(setup, page))
  const profiled = corpusPages(options).filter(({ name }) => options.quick || profiledPages.has(name))
  const profiles = await each([rowsPages(options)[1], ...profiled], page => profileOf(setup, page))
  progress('repeated')
  const repeated = await repeatedOf(setup, rowsPages(options))
  const webPlatformTests = await countRight(setup)
  load.push(loadavg()[0])
  const measured = {
    versions: versionsOf(browser),
    machine: { cores: cpus().length, load },
    rows,
    growth,
    corpus,
    profiles,
    repeated,
    webPlatformTests,
  }
  const result = { ...measured, targets: judge(measured) }

  if (options.write) await writeFile(new URL('../docs/bench.md', import.meta.url), documentOf(result))
  process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : reportOf(result))
} finally {
  progress('')
  await browser.close()
  site.close()
}

// the recall of elements that react to a click is a program of its own
if (!options.json && !options.quick)
  process.exitCode = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('clickables.mjs', import.meta.url)), ...(options.write ? ['--write'] : [])],
    {
      stdio: 'inherit',
    },
  ).status

/** One after the other, because two at once would disturb each other. */
async function each(pages, work) {
  const results = []
  for (const page of pages) {
    progress(page.name)
    results.push(await work(page))
  }
  return results
}

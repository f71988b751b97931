import { AgentBrowser } from '../dist/index.js'
import { inTab, open } from './browser.mjs'
import { median, mostRounds, ours } from './measure.mjs'

/** Our time per element. The pages are measured in turns; otherwise a change of the load would look like growth. */
export function growthOf({ browser, site }, pages) {
  return inTab(browser, AgentBrowser.getScript(), async first => {
    const tabs = []
    for (const { name, html } of pages) {
      const page = await first.context().newPage()
      tabs.push({ name, page, elements: await open(page, site, html), snapshots: [] })
    }
    for (const { page } of tabs) await ours(page)
    for (let round = 0; round < mostRounds; round++) for (const { page, snapshots } of tabs) snapshots.push(await ours(page))
    return tabs.map(perElement)
  })
}

function perElement({ name, elements, snapshots }) {
  const each = ms => (1_000 * ms) / elements
  return {
    page: name,
    scriptUs: each(median(snapshots.map(({ stats }) => stats.elapsedMs))),
    wholeUs: each(median(snapshots.map(({ ms }) => ms))),
  }
}

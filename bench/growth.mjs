import { AgentBrowser } from '../dist/index.js'
import { inTab, open } from './browser.mjs'
import { median, mostRounds, ours } from './measure.mjs'

/** Our time per element, the pages in turns: measured one after the other, a change of load would look like growth. */
export function growthOf({ browser, site }, pages) {
  return inTab(browser, AgentBrowser.getScript(), async first => {
    const tabs = []
    for (const { name, html } of pages) {
      const page = await first.context().newPage()
      tabs.push({ name, page, elements: await open(page, site, html), looks: [] })
    }
    for (const { page } of tabs) await ours(page)
    for (let round = 0; round < mostRounds; round++) for (const { page, looks } of tabs) looks.push(await ours(page))
    return tabs.map(perElement)
  })
}

function perElement({ name, elements, looks }) {
  const each = ms => (1_000 * ms) / elements
  return { page: name, scriptUs: each(median(looks.map(({ stats }) => stats.elapsedMs))), wholeUs: each(median(looks.map(({ ms }) => ms))) }
}

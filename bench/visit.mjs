import { AgentBrowser } from '../dist/index.js'
import { inTab } from './browser.mjs'
import { measure } from './measure.mjs'
import { recallOf } from './recall.mjs'

/** Opens one page in a tab of its own, measures it, and asks what of it can be used. */
export function visit({ browser, site }, { name, html }) {
  return inTab(browser, AgentBrowser.getScript(), async page => {
    site.show(html)
    await page.goto(site.url, { timeout: 0 })
    await drawn(page)
    const elements = await page.evaluate('document.querySelectorAll("*").length')
    const { figures, shown } = await measure(page)
    return { page: name, elements, htmlChars: html.length, ...figures, recall: await recallOf(page, shown) }
  })
}

// the first layout is the page's own cost, not that of whoever looks first
const drawn = page => page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))')

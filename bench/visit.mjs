import { AgentBrowser } from '../dist/index.js'
import { inTab, open } from './browser.mjs'
import { measureInPage } from './in-page.mjs'
import { measure } from './measure.mjs'
import { recallOf } from './recall.mjs'

/** Opens one page in a new tab, measures snapshots of it and counts its usable controls. */
export async function visit(setup, { name, html }) {
  const { browser, site } = setup
  const inPage = await measureInPage(setup, { html })
  return inTab(browser, AgentBrowser.getScript(), async page => {
    const elements = await open(page, site, html)
    const { figures, shown } = await measure(page)
    return { page: name, elements, htmlChars: html.length, inPage, ...figures, recall: await recallOf(page, shown) }
  })
}

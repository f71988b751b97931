import { chromium } from 'playwright-core'
import { findBrowser } from '../dist/browser.js'

/** The browser that pagehand would launch, driven by Playwright so that both use the same transport. */
export async function openBrowser() {
  const { executablePath, libraryPath, fontsFile } = await findBrowser()
  const env = { ...process.env }
  if (libraryPath) env.LD_LIBRARY_PATH = [libraryPath, env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  if (fontsFile) env.FONTCONFIG_FILE ??= fontsFile
  return chromium.launch({
    executablePath,
    env,
    chromiumSandbox: process.getuid?.() !== 0, // Chromium does not start with a sandbox as root
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'], // the pages refer to hundreds of other hosts
  })
}

/** Runs `work` in a new tab, with `script` injected into every document before the page's own scripts. */
export async function inTab(browser, script, work) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } })
  try {
    await context.addInitScript(script)
    return await work(await context.newPage())
  } finally {
    await context.close()
  }
}

/** Opens the HTML in the tab and returns its number of elements. */
export async function open(page, site, html) {
  site.show(html)
  await page.goto(site.url, { timeout: 0 })
  // the first layout is the page's own cost and must not count for the first snapshot
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))')
  return page.evaluate('document.querySelectorAll("*").length')
}

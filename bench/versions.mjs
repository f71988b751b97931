import { readFileSync } from 'node:fs'

export const versionsOf = browser => ({
  pagehand: versionIn('../package.json'),
  playwright: versionIn('../node_modules/playwright-core/package.json'),
  chromium: browser.version(),
  node: process.versions.node,
})

const versionIn = path => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { inTab } from './browser.mjs'
import { hasCorpus, readCorpus } from './corpus.mjs'
import { progress } from './progress.mjs'

/** The number of names and roles of web-platform-tests that our engine and Playwright's get right; undefined without a corpus. */
export async function countRight(setup) {
  if (!hasCorpus) return undefined
  const script = await engine()
  return { names: await count(setup, script, names), roles: await count(setup, script, roles) }
}

const names = {
  what: 'names',
  // the manual suite is compared by people
  cases: () => casesOf('accname.json').filter(({ suite }) => suite !== 'accname-manual'),
  ours: 'nameOf',
  theirs: 'to.have.accessible.name',
  isRight: (name, { expectedName }) => collapse(name) === collapse(expectedName),
}

const roles = {
  what: 'roles',
  cases: () => casesOf('roles.json'),
  ours: 'roleOf',
  theirs: 'to.have.role',
  isRight: (role, { acceptedRoles }) => acceptedRoles.map(canonical).includes(canonical(role)),
}

const casesOf = file => JSON.parse(readCorpus(file)).cases.filter(({ tentative }) => !tentative)
const collapse = text => text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '')
// ARIA has two names for each of these roles
const canonical = role => ({ image: 'img', presentation: 'none' })[role] ?? role

// exposes the engine's role and name of any element; a snapshot omits elements that are of no use
async function engine() {
  const entry = fileURLToPath(new URL('../test/support/names-entry.ts', import.meta.url))
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'iife', write: false })
  return outputFiles[0].text
}

function count({ browser, site }, script, { what, cases, ours, theirs, isRight }) {
  return inTab(browser, script, async page => {
    const right = { ours: 0, theirs: 0, of: 0 }
    for (const each of cases()) {
      progress(`${what} of web-platform-tests, ${++right.of}`)
      site.show(each.html)
      await page.goto(site.url)
      if (isRight(await page.evaluate(`${ours}(document.querySelector('[data-ax-case]'))`), each)) right.ours++
      if (isRight(await askPlaywright(page, theirs), each)) right.theirs++
    }
    return right
  })
}

/** The value that `expect(locator).toHaveRole()` and similar assertions compare with. It is only returned on failure, so the comparison is made to fail. */
async function askPlaywright(page, question) {
  const never = { expectedText: [{ string: '\0' }], timeout: 1 }
  const { received } = await page.locator('[data-ax-case]')._expect(question, never)
  return received.value
}

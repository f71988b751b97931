import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { inTab } from './browser.mjs'
import { hasCorpus, readCorpus } from './corpus.mjs'
import { progress } from './progress.mjs'

/** How many names and roles of web-platform-tests ours and Playwright's get right; undefined where the corpus is missing. */
export async function countRight(ground) {
  if (!hasCorpus) return undefined
  const script = await engine()
  return { names: await count(ground, script, names), roles: await count(ground, script, roles) }
}

const names = {
  what: 'names',
  // the other suite is for people who compare by eye
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
// ARIA has two words for each of these
const canonical = role => ({ image: 'img', presentation: 'none' })[role] ?? role

// the engine's answers about one element, which no snapshot gives for elements without use
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

/** What `expect(locator).toHaveRole()` and its sisters compare with; told when the comparison fails, so it is made to fail. */
async function askPlaywright(page, question) {
  const never = { expectedText: [{ string: '\0' }], timeout: 1 }
  const { received } = await page.locator('[data-ax-case]')._expect(question, never)
  return received.value
}

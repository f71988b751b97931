import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import vm from 'node:vm'

/**
 * The script that Playwright injects, as source text that sets `globalThis.playwrightEngine`. Its package does not export it, so it is read
 * from the bundle, where it is one string literal.
 */
export function playwrightEngine() {
  const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
  const bundle = readFileSync(join(folder, 'lib/coreBundle.js'), 'utf8')
  const start = bundle.indexOf('generated/injectedScriptSource.ts"() {')
  const [, literal] = /^\s*source\d+ = ('.*');$/m.exec(bundle.slice(start, start + 2_000_000)) ?? []
  if (start < 0 || !literal) throw new Error('The injected script of Playwright was not found in its bundle')
  const source = vm.runInNewContext(literal)
  const options = {
    sdkLanguage: 'javascript',
    testIdAttributeName: 'data-testid',
    stableRafCount: 1,
    browserName: 'chromium',
    customEngines: [],
  }
  return `globalThis.playwrightEngine = (() => { const module = {}; ${source}; return new (module.exports.InjectedScript())(globalThis, ${JSON.stringify(options)}) })(), undefined`
}

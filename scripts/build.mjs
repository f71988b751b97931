// Builds what is published: the injected script (one IIFE), the same script as a string for the host library, and the library itself.
// `--page` stops after the script: the checks need no more.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { minify } from 'terser'
import { mangledNames } from './mangled-names.mjs'
import { buildPrograms } from './programs.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const pageOnly = process.argv.includes('--page')
if (!pageOnly) rmSync('dist', { recursive: true, force: true })
mkdirSync('dist', { recursive: true })

const mangled = new RegExp(`^(${mangledNames.join('|')})$`)

writeFileSync('dist/agent-browser.js', await script('agent-browser'))
writeFileSync('dist/agent-eyes.js', await script('agent-eyes'))
writeFileSync(
  'src/webview/script.js',
  `// made by scripts/build.mjs from src/injected\nexport const script = ${JSON.stringify(readFileSync('dist/agent-browser.js', 'utf8').trimEnd())}\n`,
)

const driverScripts = {
  script: await trusted(),
  causes: await causes(),
  findShadowHosts: await pageFunction('closed-shadow-roots', 'findShadowHosts'),
  drawRefs: await pageFunction('draw-refs', 'drawRefs'),
  saveStorage: await pageFunction('storage', 'saveStorage'),
  restoreStorage: await pageFunction('storage', 'restoreStorage'),
}
writeFileSync(
  'src/drivers/cdp/script.js',
  `// made by scripts/build.mjs from src/injected\n${Object.entries(driverScripts)
    .map(([name, source]) => `export const ${name} = ${JSON.stringify(source)}\n`)
    .join('')}`,
)

if (!pageOnly) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  copyFileSync('src/webview/script.js', 'dist/webview/script.js')
  copyFileSync('src/webview/script.d.ts', 'dist/webview/script.d.ts')
  copyFileSync('src/drivers/cdp/script.js', 'dist/drivers/cdp/script.js')
  copyFileSync('src/drivers/cdp/script.d.ts', 'dist/drivers/cdp/script.d.ts')
  writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licencesOf(await buildPrograms('dist')))
  chmodSync('dist/cli.js', 0o755)
}

/** One IIFE, to be injected as it is. */
async function script(entry) {
  const { outputFiles } = await build({
    entryPoints: [`src/injected/entries/${entry}.ts`],
    inject: ['src/injected/runtime/language.ts'],
    bundle: true,
    write: false,
    minifySyntax: true,
    format: 'iife',
    // Chromium 80, Safari 13.1, Firefox 74: the oldest WebViews that are still met
    target: ['es2020'],
    define: { __VERSION__: JSON.stringify(version) },
    logLevel: 'warning',
  })
  const { code } = await minify(outputFiles[0].text, {
    ecma: 2020,
    toplevel: true,
    compress: { ecma: 2020, passes: 5, hoist_funs: true, unsafe_arrows: true, pure_getters: true, keep_fargs: false, inline: 1 },
    mangle: { properties: { regex: mangled, builtins: true } },
    format: { ascii_only: true },
  })
  return `${code}\n`
}

/** For an isolated world, where nobody counts bytes, and in which names are called from outside. */
async function trusted() {
  const { outputFiles } = await build({
    entryPoints: ['src/injected/entries/isolated-world.ts'],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: ['es2022'],
    define: { __VERSION__: JSON.stringify(version) },
    logLevel: 'warning',
  })
  return outputFiles[0].text.trimEnd()
}

/** A function to be called on an element, or on the window: it watches the page that it is in. */
async function causes() {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { trackTimers } from "./timer-tracker.ts"\nexport const watch = (self, all) => trackTimers(self.ownerDocument?.defaultView ?? self, all)`,
      resolveDir: 'src/injected/entries',
    },
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'causes',
    target: ['es2022'],
    logLevel: 'warning',
  })
  return `function(all){${outputFiles[0].text.trimEnd()}return causes.watch(this,all)}`
}

/** A function of src/injected/entries as a function expression, to be called with JSON arguments. */
async function pageFunction(entry, name) {
  const { outputFiles } = await build({
    entryPoints: [`src/injected/entries/${entry}.ts`],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'exported',
    target: ['es2022'],
    logLevel: 'warning',
  })
  return `function(){${outputFiles[0].text.trimEnd()}return exported.${name}(...arguments)}`
}

/** the licences of what is inside go along */
function licencesOf(inputs) {
  const packages = new Set(inputs.flatMap(file => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))
  return [...packages]
    .sort()
    .map(name => `${name}\n\n${readFileSync(licenceOf(name), 'utf8').trim()}\n`)
    .join('\n----\n\n')
}

function licenceOf(name) {
  const folder = `node_modules/${name}`
  const file = readdirSync(folder).find(each => /^licen[cs]e/i.test(each))
  if (!file) throw new Error(`${name} has no licence file`)
  return `${folder}/${file}`
}

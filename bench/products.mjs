import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrowser } from '../dist/browser.js'
import { markName, runProgram } from './processes.mjs'

const require = createRequire(new URL('peers/package.json', import.meta.url))
export const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

/** The products, all with the browser that pagehand would launch and an empty home folder. Call `remove` at the end. */
export async function openProducts() {
  const { executablePath, libraryPath, fontsFile } = await findBrowser()
  const folder = mkdtempSync(join(tmpdir(), 'pagehand-bench-'))
  const root = process.getuid?.() === 0 // Chromium does not start with a sandbox as root
  /** Each start has its own mark, so that leftover processes are attributed correctly. */
  let starts = 0
  const environment = () => {
    const mark = `${process.pid}-${++starts}`
    const own = join(folder, mark)
    mkdirSync(own, { mode: 0o700 }) // the daemon refuses folders that others can access
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      [markName]: mark,
      PAGEHAND_CHROME: executablePath,
      PAGEHAND_RUNTIME_DIR: own,
      CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1',
      AGENT_BROWSER_SOCKET_DIR: own,
      AGENT_BROWSER_EXECUTABLE_PATH: executablePath,
      ...(root && { AGENT_BROWSER_ARGS: '--no-sandbox' }),
      ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }),
      ...(fontsFile && { FONTCONFIG_FILE: fontsFile }),
    }
    return { env, mark, folder: own }
  }
  const products = [pagehand(), playwright({ executablePath, folder, root }), devtools({ executablePath, root }), agentBrowser()]
  return {
    executablePath,
    environment,
    products,
    /** All versions, in one line. */
    versions: async () => {
      const { text } = await runProgram([executablePath, '--version'], environment().env)
      // a script that starts the browser may print warnings too
      const browser = text.split('\n').find(line => /^(Chrom|Google Chrome)/.test(line)) ?? text
      return [...products.map(({ name, version }) => `${name} ${version}`), browser, `Node ${process.versions.node}`].join(', ')
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A product: how its server is started, the equivalent calls, and how to find the ref of a button in its text. */
const pagehand = () => ({
  name: 'pagehand',
  version: versionIn(fileURLToPath(new URL('../package.json', import.meta.url))),
  server: [process.execPath, cli, 'mcp'],
  open: url => ['web_open', { url }],
  snapshot: () => ['web_snapshot', {}],
  click: ref => ['web_click', { ref }],
  refOf: refInBrackets,
})

const playwright = ({ executablePath, folder, root }) => ({
  ...peer('@playwright/mcp'),
  server: [
    process.execPath,
    binOf('@playwright/mcp'),
    ...['--headless', '--isolated', '--executable-path', executablePath, '--output-dir', join(folder, 'playwright')],
    ...(root ? ['--no-sandbox'] : []),
  ],
  open: url => ['browser_navigate', { url }],
  snapshot: () => ['browser_snapshot', {}],
  click: ref => ['browser_click', { target: ref }],
  refOf: refInBrackets,
})

const devtools = ({ executablePath, root }) => ({
  ...peer('chrome-devtools-mcp'),
  server: [
    process.execPath,
    binOf('chrome-devtools-mcp'),
    ...['--headless', '--isolated', '--executablePath', executablePath, '--no-usage-statistics', '--no-performance-crux'],
    ...(root ? ['--chromeArg=--no-sandbox'] : []),
  ],
  open: url => ['navigate_page', { pageId: 1, type: 'url', url }],
  snapshot: () => ['take_snapshot', { pageId: 1 }],
  click: ref => ['click', { pageId: 1, uid: ref }],
  /** One call for both. */
  clickAndSnapshot: ref => ['click', { pageId: 1, uid: ref, includeSnapshot: true }],
  refOf: (text, name) => new RegExp(`uid=(\\S+) button "${name}"`).exec(text)?.[1],
})

const agentBrowser = () => ({
  ...peer('agent-browser'),
  server: [agentBrowserBinary(), 'mcp'],
  open: url => ['agent_browser_open', { url }],
  snapshot: () => ['agent_browser_snapshot', {}],
  click: ref => ['agent_browser_click', { selector: `@${ref}` }],
  // its browser belongs to a separate process, which does not exit with the server
  close: () => ['agent_browser_close', {}],
  refOf: refInBrackets,
})

const refInBrackets = (text, name) => new RegExp(`button "${name}"[^\\n]*\\bref=(\\w+)`).exec(text)?.[1]

const peer = name => ({ name, version: versionIn(require.resolve(`${name}/package.json`)) })

const versionIn = file => JSON.parse(readFileSync(file, 'utf8')).version

export function binOf(name) {
  const file = require.resolve(`${name}/package.json`)
  const { bin } = JSON.parse(readFileSync(file, 'utf8'))
  return join(dirname(file), typeof bin === 'string' ? bin : (bin[name] ?? Object.values(bin)[0]))
}

/** The native program that its install script puts into the PATH. Through Node.js it would need two processes. */
export function agentBrowserBinary() {
  const { platform, arch } = process
  const file = join(dirname(binOf('agent-browser')), `agent-browser-${platform}-${arch}${platform === 'win32' ? '.exe' : ''}`)
  try {
    accessSync(file, constants.X_OK)
  } catch {
    chmodSync(file, 0o755) // npm does not keep the file mode; the install script, which did not run, does the same
  }
  return file
}

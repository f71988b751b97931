import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { messageOf } from '../../contract/error-message.ts'
import type { AnyRun } from '../../contract/run.ts'
import { toSentence } from '../../contract/text.ts'
import { parseOptions } from '../flags/parse-options.ts'
import { stderr, stdout } from '../terminal.ts'
import { version } from '../version.ts'
import { daemonPaths } from './daemon/socket-path.ts'

/** What the checks need of the browser driver, which a surface does not import. */
export interface DoctorDriver {
  /** rejects if there is no browser */
  findBrowser(): Promise<{ readonly executablePath: string; readonly from: string }>
  openSession(): Promise<AsyncDisposable & { readonly run: AnyRun; status(): { readonly [fact: string]: unknown } }>
  /** the user's own browsers, found without connecting to them */
  userBrowsers(): Promise<readonly UserBrowserState[]>
  profiles(): Promise<readonly ProfileState[]>
  relay(): Promise<RelayState>
}

interface RelayState {
  readonly isRunning: boolean
  readonly isPaired: boolean
  /** the extension is connected */
  readonly isConnected: boolean
  /** the folder of the extension */
  readonly extension: string
}

interface UserBrowserState {
  readonly folder: string | undefined
  readonly version: number | undefined
  readonly isRunning: boolean
  readonly port: number | undefined
  readonly debugging: 'open' | 'asks' | 'off' | 'other'
}

interface ProfileState {
  readonly name: string
  readonly isRunning: boolean
  /** when the login was stored, or undefined */
  readonly savedAt: string | undefined
  readonly isEncrypted: boolean
  /** encrypted, and the key is missing or wrong */
  readonly isLocked: boolean
  /** domains whose cookies have ended */
  readonly expired: readonly string[]
}

/** the version of @sparticuz/chromium that the tests use */
export const chromiumVersion = '153.0.0'

/** The result of one check. */
interface CheckResult {
  readonly check: string
  readonly ok: boolean
  /** it works, but not as well as it could */
  readonly warning?: true
  readonly message: string
  /** what to do about it */
  readonly next?: string
}

/** `pagehand doctor` */
export async function doctor(words: readonly string[], driver: DoctorDriver): Promise<number> {
  const parsed = parseOptions(words, { json: { type: 'boolean' } })
  if (!parsed.ok || parsed.positionals.length > 0)
    return usageError(parsed.ok ? `unexpected argument ${parsed.positionals[0]}` : parsed.why)
  const browser = await checkBrowser(driver)
  const findings = [
    checkNode(),
    browser,
    ...(browser.ok ? await checkStart(driver) : []),
    checkDisplay(),
    ...(await driver.userBrowsers()).map(describeUserBrowser),
    describeRelay(await driver.relay()),
    ...(await driver.profiles()).map(describeProfile),
    await checkFonts(),
    daemonFinding(),
  ]
  const isOk = findings.every(({ ok }) => ok)
  if (parsed.options.json) stdout.write(JSON.stringify({ ok: isOk, version, findings }))
  else {
    stdout.write(`pagehand ${version}`)
    findings.forEach(writeFinding)
  }
  await new Promise<void>(done => stdout.write('\n', done))
  return isOk ? 0 : 1
}

function usageError(why: string): number {
  stderr.write(`pagehand: ${toSentence(why)} Run: pagehand help doctor\n`)
  return 2
}

function writeFinding({ check, ok, warning, message, next }: CheckResult): void {
  stdout.write('\n')
  if (!ok) stdout.writeColored(31, 'fix ')
  else if (warning) stdout.writeColored(33, 'warn')
  else stdout.writeColored(32, 'ok  ')
  stdout.write(` ${check}: ${message}${next ? `\n     ${next}` : ''}`)
}

function checkNode(): CheckResult {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const ok = major > 20 || (major === 20 && minor >= 19)
  return { check: 'Node', ok, message: process.versions.node, ...(!ok && { next: 'pagehand needs Node 20.19 or newer.' }) }
}

const reasons: { readonly [from: string]: string } = {
  executablePath: 'it was given as executablePath',
  PAGEHAND_CHROME: 'PAGEHAND_CHROME is set to it',
  installed: 'it is installed on this machine',
  '@sparticuz/chromium': 'no other browser was found; it comes from the npm package @sparticuz/chromium',
}

async function checkBrowser({ findBrowser }: DoctorDriver): Promise<CheckResult> {
  try {
    const { executablePath, from } = await findBrowser()
    return { check: 'browser', ok: true, message: `${executablePath}, because ${reasons[from] ?? from}` }
  } catch (error) {
    return { check: 'browser', ok: false, message: messageOf(error), next: 'Run: pagehand install' }
  }
}

/** A browser that was found may be too old, or may not start. */
async function checkStart({ openSession }: DoctorDriver): Promise<CheckResult[]> {
  try {
    await using session = await openSession()
    const { browser, sandbox } = session.status()
    await readTestPage(session.run).catch(error => {
      throw new Error(`${browser} starts, but its pages cannot be read: ${messageOf(error)}`)
    })
    return [
      { check: 'start', ok: true, message: `${browser} starts, and its pages can be read` },
      {
        check: 'sandbox',
        ok: true,
        message: sandbox ? 'on' : 'off, because this user is root: only the browser itself separates pages from this machine',
        ...(!sandbox && { warning: true as const, next: 'Run as another user to turn it on.' }),
      },
    ]
  } catch (error) {
    const next = 'Set PAGEHAND_CHROME to a Chrome, Chromium or Edge 147 or newer that starts on this machine.'
    return [{ check: 'start', ok: false, message: messageOf(error), next }]
  }
}

/** Opens a page of a local server and takes a snapshot of it. */
async function readTestPage(run: AnyRun): Promise<void> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<button>Seen</button>'))
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    for (const command of [{ name: 'open', url }, { name: 'snapshot' }]) {
      const result = await run(command)
      if (!result.ok) throw new Error(result.error.message)
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function checkFonts(): Promise<CheckResult> {
  try {
    const { stdout } = await promisify(execFile)('fc-list', [':lang=zh', 'family'], { timeout: 10_000 })
    const count = stdout.trim() === '' ? 0 : stdout.trim().split('\n').length
    if (count > 0) return { check: 'fonts', ok: true, message: `${count} with Chinese characters` }
    return {
      check: 'fonts',
      ok: true,
      warning: true,
      message: 'none with Chinese characters: snapshots contain the text, but screenshots show boxes',
      next: 'On Debian: apt install fonts-noto-cjk',
    }
  } catch {
    const message = process.platform === 'linux' ? 'fontconfig is not installed; only screenshots need it' : 'those of the system'
    return { check: 'fonts', ok: true, message }
  }
}

/** `--headed` and `pagehand login` show a window. */
function checkDisplay(): CheckResult {
  const isMissing = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY
  const message = isMissing ? 'no display, so --headed and pagehand login cannot show a window' : 'a window can be shown'
  return { check: 'display', ok: true, message, ...(isMissing && { next: 'Set DISPLAY, or import a login with --storage-state FILE.' }) }
}

/** The first version with the switch at chrome://inspect. */
const minAskingVersion = 144

function describeUserBrowser({ folder, version, isRunning, port, debugging }: UserBrowserState): CheckResult {
  const name = `${folder ?? `port ${port}`}${version === undefined ? '' : `, version ${version}`}`
  const result = (state: string, next: string, warning = false): CheckResult => ({
    check: 'own browser',
    ok: true,
    message: `${name}: ${state}`,
    next,
    ...(warning && { warning: true as const }),
  })
  const use = folder === undefined || port === 9222 ? '--profile chrome' : `--attach ${folder}`
  if (debugging === 'open') return result(`accepts connections at port ${port}`, `Run: pagehand open URL ${use}`)
  if (debugging === 'asks')
    return result(
      `remote debugging is on at port ${port}, and it asks before each connection`,
      `Run: pagehand open URL ${use}; then click Allow.`,
    )
  if (debugging === 'other')
    return result(`another program answers at port ${port}`, 'Name the endpoint of your browser: --attach ENDPOINT', true)
  if (version !== undefined && version < minAskingVersion)
    return result(
      'it is too old to be used with its own profile',
      `Update it to version ${minAskingVersion}, or run: pagehand login URL --profile NAME`,
    )
  const start = isRunning ? 'it is running, and remote debugging is off' : 'it is not running'
  return result(start, 'To use it, open chrome://inspect/#remote-debugging in it and turn on remote debugging (docs/your-own-chrome.md).')
}

function describeRelay({ isRunning, isPaired, isConnected, extension }: RelayState): CheckResult {
  const check = 'extension'
  if (!isRunning) {
    const next = `To lend tabs of your Chrome, load ${extension} at chrome://extensions (Developer mode, Load unpacked), then run: pagehand relay`
    return { check, ok: true, message: 'the relay is not running; --profile chrome starts it if the extension was paired', next }
  }
  if (!isPaired)
    return {
      check,
      ok: true,
      message: 'the relay is running, but no extension is paired',
      next: `Load ${extension} at chrome://extensions, click its icon and enter the code that pagehand relay shows.`,
    }
  if (!isConnected)
    return {
      check,
      ok: true,
      warning: true,
      message: 'it is paired, but not connected',
      next: 'Start Chrome, or click the pagehand icon in its toolbar.',
    }
  return {
    check,
    ok: true,
    message: 'it is paired and connected',
    next: 'Click its icon in a tab to lend the tab, then run: pagehand open URL --profile chrome',
  }
}

function describeProfile({ name, isRunning, savedAt, isEncrypted, isLocked, expired }: ProfileState): CheckResult {
  const renew = `Run: pagehand login URL --profile ${name}`
  const facts = [
    savedAt === undefined && !isLocked ? 'no login was stored by hand' : '',
    savedAt === undefined ? '' : `${isEncrypted ? 'encrypted ' : ''}login of ${savedAt.slice(0, 10)}`,
    isLocked ? 'its login is encrypted or damaged, and PAGEHAND_LOGIN_KEY does not open it' : '',
    expired.length > 0 ? `expired for ${expired.slice(0, 3).join(', ')}` : '',
    isRunning ? 'in use' : '',
  ].filter(Boolean)
  const next = isLocked ? `Set PAGEHAND_LOGIN_KEY, or log in again. ${renew}` : expired.length > 0 ? renew : ''
  return { check: `profile ${name}`, ok: true, message: facts.join(', '), ...(next && { next, warning: true as const }) }
}

const daemonFinding = (): CheckResult => ({ check: 'daemon', ok: true, message: `uses the socket ${daemonPaths().socket}` })

/** `pagehand install`: installs a browser next to this package if none is found. Nothing else downloads one. */
export async function install(words: readonly string[], driver: DoctorDriver): Promise<number> {
  if (words.length > 0) {
    stderr.write(`pagehand: unexpected argument ${words[0]}. Run: pagehand help install\n`)
    return 2
  }
  const browser = await checkBrowser(driver)
  if (browser.ok) {
    stdout.write(`nothing to do: ${browser.message}\n`)
    return 0
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    stderr.write('Install Chrome, Chromium or Edge, or set PAGEHAND_CHROME to one. Then run: pagehand doctor\n')
    return 1
  }
  const folder = installFolder()
  // the tested version, and no scripts of its dependencies: nothing else may run or change on the user's machine
  const npmWords = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `@sparticuz/chromium@${chromiumVersion}`]
  stderr.write(`npm ${npmWords.join(' ')} in ${folder}\n`)
  const { status } = spawnSync('npm', npmWords, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) return 1
  // in a new process, because this one has cached that the package is missing
  const check = spawnSync(process.execPath, [fileURLToPath(new URL('./cli.js', import.meta.url)), 'doctor'], { stdio: 'inherit' })
  return check.status ?? 1
}

/** The folder whose node_modules contains this package, because that is where it looks for its peer dependency. */
function installFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const at = here.lastIndexOf(`${sep}node_modules${sep}`)
  return at < 0 ? process.cwd() : here.slice(0, at)
}

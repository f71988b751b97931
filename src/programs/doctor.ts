import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { messageOf } from '../contract/error-message.ts'
import type { AnyRun } from '../contract/run.ts'
import { findBrowser } from '../drivers/cdp/browser/find.ts'
import { openSession } from '../drivers/cdp/session.ts'
import { daemonPaths } from '../surfaces/cli/daemon/socket-path.ts'
import { version } from '../surfaces/version.ts'

/** One thing that was looked at: whether it is well, and what to do where it is not. */
interface Finding {
  readonly what: string
  readonly well: boolean
  readonly says: string
  readonly next?: string
}

/** `pagehand doctor` and `pagehand install` */
export async function run(given: readonly string[]): Promise<number> {
  if (given.includes('--install')) return install()
  const found = await browser()
  const findings = [node(), found, ...(found.well ? await started() : []), await fonts(), host()]
  const text = given.includes('--json')
    ? JSON.stringify({ ok: findings.every(({ well }) => well), version, findings })
    : [`pagehand ${version}`, ...findings.map(line)].join('\n')
  await new Promise(done => process.stdout.write(`${text}\n`, done))
  return findings.every(({ well }) => well) ? 0 : 1
}

// colour only where somebody looks
const paint = (code: number, text: string) => (process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[${code}m${text}\u001b[0m` : text)
const line = ({ what, well, says, next }: Finding): string =>
  `${well ? paint(32, 'ok  ') : paint(31, 'fix ')} ${what}: ${says}${next ? `\n     ${next}` : ''}`

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const well = major > 20 || (major === 20 && minor >= 19)
  return { what: 'Node', well, says: process.versions.node, ...(!well && { next: 'pagehand needs Node 20.19 or newer.' }) }
}

const why = {
  executablePath: 'it was named',
  PAGEHAND_CHROME: 'PAGEHAND_CHROME names it',
  installed: 'it is installed here',
  '@sparticuz/chromium': 'no other was found; it is inside the npm package @sparticuz/chromium',
} as const

async function browser(): Promise<Finding> {
  try {
    const { executablePath, from } = await findBrowser()
    return { what: 'browser', well: true, says: `${executablePath}, because ${why[from]}` }
  } catch (error) {
    return { what: 'browser', well: false, says: messageOf(error), next: 'Run: pagehand install' }
  }
}

/** a browser that is found may still not start, or be too old */
async function started(): Promise<Finding[]> {
  try {
    await using session = await openSession()
    const { browser: product, sandbox } = session.status()
    await seen(session.run).catch(error => {
      throw new Error(`${product} starts, but its pages cannot be seen: ${messageOf(error)}`)
    })
    return [
      { what: 'start', well: true, says: `${product}, and its pages can be seen` },
      {
        what: 'sandbox',
        well: true,
        says: sandbox ? 'on' : 'off, because this user is root: pages are kept apart from this machine by nothing but the browser itself',
        ...(!sandbox && { next: 'Run as another user to have it.' }),
      },
    ]
  } catch (error) {
    return [
      {
        what: 'start',
        well: false,
        says: messageOf(error),
        next: 'Set PAGEHAND_CHROME to Chrome, Chromium or Edge 147 or newer, one that starts on this machine.',
      },
    ]
  }
}

/** opens a page of this machine, and looks at it */
async function seen(run: AnyRun): Promise<void> {
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

async function fonts(): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)('fc-list', [':lang=zh', 'family'], { timeout: 10_000 })
    const many = stdout.trim() === '' ? 0 : stdout.trim().split('\n').length
    if (many > 0) return { what: 'fonts', well: true, says: `${many} with Chinese characters` }
    return {
      what: 'fonts',
      well: true,
      says: 'none with Chinese characters: snapshots read them all the same, pictures show boxes',
      next: 'On Debian: apt install fonts-noto-cjk',
    }
  } catch {
    return {
      what: 'fonts',
      well: true,
      says: process.platform === 'linux' ? 'fontconfig is not installed; only pictures need it' : 'those of the system',
    }
  }
}

const host = (): Finding => ({ what: 'host', well: true, says: daemonPaths().socket })

/** A browser beside this package, where there is none on the machine. Nothing is fetched unless this command is given. */
async function install(): Promise<number> {
  const found = await browser()
  if (found.well) {
    process.stdout.write(`nothing to do: ${found.says}\n`)
    return 0
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    process.stderr.write('Install Chrome, Chromium or Edge, or set PAGEHAND_CHROME to one. Then run: pagehand doctor\n')
    return 1
  }
  const folder = holder()
  process.stderr.write(`npm install @sparticuz/chromium in ${folder}\n`)
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '@sparticuz/chromium'], { cwd: folder, stdio: 'inherit' })
  if (status !== 0) return 1
  // Node remembers for as long as it runs that the package was not there
  const doctor = spawnSync(process.execPath, [fileURLToPath(new URL('./cli.js', import.meta.url)), 'doctor'], { stdio: 'inherit' })
  return doctor.status ?? 1
}

/** the folder whose node_modules holds this package, because that is where it looks for its peer */
function holder(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const at = here.lastIndexOf(`${sep}node_modules${sep}`)
  return at < 0 ? process.cwd() : here.slice(0, at)
}

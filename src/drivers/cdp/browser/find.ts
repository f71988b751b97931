import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, constants, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '../../../contract/error-message.ts'
import { PagehandError } from '../errors.ts'
import { knownLocations } from './locations.ts'
import { cacheFolder, unpack } from './unpack.ts'

export interface BrowserExecutable {
  readonly executablePath: string
  readonly from: 'executablePath' | 'PAGEHAND_CHROME' | 'installed' | '@sparticuz/chromium'
  /** for LD_LIBRARY_PATH of the browser alone, where the system lacks what it needs */
  readonly libraryPath?: string
  /** for FONTCONFIG_FILE of the browser alone */
  readonly fontsFile?: string
}

export interface FindBrowserOptions {
  /** this one and no other */
  readonly executablePath?: string | undefined
  readonly env?: NodeJS.ProcessEnv
  /** false asks for a browser that can show a window */
  readonly headless?: boolean
  readonly platform?: NodeJS.Platform
  readonly arch?: string
  /** where an installed browser may be, the best first */
  readonly places?: readonly string[]
  /** the folder of @sparticuz/chromium, null where it is not installed */
  readonly packageFolder?: string | null
}

/** The one that is named, by argument or by PAGEHAND_CHROME; else an installed browser; else the one inside @sparticuz/chromium. */
export async function findBrowser(given: FindBrowserOptions = {}): Promise<BrowserExecutable> {
  const { env = process.env, headless = true, platform = process.platform, arch = process.arch } = given
  const { places = knownLocations({ env, platform, headless }), packageFolder = resolvePackage() } = given

  if (given.executablePath) return named('executablePath', given.executablePath)
  if (env.PAGEHAND_CHROME) return named('PAGEHAND_CHROME', env.PAGEHAND_CHROME)
  for (const place of places) if (await isExecutable(place)) return { executablePath: place, from: 'installed' }

  const packed = await fromPackage({ env, headless, platform, arch, packageFolder })
  if (typeof packed !== 'string') return packed
  throw new PagehandError(
    'browser_not_found',
    `No browser was found: ${[
      '1. PAGEHAND_CHROME, the path of a browser, is not set',
      `2. an installed Chrome, Chromium or Edge is neither in PATH nor at one of ${places.length} known places`,
      `3. the npm package @sparticuz/chromium: ${packed}`,
    ].join('; ')}`,
  )
}

/** Whoever names a browser wants that one: there is no other way from here. */
async function named(from: 'executablePath' | 'PAGEHAND_CHROME', path: string): Promise<BrowserExecutable> {
  if (await isExecutable(path)) return { executablePath: path, from }
  const reason = existsSync(path) ? 'is not an executable file' : 'does not exist'
  throw new PagehandError(
    'browser_not_found',
    `${from} is set to ${path}, which ${reason}. Correct it, or leave it out to let a browser be found.`,
  )
}

/** The browser of the package, or the reason why there is none. */
async function fromPackage({
  env,
  headless,
  platform,
  arch,
  packageFolder,
}: Required<Omit<FindBrowserOptions, 'places' | 'executablePath'>>): Promise<BrowserExecutable | string> {
  if (platform !== 'linux' || arch !== 'x64') return `it is for Linux on x64, and this is ${platform} on ${arch}.`
  if (!headless) return 'it is not used, because it cannot show a window.'
  if (!packageFolder) return 'it is not installed.'
  try {
    const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
    const { libraryPath, ...unpacked } = await unpack({ bin: join(packageFolder, 'bin'), version, cache: await cacheFolder(env) })
    const found = { ...unpacked, from: '@sparticuz/chromium' } as const
    if ((await whyNotRunning(found.executablePath, env)) === undefined) return found
    const reason = await whyNotRunning(found.executablePath, { ...env, LD_LIBRARY_PATH: libraryPath })
    return reason === undefined ? { ...found, libraryPath } : `it does not run here: ${reason}`
  } catch (error) {
    return `it could not be unpacked: ${messageOf(error)}`
  }
}

// never an import: the package is optional, and importing it changes the environment on some hosts
function resolvePackage(): string | null {
  let folder: string
  try {
    folder = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'))
  } catch {
    return null // not installed
  }
  // its entry lies at another depth in other versions, and its package.json cannot be resolved
  while (!existsSync(join(folder, 'bin', 'chromium.br'))) {
    if (folder === dirname(folder)) return null
    folder = dirname(folder)
  }
  return folder
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false // not there, or not for us
  }
}

async function whyNotRunning(executablePath: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    await promisify(execFile)(executablePath, ['--version'], { env, timeout: 20_000 })
    return undefined
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    return (stderr || message).trim().split('\n')[0]
  }
}

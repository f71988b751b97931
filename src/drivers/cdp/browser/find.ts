import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, constants, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '../../../contract/error-message.ts'
import { quoted, say, term } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import { knownLocations } from './locations.ts'
import { cacheFolder, unpack } from './unpack.ts'

/**
 * A browser that was found, and what it needs in order to start.
 *
 * @example
 * const { executablePath, from }: BrowserExecutable = await findBrowser()
 */
export interface BrowserExecutable {
  readonly executablePath: string
  readonly from: 'executablePath' | 'PAGEHAND_CHROME' | 'installed' | '@sparticuz/chromium'
  /** LD_LIBRARY_PATH for the browser process, if the system lacks libraries */
  readonly libraryPath?: string
  /** FONTCONFIG_FILE for the browser process */
  readonly fontsFile?: string
}

/**
 * Where to look for a browser.
 *
 * @example
 * const options: FindBrowserOptions = { headless: false }
 */
export interface FindBrowserOptions {
  /** use this browser and search for no other */
  readonly executablePath?: string | undefined
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv
  /**
   * `false` finds a browser that can show a window.
   * @default true
   */
  readonly headless?: boolean
  /** @default process.platform */
  readonly platform?: NodeJS.Platform
  /** @default process.arch */
  readonly arch?: string
  /**
   * Paths of installed browsers, best first.
   * @default the usual locations of the platform
   */
  readonly places?: readonly string[]
  /**
   * The folder of @sparticuz/chromium, or null if it is not installed.
   * @default the folder to which the package resolves
   */
  readonly packageFolder?: string | null
}

/**
 * Finds a browser: `executablePath`, else PAGEHAND_CHROME, else an installed browser, else the one in @sparticuz/chromium.
 *
 * @example
 * const { executablePath, from } = await findBrowser()
 */
export async function findBrowser(given: FindBrowserOptions = {}): Promise<BrowserExecutable> {
  const { env = process.env, headless = true, platform = process.platform, arch = process.arch } = given
  const { places = knownLocations({ env, platform, headless }), packageFolder = resolvePackage() } = given

  if (given.executablePath) return requireExecutable('executablePath', given.executablePath)
  if (env.PAGEHAND_CHROME) return requireExecutable('PAGEHAND_CHROME', env.PAGEHAND_CHROME)
  for (const place of places) if (await isExecutable(place)) return { executablePath: place, from: 'installed' }

  const packed = await fromPackage({ env, headless, platform, arch, packageFolder })
  if (typeof packed !== 'string') return packed
  throw new PagehandError(
    'browser_not_found',
    say`No browser was found: ${term(
      [
        '1. PAGEHAND_CHROME, the path of a browser, is not set',
        `2. an installed Chrome, Chromium or Edge is neither in PATH nor at one of ${places.length} known locations`,
        `3. the npm package @sparticuz/chromium: ${packed}`,
      ].join('; '),
    )}`,
  )
}

/** A browser that is named explicitly; if it cannot be used, no other one is searched for. */
async function requireExecutable(from: 'executablePath' | 'PAGEHAND_CHROME', path: string): Promise<BrowserExecutable> {
  if (await isExecutable(path)) return { executablePath: path, from }
  const reason = existsSync(path) ? 'is not an executable file' : 'does not exist'
  throw new PagehandError(
    'browser_not_found',
    say`${from} is set to ${quoted(path, 500)}, which ${reason}. Correct it, or remove it to search for a browser.`,
  )
}

/** The browser in @sparticuz/chromium, or the reason why it cannot be used. */
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

// never imported: the package is optional, and importing it changes the environment on some hosts
function resolvePackage(): string | null {
  let folder: string
  try {
    folder = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'))
  } catch {
    return null // not installed
  }
  // the depth of its entry depends on the version, and its package.json is not exported
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
    return false // it does not exist, or is not executable
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

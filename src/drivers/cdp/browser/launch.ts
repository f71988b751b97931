import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { quoted, say, term } from '../../../contract/message.ts'
import { atExit } from '../../../home/at-exit.ts'
import { createPrivateFolder, shortTemporaryFolder } from '../../../home/private-folder.ts'
import type { CdpConnection } from '../connection/connection.ts'
import { connectPipe } from '../connection/pipe.ts'
import { type EgressProxyOptions, startEgressProxy } from '../egress/proxy.ts'
import { type ProxyOptions, parseProxyOptions } from '../egress/upstream.ts'
import { PagehandError } from '../errors.ts'
import { withTimeout } from '../timeout.ts'
import { type BrowserExecutable, findBrowser } from './find.ts'
import { flags, isProxyFlag, isResolverFlag, mergeFeatures } from './flags.ts'
import { inLaunchTurn } from './launch-turn.ts'
import { claimProfile, createTemporaryFolder, removeStaleProfiles } from './profile.ts'

/**
 * How to launch a browser.
 *
 * @example
 * const options: LaunchOptions = { headless: false, viewport: { width: 1600, height: 900 } }
 */
export interface LaunchOptions {
  /**
   * The browser to start.
   * @default see `findBrowser`
   */
  readonly executablePath?: string
  /** @default true */
  readonly headless?: boolean
  /**
   * Additional command line flags.
   * @default []
   */
  readonly args?: readonly string[]
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv
  /**
   * The user data folder, which is kept.
   * @default an empty folder, which is removed afterwards
   */
  readonly profileDir?: string
  /**
   * Whether Chromium uses its sandbox.
   * @default true, except for root, as which Chromium does not start with a sandbox
   */
  readonly sandbox?: boolean
  /**
   * The size of the window, and the viewport of sessions that set none.
   * @default { width: 1280, height: 720 }
   */
  readonly viewport?: Size
  /**
   * A proxy for all sessions of this browser that have no `proxy` themselves.
   * @default none
   */
  readonly proxy?: ProxyOptions
  /**
   * Whether sessions of this browser may have `hosts` or a `proxy`: WebRTC then sends nothing past the proxy.
   * @default true if `proxy` is set
   */
  readonly proxied?: boolean
}

export interface Size {
  readonly width: number
  readonly height: number
}

/**
 * A browser that was launched.
 *
 * @example
 * await using browser: Chromium = await launch()
 * console.log(browser.product, browser.pid)
 */
export interface Chromium {
  readonly connection: CdpConnection
  /** the executable, and where it was found */
  readonly found: BrowserExecutable
  readonly pid: number
  readonly sandbox: boolean
  readonly headless: boolean
  readonly viewport: Size
  /** name and version, such as HeadlessChrome/147.0.0.0 */
  readonly product: string
  /** the additional command line flags */
  readonly args: readonly string[]
  readonly proxied: boolean
  readonly proxy: ProxyOptions | undefined
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Launches a browser. It also ends when this process does, however that ends.
 *
 * @example
 * await using browser = await launch({ headless: false })
 * await using session = await openSession({ browser })
 */
export const launch = (options: LaunchOptions = {}): Promise<Chromium> =>
  launchWithEgress(options, options.proxy && { upstream: parseProxyOptions(options.proxy) })

/** `egress`: all requests of the browser go through a proxy of this process. Without that proxy the browser does not start. */
export const launchWithEgress = (options: LaunchOptions, egress: EgressProxyOptions | undefined): Promise<Chromium> =>
  inLaunchTurn(() => launchNow(options, egress))

async function launchNow(options: LaunchOptions, egress: EgressProxyOptions | undefined): Promise<Chromium> {
  const { headless = true, env = process.env, viewport = { width: 1280, height: 720 }, proxy } = options
  const { args = [], proxied = egress !== undefined } = options
  const sandbox = (options.sandbox ?? process.getuid?.() !== 0) && !args.includes('--no-sandbox')
  refuseDebuggingPort(args)
  if (proxied) refuseProxyFlags(args)
  const found = await findBrowser({ executablePath: options.executablePath, env, headless })

  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    // also for a profile that is kept: Chromium does not remove its temporary files if it is killed
    const temporary = await createTemporaryFolder('profile')
    undo.push(() => rm(temporary, { recursive: true, force: true, maxRetries: 5 }))
    const files = await temporaryFiles(temporary)
    if (files !== undefined) undo.push(() => rm(files, { recursive: true, force: true, maxRetries: 5 }))
    const { profileDir: profile = temporary } = options
    const isTemporary = profile === temporary
    if (!isTemporary) undo.push(await claimProfile(profile))
    const cleanup = removeStaleProfiles().catch(() => {}) // the next launch tries again
    undo.push(() => cleanup)

    const egressProxy = egress && (await startEgressProxy(egress))
    if (egressProxy) undo.push(() => egressProxy.close())
    const ownFlags = flags({ headless, sandbox, profile, viewport, proxied, proxyServer: egressProxy?.server })
    const child = spawnBrowser(found, {
      env: { ...env, ...temporaryEnvironment(files) },
      args: mergeFeatures([...ownFlags, ...(egressProxy ? args.filter(arg => !isResolverFlag(arg)) : args)]),
    })
    // Chromium writes to the profile until its last process, which also holds stderr, has ended
    const ended = new Promise(resolve => child.once('close', resolve))
    child.once('close', () => killGroup(child)) // processes that do not hold stderr may be left
    undo.push(() => {
      kill(child)
      return withTimeout(5_000, ended)
    })

    undo.push(
      atExit(() => {
        kill(child)
        removeSync(temporary)
        if (files !== undefined) removeSync(files)
      }),
    )

    const [, , , input, output] = child.stdio as unknown as [null, null, Readable, Writable, Readable]
    const connection = connectPipe({ input, output })
    undo.push(() => connection.close())
    if (!isTemporary) undo.push(() => quit(connection, ended))

    const { product } = await waitForBrowser(connection, child)
    const pid = child.pid ?? 0
    return { connection, found, pid, sandbox, headless, viewport, product, args, proxied, proxy, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * The folder for Chromium's temporary files. Chromium creates the socket of a profile there, and does not start if its path is longer than a
 * socket's path may be; then the files are in the shortest private folder, and if another user has taken its name, where Chromium chooses.
 */
async function temporaryFiles(profile: string): Promise<string | undefined> {
  const folder = join(profile, 'tmp')
  if (Buffer.byteLength(join(folder, 'org.chromium.Chromium.XXXXXX', 'SingletonSocket')) <= maxSocketPath) {
    await mkdir(folder, { mode: 0o700 })
    return folder
  }
  const short = shortTemporaryFolder()
  if (short === undefined) return undefined
  try {
    return await createTemporaryFolder('profile', createPrivateFolder(short))
  } catch {
    return undefined
  }
}

const temporaryEnvironment = (folder: string | undefined): NodeJS.ProcessEnv => {
  if (folder === undefined) return {}
  return process.platform === 'win32' ? { TEMP: folder, TMP: folder } : { TMPDIR: folder }
}

/** Linux allows 107 bytes, macOS 103 */
const maxSocketPath = 100

function spawnBrowser(found: BrowserExecutable, { args, env }: { args: string[]; env: NodeJS.ProcessEnv }): ChildProcess {
  const { CHROMIUM_FLAGS: _, ...rest } = env // the wrapper script of Debian appends these flags
  if (found.libraryPath) rest.LD_LIBRARY_PATH = [found.libraryPath, env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  if (found.fontsFile) rest.FONTCONFIG_FILE ??= found.fontsFile
  // a separate process group: one signal reaches all processes of the browser, and Ctrl-C reaches only this process
  const detached = process.platform !== 'win32'
  return spawn(found.executablePath, args, { env: rest, detached, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
}

function kill(child: ChildProcess): void {
  const hasEnded = child.stderr?.closed && (child.exitCode ?? child.signalCode) !== null
  if (!hasEnded) killGroup(child) // once it has ended, its pid may be reused
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    /* it has ended already */
  }
}

/** For the exit of this process, where nothing can be awaited and the browser may still be writing. */
function removeSync(folder: string): void {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true })
      return
    } catch {
      // the browser created another file
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
    }
  }
}

/** Lets the browser save a profile that is kept; a browser that hangs is killed afterwards. */
async function quit(connection: CdpConnection, ended: Promise<unknown>): Promise<void> {
  await withTimeout(5_000, Promise.all([ended, connection.send('Browser.close').catch(() => {})])) // it may exit before it answers
}

/** Resolves when the browser answers. If it does not, the error contains what it wrote to stderr. */
async function waitForBrowser(connection: CdpConnection, child: ChildProcess): Promise<{ product: string }> {
  const stderr = keepTail(child.stderr as Readable)
  const startError = (reason: string) =>
    new PagehandError('browser_crashed', say`${quoted(child.spawnfile, 500)} did not start: ${term(reason)}.`, {
      page: { error: stderr().trim() },
    })
  const ended = new Promise<never>((_, reject) => {
    child.once('error', error => reject(startError(error.message)))
    child.once('close', (code, signal) => reject(startError(code === null ? `it was ended by ${signal}` : `it ended with code ${code}`)))
  })
  // the pipe breaks before the exit code is known, and the exit code tells more
  const version = connection.send('Browser.getVersion').catch(() => ended)
  return withTimeout(30_000, Promise.race([version, ended]), () => {
    throw startError('it did not answer within 30 s')
  })
}

/** Keeps the last 4 KB of a stream. The stream is read to its end, because a full pipe would block the browser. */
function keepTail(stream: Readable): () => string {
  let tail = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-4_096)
  })
  return () => tail.trim()
}

function refuseDebuggingPort(args: readonly string[]): void {
  const port = args.find(arg => /^--?remote-debugging-(port|address)\b/.test(arg))
  if (port) throw new TypeError(`${port} would expose the browser to every program on this machine; pagehand connects through a pipe`)
}

/** They would lead requests past the proxy that enforces the rules. */
function refuseProxyFlags(args: readonly string[]): void {
  const flag = args.find(isProxyFlag)
  if (flag)
    throw new PagehandError(
      'invalid_input',
      say`${quoted(flag.split('=')[0])} cannot be combined with hosts or proxy; use the option proxy.`,
    )
}

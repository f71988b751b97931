import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import type { CdpConnection } from '../connection/connection.ts'
import { pipeTransport } from '../connection/pipe.ts'
import { PagehandError } from '../errors.ts'
import { withTimeout } from '../timeout.ts'
import { type BrowserExecutable, findBrowser } from './find.ts'
import { flags } from './flags.ts'
import { claimProfile, sandboxProfile, sweepProfiles } from './profile.ts'

export interface LaunchOptions {
  readonly executablePath?: string
  readonly headless?: boolean
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** kept at close; without it the browser gets an empty folder that is removed */
  readonly profileDir?: string
  /** on, unless this process is root: Chromium does not start with it then */
  readonly sandbox?: boolean
  /** of the window, and of the sessions in it that name none; 1280 x 720 unless given */
  readonly viewport?: Size
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Chromium {
  readonly connection: CdpConnection
  readonly found: BrowserExecutable
  readonly pid: number
  readonly sandbox: boolean
  readonly viewport: Size
  /** name and version, as the browser gives them */
  readonly product: string
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Whoever opens it closes it: `await using chromium = await launch()`. It also ends when this process does, however that ends. */
export async function launch(options: LaunchOptions = {}): Promise<Chromium> {
  const { headless = true, args = [], env = process.env, viewport = { width: 1280, height: 720 } } = options
  const sandbox = (options.sandbox ?? process.getuid?.() !== 0) && !args.includes('--no-sandbox')
  refuseDebuggingPort(args)
  const found = await findBrowser({ executablePath: options.executablePath, env, headless })

  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const profile = options.profileDir ?? (await sandboxProfile())
    const isOurs = options.profileDir === undefined
    if (isOurs) undo.push(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
    else undo.push(await claimProfile(profile))
    const swept = sweepProfiles().catch(() => {}) // what is left behind is nobody's trouble now
    undo.push(() => swept)

    const child = start(found, { env, args: [...flags({ headless, sandbox, profile, viewport }), ...args] })
    // Chromium still writes to the profile until the last of its processes is gone, and with it the last writer to stderr
    const ended = new Promise(resolve => child.once('close', resolve))
    child.once('close', () => killGroup(child)) // whoever is left does not even write there
    undo.push(() => {
      kill(child)
      return withTimeout(5_000, ended)
    })

    const atExit = () => {
      kill(child)
      if (isOurs) removeAtOnce(profile)
    }
    process.once('exit', atExit)
    undo.push(() => process.off('exit', atExit))

    const [, , , input, output] = child.stdio as unknown as [null, null, Readable, Writable, Readable]
    const port = pipeTransport({ input, output })
    undo.push(() => port.close())
    if (!isOurs) undo.push(() => quit(port, ended))

    const { product } = await answering(port, child)
    return { connection: port, found, pid: child.pid ?? 0, sandbox, viewport, product, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

function start(found: BrowserExecutable, { args, env }: { args: string[]; env: NodeJS.ProcessEnv }): ChildProcess {
  const { CHROMIUM_FLAGS: _, ...rest } = env // Debian's wrapper appends them, and with them whatever a shell left there
  if (found.libraryPath) rest.LD_LIBRARY_PATH = [found.libraryPath, env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  if (found.fontsFile) rest.FONTCONFIG_FILE ??= found.fontsFile
  // its own process group, so that one signal reaches all its processes and Ctrl-C in a terminal reaches us alone
  const detached = process.platform !== 'win32'
  return spawn(found.executablePath, args, { env: rest, detached, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
}

function kill(child: ChildProcess): void {
  const hasEnded = child.stderr?.closed && (child.exitCode ?? child.signalCode) !== null
  if (!hasEnded) killGroup(child) // later on, its id may be somebody else's
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    /* it is gone already */
  }
}

/** For the end of this process, where nothing can be awaited any more and the browser may still be writing its last. */
function removeAtOnce(folder: string): void {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true })
      return
    } catch {
      // a file appeared in a folder that had just been emptied
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
    }
  }
}

/** A profile that is kept must be written out; a browser that hangs is killed all the same. */
async function quit(port: CdpConnection, ended: Promise<unknown>): Promise<void> {
  await withTimeout(5_000, Promise.all([ended, port.send('Browser.close').catch(() => {})])) // it may be gone before it answers
}

/** Resolves when the browser answers; what it wrote to stderr says why when it does not. */
async function answering(port: CdpConnection, child: ChildProcess): Promise<{ product: string }> {
  const said = tail(child.stderr as Readable)
  const failed = (why: string) => new PagehandError('browser_crashed', `${child.spawnfile} did not start: ${why}.\n${said()}`.trim())
  let timer: NodeJS.Timeout | undefined
  const broken = new Promise<never>((_, reject) => {
    child.once('error', error => reject(failed(error.message)))
    child.once('close', (code, signal) => reject(failed(code === null ? `it was ended by ${signal}` : `it ended with code ${code}`)))
    timer = setTimeout(() => reject(failed('it did not answer within 30 s')), 30_000)
  })
  // the pipe breaks before the exit code is known, and the code tells more
  const answered = port.send('Browser.getVersion').catch(() => broken)
  try {
    return await Promise.race([answered, broken])
  } finally {
    clearTimeout(timer)
  }
}

/** The last 4 KB of a stream. It is read to its end, because a full pipe would stop the browser. */
function tail(stream: Readable): () => string {
  let kept = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    kept = (kept + text).slice(-4_096)
  })
  return () => kept.trim()
}

function refuseDebuggingPort(args: readonly string[]): void {
  const port = args.find(arg => /^--?remote-debugging-(port|address)\b/.test(arg))
  if (port) throw new TypeError(`${port} would open the browser to every program of this machine; it is spoken to through a pipe`)
}

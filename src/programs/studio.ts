import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toSentence } from '../contract/text.ts'
import type { SessionOptions } from '../drivers/cdp/options.ts'
import { createPrivateFolder, homeFolder } from '../home/private-folder.ts'
import { parseStudioFlags, type StudioFlags } from '../surfaces/cli/studio.ts'
import { installCommand, missingPackage } from '../surfaces/missing-package.ts'
import { stderr, stdout } from '../surfaces/terminal.ts'
import { version } from '../surfaces/version.ts'
import { findSessionOptions, readSecrets } from './open-session.ts'

/** What dist/studio/server.js exports; its source is apps/studio/server/index.ts. */
interface StudioServerModule {
  startStudio(options: StartStudioOptions): Promise<RunningStudio>
  /** returns whether the demo reached its goal */
  playDemo(studio: RunningStudio, options: DemoOptions): Promise<boolean>
}
interface DemoOptions {
  say(text: string): void
  readonly isAttended: boolean
  /** gets the link of the chat in which the demo plays */
  onStart(link: string): void
}
interface StartStudioOptions {
  readonly dataFolder: string
  readonly webFolder: string
  readonly demoFolder: URL
  readonly version: string
  readonly port: number
  readonly drive: 'local' | 'remote'
  readonly session: SessionOptions
  readonly secretNames: readonly string[]
  readonly model?: string
  readonly database?: string
}
interface RunningStudio {
  readonly link: string
  /** resolves if the studio cannot go on */
  readonly failed: Promise<Error>
  close(): Promise<void>
}

/** `pagehand studio` */
export async function run(words: readonly string[]): Promise<number> {
  const flags = parseStudioFlags(words)
  if (typeof flags === 'string') {
    stderr.write(`pagehand: ${toSentence(flags)} Run: pagehand help studio\n`)
    return 2
  }
  try {
    return await serve(await loadServer(), flags)
  } catch (error) {
    const missing = missingPackage(error)
    if (missing === undefined) throw error
    const use = missing === 'pg' ? ' for the database of --db or DATABASE_URL' : ''
    throw new Error(`the studio needs the package ${missing}${use}. Run: ${installCommand(missing)}`)
  }
}

/** The server is a separate file: most users of the package never need its dependencies. */
const loadServer = (): Promise<StudioServerModule> => import(new URL('./studio/server.js', import.meta.url).href)

async function serve({ startStudio, playDemo }: StudioServerModule, flags: StudioFlags): Promise<number> {
  const { port, drive, model, demo } = flags
  const database = flags.db ?? (process.env.DATABASE_URL || undefined)
  const isAttended = stdout.isTTY === true && !process.env.CI
  const say = (text: string) => stdout.write(`${text}\n`)
  const studio = await startStudio({
    dataFolder: createPrivateFolder(flags.data === undefined ? join(createPrivateFolder(homeFolder()), 'studio') : resolve(flags.data)),
    webFolder: fileURLToPath(new URL('./studio/web/', import.meta.url)),
    demoFolder: new URL('../examples/shop/', import.meta.url),
    version,
    port,
    drive,
    session: await studioSession(flags),
    secretNames: Object.keys(readSecrets(undefined)),
    ...(model !== undefined && { model }),
    ...(database !== undefined && { database }),
  })
  const stopped = new Promise<void>((resolveStop, reject) => {
    void studio.failed.then(reject)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolveStop())
  })
  try {
    const announce = (link: string) => {
      if (isAttended || !demo) say(`pagehand studio: ${link}\nOnly this machine can open it. Stop it with Control+C.`)
      if (isAttended && flags.open) openInBrowser(link)
    }
    if (!demo) announce(studio.link)
    const played = demo ? playDemo(studio, { say, isAttended, onStart: announce }) : undefined
    if (played && !isAttended) return (await Promise.race([played, stopped.then(() => false)])) ? 0 : 1
    // the studio stays open after the demo, but not if that could not begin
    await Promise.race([stopped, played?.then(() => stopped) ?? stopped])
    return 0
  } finally {
    await studio.close()
  }
}

/** How the browser of a chat is opened. Whatever its profile, it opens and uploads no files of this machine. */
export const studioSession = ({ headed, profile }: Pick<StudioFlags, 'headed' | 'profile'>): Promise<SessionOptions> =>
  findSessionOptions({ headed, ...(profile !== undefined && { profile }), fileRoot: [], uploadRoot: [] }, 'studio')

/** Opens a page where there is a desktop. */
function openInBrowser(link: string): void {
  const { platform, env } = process
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return
  const [command, ...words] = platform === 'darwin' ? ['open'] : platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  // the address is printed as well
  spawn(command as string, [...words, link], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

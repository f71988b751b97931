import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { endGroup, until } from './processes.ts'

const programs = ['Xvfb', 'openbox', 'xdotool', 'xprop', 'xev']
const hasProgram = (name: string) => (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, name)))
const missing = programs.filter(name => !hasProgram(name))

/** why tests with a desktop are skipped; undefined if they run */
export const noDesktop: string | undefined = missing.length > 0 ? `${missing.join(', ')} not installed` : undefined

/** A display with a window manager, and a window of another program in front of which nothing may come. */
export interface Desktop {
  readonly env: NodeJS.ProcessEnv
  /** Opens the window of another program in front of all others. From then on, changes of the focus are kept. */
  showOther(): Promise<void>
  /** the windows that had the focus since then, by name */
  focused(): readonly string[]
  /** Minimizes the windows of the browser. */
  minimize(): void
  /** whether a window of the browser is on the screen */
  isBrowserShown(): boolean
  /** the window in front */
  front(): string
  xdotool(...words: string[]): string
  [Symbol.asyncDispose](): Promise<void>
}

export async function startDesktop(): Promise<Desktop> {
  const running: ReturnType<typeof spawn>[] = []
  const env: NodeJS.ProcessEnv = { ...process.env }
  const start = (program: string, ...args: string[]) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
    running.push(child)
    return child
  }
  const run = (program: string, ...words: string[]): string => {
    try {
      return execFileSync(program, words, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      return '' // there is no such window
    }
  }
  const xdotool: Desktop['xdotool'] = (...words) => run('xdotool', ...words)
  const focused: string[] = []
  // it chooses a free display, and reports it when it can be used
  const server = start('Xvfb', '-noreset', '-displayfd', '1', '-screen', '0', '1280x900x24')
  const [number] = (await once(server.stdout as Readable, 'data')) as [Buffer]
  env.DISPLAY = `:${String(number).trim()}`
  start('openbox')
  const hasManager = () => /window id/.test(run('xprop', '-root', '_NET_SUPPORTING_WM_CHECK'))
  await until(hasManager, { withinMs: 20_000, what: 'the window manager' })
  const nameOf = (id: string) => xdotool('getwindowname', id)
  const front = () => xdotool('getactivewindow', 'getwindowname')
  const browserWindows = (...options: string[]) =>
    xdotool('search', ...options, '--class', 'chrom')
      .split('\n')
      .filter(Boolean)
  return {
    env,
    xdotool,
    front,
    focused: () => focused,
    async showOther() {
      start('xev', '-name', 'Other')
      await until(() => xdotool('search', '--name', '^Other$') !== '', { withinMs: 20_000, what: 'the other window' })
      const activate = () => xdotool('search', '--name', '^Other$', 'windowactivate', '--sync')
      await until(
        () => {
          activate()
          return front() === 'Other'
        },
        { withinMs: 20_000, what: 'the other window in front' },
      )
      // the first line is the state at the beginning
      start('xprop', '-root', '-spy', '_NET_ACTIVE_WINDOW').stdout?.on('data', (data: Buffer) => {
        for (const [id] of String(data).matchAll(/0x[\da-f]+/g)) focused.push(id === '0x0' ? 'none' : nameOf(id))
      })
      await until(() => focused.length > 0, { withinMs: 20_000, what: 'the first focus' })
    },
    minimize() {
      for (const id of browserWindows('--onlyvisible')) xdotool('windowminimize', id)
    },
    isBrowserShown: () => browserWindows('--onlyvisible').length > 0,
    async [Symbol.asyncDispose]() {
      for (const { pid } of running.reverse()) await endGroup(pid ?? 0)
    },
  }
}

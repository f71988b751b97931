import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { openSession } from '../../../src/browser.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { endGroup, until } from '../../support/processes.ts'
import { wrapSession } from '../../support/test-session.ts'
import { startUserBrowser } from '../../support/user-browser.ts'

// needs a display of its own, a window manager, and a browser with windows: PAGEHAND_HEADED_CHROME=/usr/bin/chromium
const chrome = process.env.PAGEHAND_HEADED_CHROME
const hasProgram = (name: string) => (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, name)))
const canRun = chrome !== undefined && ['Xvfb', 'openbox', 'xdotool', 'xev'].every(hasProgram)

/** A display with a window manager, and a window in front of which nothing may come. */
async function startDesktop() {
  const display = `:${100 + (process.pid % 400)}`
  const env = { ...process.env, DISPLAY: display }
  const start = (program: string, ...args: string[]) => spawn(program, args, { env, stdio: 'ignore', detached: true })
  const xdotool = (...words: string[]): string => {
    try {
      return execFileSync('xdotool', words, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      return '' // there is no such window yet
    }
  }
  const server = start('Xvfb', display, '-screen', '0', '1280x900x24')
  await until(() => existsSync(`/tmp/.X11-unix/X${display.slice(1)}`), { withinMs: 20_000, what: 'the display' })
  const programs = [server, start('openbox')]
  return {
    env,
    xdotool,
    front: () => xdotool('getactivewindow', 'getwindowname'),
    async showOther() {
      programs.push(start('xev', '-name', 'Other'))
      await until(() => xdotool('search', '--name', '^Other$') !== '', { withinMs: 20_000, what: 'the other window' })
      await until(
        () => {
          xdotool('search', '--name', '^Other$', 'windowactivate')
          return xdotool('getactivewindow', 'getwindowname') === 'Other'
        },
        { withinMs: 20_000, what: 'the other window in front' },
      )
    },
    async [Symbol.asyncDispose]() {
      for (const { pid } of programs.reverse()) await endGroup(pid ?? 0)
    },
  }
}

const html = '<title>ours</title><h1>Still</h1><button onclick="document.title=`pressed`">Go</button><input aria-label=Name>'

test.runIf(canRun)(
  'a session in the background reads, clicks, types and takes screenshots, and no window comes to the front',
  { timeout: 120_000 },
  async () => {
    await using desktop = await startDesktop()
    await using daily = await startUserBrowser(['--no-first-run', '--disable-gpu'], {
      executablePath: chrome as string,
      headless: false,
      env: desktop.env,
    })
    // a new window comes to the front, which may take a while
    await until(() => /Chrom/.test(desktop.front()), { withinMs: 30_000, what: 'the window of the browser in front' })
    await desktop.showOther()
    await using server = await serve(sendHtml(html))
    await using session = await openSession({ attach: { port: daily.port } })
    const commands = wrapSession(session)
    await commands.do('open', { url: server.url })
    const useTab = async () => {
      // a still page draws no second frame by itself
      for (const _ of [1, 2, 3]) expect(await commands.do('screenshot')).toMatchObject({ mime: 'image/png' })
      await commands.do('click', { ref: await commands.ref('button "Go"') })
      await commands.do('fill', { ref: await commands.ref('textbox "Name"'), value: 'tea' })
      expect(await commands.text()).toContain('[value="tea"]')
      expect(desktop.front()).toBe('Other')
    }
    await useTab()
    await commands.do('tabs', { operation: 'new', url: server.url })
    await commands.do('tabs', { operation: 'select', tab: 't1' })
    await useTab()
    for (const id of desktop.xdotool('search', '--name', 'Chromium|Chrome').split('\n')) desktop.xdotool('windowminimize', id)
    await useTab()
  },
)

// `pagehand login` on a desktop: a window, a person who types into it, and a terminal.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPrograms } from '../../../scripts/programs.mjs'
import { noDesktop, startDesktop } from '../../support/desktop.ts'
import { findExtensionBrowser, noExtensionBrowser } from '../../support/extension-browser.ts'
import { serve } from '../../support/http-server.ts'
import { until } from '../../support/processes.ts'

const chrome = findExtensionBrowser()
const reason = noDesktop ?? (chrome === undefined ? noExtensionBrowser : undefined)
if (reason) process.stdout.write(`The tests of the login window are skipped: ${reason}\n`)

/** A shop whose orders are behind a login. */
async function startShop() {
  const posted: string[] = []
  let isExpired = false
  let typed = ''
  const server = await serve((request, response) => {
    const send = (html: string) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${html}`)
    const isKnown = !isExpired && request.headers.cookie?.includes('sid=1') === true
    if (request.method === 'POST') {
      request.on('data', (data: Buffer) => posted.push(String(data)))
      response.writeHead(303, { location: '/orders', 'set-cookie': 'sid=1; HttpOnly' }).end()
    } else if (request.url?.startsWith('/typed/')) {
      typed = request.url
      response.end()
    } else if (request.url === '/login')
      send(
        '<title>Log in</title><form method=post><input name=user autofocus oninput="fetch(&quot;/typed/&quot; + value)"><input name=password type=password><button>Log in</button></form>',
      )
    else if (isKnown) send('<title>Orders</title><h1>Three orders</h1>')
    else response.writeHead(302, { location: '/login' }).end()
  })
  return {
    url: server.url,
    posted,
    typed: () => typed,
    expire: () => {
      isExpired = true
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe.skipIf(reason !== undefined)('pagehand login', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(fileURLToPath(new URL('../../../node_modules/.pagehand-', import.meta.url)))
  beforeAll(async () => {
    await buildPrograms(folder)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  for (const key of [undefined, 'a long key'])
    test(`a person logs in in the window, and later commands are logged in${key ? ', with an encrypted login' : ''}`, async () => {
      await using desktop = await startDesktop()
      await using shop = await startShop()
      const home = mkdtempSync(join(tmpdir(), 'pagehand-home-'))
      const env = { ...desktop.env, PAGEHAND_HOME: home, PAGEHAND_CHROME: chrome, ...(key && { PAGEHAND_LOGIN_KEY: key }) }
      const pagehand = (...words: string[]) => runProgram([join(folder, 'cli.js'), ...words], env)
      try {
        const login = spawn(process.execPath, [join(folder, 'cli.js'), 'login', `${shop.url}orders`, '--profile', 'shop'], { env })
        const output = collect(login)
        await until(() => /^Log in - Chrom/.test(desktop.front()), { withinMs: 30_000, what: 'the window' })
        expect(desktop.isBrowserShown()).toBe(true)
        const typeName = () => {
          // a window that has just opened may lose keys
          for (const words of [
            ['key', 'ctrl+a'],
            ['type', 'ann'],
          ])
            desktop.xdotool(...words)
          return shop.typed() === '/typed/ann'
        }
        await until(typeName, { withinMs: 30_000, what: 'the name in the first field' })
        for (const words of [
          ['key', 'Tab'],
          ['type', 'tea-4-two'],
          ['key', 'Return'],
        ])
          desktop.xdotool(...words)
        await until(() => /^Orders - Chrom/.test(desktop.front()), { withinMs: 30_000, what: 'the page after the login' })
        login.stdin.write('\n')
        expect(await output).toMatch(/ok: stored 1 cookie .*pagehand-login\.json/)
        expect(shop.posted).toEqual(['user=ann&password=tea-4-two'])
        const file = join(home, 'profiles', 'shop', 'pagehand-login.json')
        expect(statSync(file).mode & 0o777).toBe(0o600)

        expect(await pagehand('open', `${shop.url}orders`, '--profile', 'shop')).toContain('Three orders')
        shop.expire()
        expect(await pagehand('open', `${shop.url}orders`, '--profile', 'shop')).toMatch(
          /was stored on .*: it may have expired.*pagehand login URL --profile shop/,
        )
        // the profile is in use by the daemon, and the next step is named
        if (key === undefined)
          expect(await pagehand('login', shop.url, '--profile', 'shop')).toMatch(/is used by process.*run: pagehand stop/)
      } finally {
        await pagehand('stop')
      }
    })
})

const collect = (child: ChildProcess): Promise<string> =>
  new Promise(resolve => {
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => {
        text += String(data)
      })
    child.on('close', () => resolve(text))
  })

const runProgram = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise(resolve => execFile(process.execPath, args, { env }, (_, stdout, stderr) => resolve(stdout + stderr)))

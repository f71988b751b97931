import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { expect, test, vi } from 'vitest'
import { findBrowser } from '../../../src/drivers/cdp/browser/find.ts'
import { type Chromium, launch } from '../../../src/drivers/cdp/browser/launch.ts'
import { openTarget } from '../../../src/drivers/cdp/page/target.ts'
import { openFor } from '../../../src/programs/open-session.ts'
import { endGroup, processesInGroup, until } from '../../support/processes.ts'

test('a launched browser evaluates, and closing it leaves no process and no profile (S4-06 S4-08 S4-33)', async () => {
  const chromium = await launch()
  const profile = await profileOf(chromium)
  const tab = await openTarget(chromium.connection)
  expect(await tab.evaluate('6 * 7')).toBe(42)
  expect((await processesInGroup(chromium.pid)).length).toBeGreaterThan(1)
  expect(existsSync(profile)).toBe(true)

  await chromium.close()
  await noProcessOf(chromium.pid)
  expect(existsSync(profile)).toBe(false)
  await chromium.close() // closing twice is harmless
  await expect(tab.evaluate('1')).rejects.toMatchObject({ code: 'not_running' })
})

test('two launches at once start two browsers with separate profiles', async () => {
  await using both = await openBoth()
  const [one, two] = both.chromia
  expect(one.pid).not.toBe(two.pid)
  expect(await profileOf(one)).not.toBe(await profileOf(two))
  for (const { connection: port } of both.chromia) expect(await (await openTarget(port)).evaluate('document.URL')).toBe('about:blank')
})

test('killing the browser rejects all pending calls and loads', async () => {
  await using chromium = await launch()
  await using server = await silentServer()
  const tab = await openTarget(chromium.connection)
  const loading = tab.navigate(server.url)
  const waiting = [
    tab.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true }),
    tab.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true }),
    loading,
  ]
  const outcomes = Promise.allSettled(waiting)
  process.kill(chromium.pid, 'SIGKILL')
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'browser_crashed' } })
  await expect(tab.evaluate('1')).rejects.toMatchObject({ code: 'browser_crashed' })
})

test('a page crash rejects its pending calls and leaves other tabs alone', async () => {
  await using chromium = await launch()
  const [crashing, other] = [await openTarget(chromium.connection), await openTarget(chromium.connection)]
  const waiting = crashing.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true })
  const crash = crashing.send('Page.crash')
  await expect(waiting).rejects.toMatchObject({ code: 'page_crashed' })
  await expect(crash).rejects.toMatchObject({ code: 'page_crashed' })
  await expect(crashing.evaluate('1')).rejects.toMatchObject({ code: 'page_crashed' })
  expect(await other.evaluate('2')).toBe(2)
  await crashing.navigate('about:blank')
  expect(await crashing.evaluate('3')).toBe(3)
})

test('closing a tab rejects its pending and later calls', async () => {
  await using chromium = await launch()
  const tab = await openTarget(chromium.connection)
  const waiting = tab.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true })
  const outcome = expect(waiting).rejects.toMatchObject({ code: 'target_closed' })
  await tab.close()
  await outcome
  await expect(tab.evaluate('1')).rejects.toMatchObject({ code: 'target_closed' })
  await tab.close() // closing twice is harmless
})

test('a refused connection fails with navigation_failed, and a silent server with timeout', async () => {
  await using chromium = await launch()
  await using server = await silentServer()
  const tab = await openTarget(chromium.connection)
  await expect(tab.navigate('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'navigation_failed' })
  await expect(tab.navigate(server.url, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' })
})

test('an exception in the page is rethrown with its message', async () => {
  await using chromium = await launch()
  const tab = await openTarget(chromium.connection)
  await expect(tab.evaluate('missing.thing')).rejects.toThrow('missing is not defined')
  await expect(tab.evaluate('throw "plain text"')).rejects.toThrow('plain text')
})

test('a message larger than the pipe buffer arrives completely in both directions', async () => {
  await using chromium = await launch()
  const tab = await openTarget(chromium.connection)
  const text = 'aé✓'.repeat(1_000_000)
  expect(await tab.evaluate(`${JSON.stringify(text)} + '!'`)).toBe(`${text}!`)
})

test('a given profile folder is kept with its content', async () => {
  await using folder = await temporary()
  const chromium = await launch({ profileDir: folder.path })
  await chromium.close()
  await noProcessOf(chromium.pid)
  expect(await readdir(folder.path)).toContain('Default')
})

test('a browser that exits at once fails with its stderr output, and its profile is removed', async () => {
  await using folder = await temporary()
  const executablePath = join(folder.path, 'chromium')
  await writeFile(executablePath, '#!/bin/sh\necho "$@" > "$0.args"; echo no usable sandbox >&2; exit 3\n', { mode: 0o755 })
  await expect(launch({ executablePath })).rejects.toMatchObject({
    code: 'browser_crashed',
    message: expect.stringMatching(/ended with code 3/),
    page: { error: 'no usable sandbox' },
  })
  expect(existsSync(/--user-data-dir=(\S+)/.exec(await readFile(`${executablePath}.args`, 'utf8'))?.[1] ?? '/')).toBe(false)
  await writeFile(executablePath, '#!/no/such/interpreter\n')
  await expect(launch({ executablePath })).rejects.toMatchObject({ code: 'browser_crashed', message: expect.stringContaining('ENOENT') })
})

test('the sandbox is on by default except for root, and its absence is reported (X4-8)', async () => {
  for (const asked of [{ sandbox: false }, { args: ['--no-sandbox'] }]) {
    await using chromium = await launch(asked)
    expect(chromium.sandbox).toBe(false)
    expect(await commandLine(chromium)).toContain('--no-sandbox')
  }
  if (process.getuid?.() === 0) return
  await using sandboxed = await launch()
  expect(sandboxed.sandbox).toBe(true)
  expect(await commandLine(sandboxed)).not.toContain('--no-sandbox')
})

test('the temporary files of the browser are in its own folder, and leave with it (F4)', async () => {
  await using folder = await temporary('/tmp') // short, because of the socket
  vi.stubEnv('PAGEHAND_HOME', join(folder.path, 'h'))
  vi.stubEnv('TMPDIR', folder.path)
  try {
    for (const options of [{}, { profileDir: join(folder.path, 'kept') }]) {
      const chromium = await launch(options)
      const environment = (await readFile(`/proc/${chromium.pid}/environ`, 'utf8')).split('\0')
      const own = environment.find(each => each.startsWith('TMPDIR='))?.slice('TMPDIR='.length) ?? ''
      expect(dirname(dirname(own))).toBe(join(folder.path, 'h', 'tmp'))
      expect(existsSync(own)).toBe(true)
      await writeFile(join(own, 'left by a killed process'), '')
      await chromium.close()
      expect(await readdir(join(folder.path, 'h', 'tmp'))).toEqual([])
    }
    expect((await readdir(folder.path)).sort()).toEqual(['h', 'kept'])
  } finally {
    vi.unstubAllEnvs()
  }
})

test('a browser starts without a writable home folder (F5)', async () => {
  const { executablePath, libraryPath } = await findBrowser()
  for (const name of ['HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME']) vi.stubEnv(name, '/dev/null/nowhere')
  try {
    const env = { ...process.env, ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }) }
    await using chromium = await launch({ executablePath, env })
    expect(await (await openTarget(chromium.connection)).evaluate('1')).toBe(1)
  } finally {
    vi.unstubAllEnvs()
  }
})

test.runIf(process.platform === 'linux')(
  'a profile that cannot be written fails in time with its reason, and leaves nothing (F5)',
  async () => {
    await using folder = await temporary('/tmp')
    // no file may grow beyond 300 kB, as on a disk that is full
    const { host, said } = await launchInChild(folder.path, { fileLimit: 300 })
    // Chromium may do without the file, or end
    expect(said).toMatch(/^(\d+|browser_crashed|EFBIG)$/)
    const ended = once(host, 'exit')
    host.stdin?.end()
    await ended
    expect(await readdir(join(folder.path, 'tmp'))).toEqual([])
  },
)

test('a browser whose socket would have too long a path starts, and its temporary files leave with it (F4)', async () => {
  await using folder = await temporary()
  vi.stubEnv('PAGEHAND_HOME', join(folder.path, 'long'.repeat(20)))
  try {
    const chromium = await launch()
    expect(await (await openTarget(chromium.connection)).evaluate('1')).toBe(1)
    const environment = (await readFile(`/proc/${chromium.pid}/environ`, 'utf8')).split('\0')
    const own = environment.find(each => each.startsWith('TMPDIR='))?.slice('TMPDIR='.length) ?? ''
    expect(own).toMatch(/^\/tmp\/pagehand-\d+\/profile-\w+$/)
    await writeFile(join(own, 'left by a killed process'), '')
    await chromium.close()
    expect(existsSync(own)).toBe(false)
  } finally {
    vi.unstubAllEnvs()
  }
})

test('a debugging port in the arguments is refused', async () => {
  await expect(launch({ args: ['--remote-debugging-port=9222'] })).rejects.toThrow('--remote-debugging-port=9222')
})

test('a killed host process leaves no Chromium process', async () => {
  await using folder = await temporary()
  const { pid, host } = await launchInChild(folder.path)
  try {
    expect((await processesInGroup(pid)).length).toBeGreaterThan(1)
    host.kill('SIGKILL')
    await noProcessOf(pid)
  } finally {
    await endGroup(pid)
  }
})

test('a host process that exits without closing leaves no process and no profile', async () => {
  await using folder = await temporary()
  const { pid, host } = await launchInChild(folder.path)
  const ended = once(host, 'exit')
  host.stdin?.end()
  await ended
  await noProcessOf(pid)
  expect(await readdir(join(folder.path, 'tmp'))).toEqual([])
})

/** A child process that launches, prints the pid, and exits without closing when its stdin ends. */
async function launchInChild(
  folder: string,
  { fileLimit }: { fileLimit?: number } = {},
): Promise<{ pid: number; said: string; host: ChildProcess }> {
  const script = join(folder, 'host.mjs')
  const contents = `
    import { launch } from './src/browser.ts'
    const said = await launch().then(({ pid }) => pid, error => error.code ?? error)
    process.stdin.on('end', () => process.exit(0)).resume()
    console.log(said)`
  buildSync({ stdin: { contents, resolveDir: process.cwd() }, bundle: true, platform: 'node', format: 'esm', outfile: script })
  // @sparticuz/chromium cannot be resolved from the folder of the bundle
  const { executablePath, libraryPath } = await findBrowser()
  const env = {
    ...process.env,
    PAGEHAND_HOME: folder,
    PAGEHAND_CHROME: executablePath,
    ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }),
  }
  const limit = fileLimit === undefined ? '' : `ulimit -f ${fileLimit};`
  const host = spawn('sh', ['-c', `${limit} exec "$0" "$1"`, process.execPath, script], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const said = String((await once(host.stdout, 'data'))[0]).trim()
  return { pid: Number(said), said, host }
}

// an ending process closes its files a moment before it disappears from /proc, so this polls even after close()
const noProcessOf = (pid: number) =>
  until(async () => (await processesInGroup(pid)).length === 0, { withinMs: 2_000, what: 'no process of the browser' })

const commandLine = async ({ pid }: Chromium) => (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')

async function profileOf(chromium: Chromium): Promise<string> {
  const flag = (await commandLine(chromium)).find(arg => arg.startsWith('--user-data-dir='))
  return flag?.slice('--user-data-dir='.length) ?? ''
}

async function openBoth() {
  const chromia = await Promise.all([launch(), launch()])
  return { chromia, [Symbol.asyncDispose]: async () => void (await Promise.all(chromia.map(chromium => chromium.close()))) }
}

/** Accepts connections and never answers. */
async function silentServer() {
  const sockets = new Set<Socket>()
  const server = createServer(socket => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: close }
}

async function temporary(parent = tmpdir()) {
  const path = await mkdtemp(join(parent, 'pagehand-launch-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, maxRetries: 5 }) }
}

test.skipIf(process.platform === 'win32')(
  'opening for a program says outside of the words of a page which folder is not private',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'pagehand-open-home-'))
    await chmod(home, 0o755)
    vi.stubEnv('PAGEHAND_HOME', home)
    try {
      const opened = await openFor('test')({})
      if (opened.ok) await opened.data.close()
      expect(opened).toMatchObject({
        ok: false,
        error: {
          code: 'not_running',
          message: expect.stringMatching(/did not start: .*pagehand-open-home-.*run chmod 700/),
          hint: expect.stringMatching(/^Only the user can change this/),
        },
      })
      expect(opened).not.toHaveProperty('error.page')
    } finally {
      vi.unstubAllEnvs()
      await rm(home, { recursive: true, force: true })
    }
  },
)

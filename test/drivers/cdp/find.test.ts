import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findBrowser } from '../../../src/drivers/cdp/browser/find.ts'
import { knownLocations } from '../../../src/drivers/cdp/browser/locations.ts'
import { cacheFolder, unpack } from '../../../src/drivers/cdp/browser/unpack.ts'

const linux = { platform: 'linux', arch: 'x64' } as const
const nowhere = { ...linux, env: {}, places: [], packageFolder: null }

test('PAGEHAND_CHROME is preferred to an installed browser, which is preferred to the package', async () => {
  await using folder = await temporary()
  const named = await program(join(folder.path, 'named'))
  const installed = await program(join(folder.path, 'installed'))
  const packageFolder = await fakePackage(folder.path)
  const env = { XDG_CACHE_HOME: folder.path }

  const everything = await findBrowser({ ...linux, env: { ...env, PAGEHAND_CHROME: named }, places: [installed], packageFolder })
  expect(everything).toEqual({ executablePath: named, from: 'PAGEHAND_CHROME' })
  const withoutVariable = await findBrowser({ ...linux, env, places: [join(folder.path, 'missing'), installed], packageFolder })
  expect(withoutVariable).toEqual({ executablePath: installed, from: 'installed' })
  const onlyPackage = await findBrowser({ ...linux, env, places: [], packageFolder })
  const unpacked = join(folder.path, 'pagehand', 'chromium-1.2.3')
  expect(onlyPackage).toEqual({
    executablePath: join(unpacked, 'chromium'),
    fontsFile: join(unpacked, 'fonts.conf'),
    from: '@sparticuz/chromium',
  })
})

test('PAGEHAND_CHROME with a missing path fails even if another browser is installed', async () => {
  await using folder = await temporary()
  const installed = await program(join(folder.path, 'installed'))
  const finding = findBrowser({ ...nowhere, env: { PAGEHAND_CHROME: '/nowhere/chrome' }, places: [installed] })
  await expect(finding).rejects.toMatchObject({
    code: 'browser_not_found',
    message: expect.stringContaining('PAGEHAND_CHROME is set to "/nowhere/chrome", which does not exist'),
  })
})

test('executablePath is preferred to everything else and must exist', async () => {
  await using folder = await temporary()
  const executablePath = await program(join(folder.path, 'given'))
  const env = { PAGEHAND_CHROME: '/nowhere/chrome' }
  expect(await findBrowser({ ...nowhere, env, executablePath })).toEqual({ executablePath, from: 'executablePath' })
  await expect(findBrowser({ ...nowhere, executablePath: '/nowhere' })).rejects.toThrow(
    'executablePath is set to "/nowhere", which does not exist',
  )
})

test('PAGEHAND_CHROME with a folder or a plain file fails as not executable', async () => {
  await using folder = await temporary()
  const text = join(folder.path, 'notes.txt')
  await writeFile(text, 'hello')
  for (const path of [folder.path, text])
    await expect(findBrowser({ ...nowhere, env: { PAGEHAND_CHROME: path } })).rejects.toThrow(
      `${JSON.stringify(path)}, which is not an executable file`,
    )
})

test('without any browser, the error lists the three ways to provide one and why each failed', async () => {
  const error: Error = await findBrowser(nowhere).then(
    () => Promise.reject(new Error('a browser was found')),
    reason => reason,
  )
  expect(error).toMatchObject({ code: 'browser_not_found', hint: expect.stringContaining('pagehand install') })
  expect(error.message).not.toContain('\n')
  expect(error.message).toMatch(/PAGEHAND_CHROME.*not set/)
  expect(error.message).toMatch(/; 2\. an installed Chrome, Chromium or Edge is neither in PATH nor at/)
  expect(error.message).toMatch(/@sparticuz\/chromium: it is not installed/)
})

test('the error says why the package cannot be used', async () => {
  await using folder = await temporary()
  const packageFolder = await fakePackage(folder.path)
  const env = { XDG_CACHE_HOME: folder.path }
  await expect(findBrowser({ ...nowhere, env, packageFolder, platform: 'darwin', arch: 'arm64' })).rejects.toThrow(
    'it is for Linux on x64, and this is darwin on arm64',
  )
  await expect(findBrowser({ ...nowhere, env, packageFolder, headless: false })).rejects.toThrow('it cannot show a window')
  const broken = await fakePackage(join(folder.path, 'broken'), { script: 'echo no libmissing.so >&2; exit 127', version: '2.0.0' })
  await expect(findBrowser({ ...nowhere, env, packageFolder: broken })).rejects.toThrow('it does not run here: no libmissing.so')
  await rm(join(broken, 'bin', 'fonts.tar.br'))
  await writeFile(join(broken, 'package.json'), '{"version":"3.0.0"}')
  await expect(findBrowser({ ...nowhere, env, packageFolder: broken })).rejects.toThrow(/it could not be unpacked: .*fonts\.tar\.br/)
})

test('the libraries of the package are used only if the browser does not start without them', async () => {
  await using folder = await temporary()
  const packageFolder = await fakePackage(folder.path, { script: 'test -f "$LD_LIBRARY_PATH/libnss3.so"' })
  const found = await findBrowser({ ...nowhere, env: { XDG_CACHE_HOME: folder.path, PATH: process.env.PATH }, packageFolder })
  expect(found.libraryPath).toBe(join(folder.path, 'pagehand', 'chromium-1.2.3', 'lib'))
})

test('headless shells are looked for first in headless mode', () => {
  const env = { PATH: '/a:relative:/b', HOME: '/home/me' }
  const places = knownLocations({ env, platform: 'linux', headless: true })
  expect(places.slice(0, 3)).toEqual(['/a/chrome-headless-shell', '/b/chrome-headless-shell', '/a/chromium-headless-shell'])
  for (const name of ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'])
    expect(places).toContain(`/b/${name}`)
  expect(knownLocations({ env, platform: 'linux', headless: false }).join()).not.toContain('headless-shell')
})

test('the default install locations on macOS and Windows are searched', () => {
  expect(knownLocations({ env: { HOME: '/Users/me' }, platform: 'darwin', headless: true })).toEqual(
    expect.arrayContaining([
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium',
    ]),
  )
  expect(knownLocations({ env: { ProgramFiles: 'C:\\Program Files' }, platform: 'win32', headless: true })).toEqual(
    expect.arrayContaining([
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
    ]),
  )
})

test('concurrent unpacking yields one complete folder and leaves nothing else', async () => {
  await using folder = await temporary()
  const bin = join(await fakePackage(folder.path), 'bin')
  const cache = await cacheFolder({ XDG_CACHE_HOME: folder.path })
  const all = await Promise.all(Array.from({ length: 4 }, () => unpack({ bin, version: '1.2.3', cache })))
  expect(new Set(all.map(({ executablePath }) => executablePath))).toEqual(new Set([join(cache, 'chromium-1.2.3', 'chromium')]))
  expect(await readdir(cache)).toEqual(['chromium-1.2.3'])
  expect((await readdir(join(cache, 'chromium-1.2.3'))).sort()).toEqual(['chromium', 'fonts', 'fonts.conf', 'lib', 'libGLESv2.so'])
  expect((await stat(join(cache, 'chromium-1.2.3', 'chromium'))).mode & 0o111).toBe(0o111)
})

test('a half-unpacked folder of a killed process is ignored, and removed once it is old', async () => {
  await using folder = await temporary()
  const bin = join(await fakePackage(folder.path), 'bin')
  const cache = await cacheFolder({ XDG_CACHE_HOME: folder.path })
  const [old, fresh] = ['chromium-1.2.3.unfinished-1-a', 'chromium-1.2.3.unfinished-2-b'].map(name => join(cache, name)) as [string, string]
  for (const path of [old, fresh]) await mkdir(path)
  await utimes(old, 0, 0)
  await unpack({ bin, version: '1.2.3', cache })
  expect(await readdir(cache)).toEqual(['chromium-1.2.3', 'chromium-1.2.3.unfinished-2-b'])
})

test('a failed unpacking leaves nothing behind', async () => {
  await using folder = await temporary()
  const bin = join(await fakePackage(folder.path), 'bin')
  await writeFile(join(bin, 'chromium.br'), 'not brotli')
  const cache = await cacheFolder({ XDG_CACHE_HOME: folder.path })
  await expect(unpack({ bin, version: '1.2.3', cache })).rejects.toThrow()
  expect(await readdir(cache)).toEqual([])
})

test('without a writable home folder, the cache is a private folder in the temp folder', async () => {
  await using folder = await temporary()
  const cache = await cacheFolder({ HOME: join(folder.path, 'missing') }, folder.path)
  expect(dirname(cache)).toBe(folder.path)
  expect((await stat(cache)).mode & 0o777).toBe(0o700)
  await chmod(cache, 0o777)
  await expect(cacheFolder({}, folder.path)).rejects.toThrow('other users can enter it')
})

test('an archive with a path outside its folder is refused', async () => {
  await using folder = await temporary()
  const bin = join(await fakePackage(folder.path), 'bin')
  await writeFile(join(bin, 'fonts.tar.br'), brotliCompressSync(tar({ '../../escaped': 'x' })))
  await expect(unpack({ bin, version: '1.2.3', cache: folder.path })).rejects.toThrow('a path outside its folder')
})

async function temporary(): Promise<{ path: string; [Symbol.asyncDispose](): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'pagehand-find-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

async function program(path: string, script = 'exit 0'): Promise<string> {
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

/** a miniature @sparticuz/chromium whose browser is a shell script */
async function fakePackage(folder: string, { script = 'exit 0', version = '1.2.3' } = {}): Promise<string> {
  const path = join(folder, 'package')
  const write = (name: string, content: Buffer | string) => writeFile(join(path, 'bin', `${name}.br`), brotliCompressSync(content))
  await mkdir(join(path, 'bin'), { recursive: true })
  await writeFile(join(path, 'package.json'), JSON.stringify({ version }))
  await write('chromium', `#!/bin/sh\n${script}\n`)
  await write('al2023.tar', tar({ 'lib/libnss3.so': 'nss', 'lib/libnspr4.so': 'x'.repeat(600) }))
  await write('fonts.tar', tar({ 'fonts.conf': '', 'fonts/a.ttf': 'font' }))
  await write('swiftshader.tar', tar({ 'libGLESv2.so': 'gl' }))
  return path
}

function tar(files: Record<string, string>): Buffer {
  const blocks = Object.entries(files).map(([name, content]) => {
    const block = Buffer.alloc(512 + Math.ceil(content.length / 512) * 512)
    block.write(name, 0)
    block.write('0000755\0', 100)
    block.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
    block.write('0', 156)
    block.write(content, 512)
    return block
  })
  return Buffer.concat([...blocks, Buffer.alloc(1_024)])
}

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve, win32 } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUrlPolicy } from '../../../src/drivers/cdp/navigation/url-policy.ts'
import { defaultRoots, isTooWide, refusalOf, requireNarrowRoots } from '../../../src/drivers/cdp/storage/allowed-paths.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pagehand-test-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the working directory is the default root, but neither the root of the file system nor the home folder (E5)', () => {
  expect(defaultRoots()).toEqual([process.cwd()])
  expect(defaultRoots('docs')).toEqual([resolve('docs')])
  expect(defaultRoots('/')).toEqual([])
  expect(defaultRoots(homedir())).toEqual([])
  expect(defaultRoots(`${homedir()}/.`)).toEqual([])
})

test('a drive, the home folder, a folder that contains it and a link to one of them are never roots (E5)', () => {
  const home = join(folder, 'users', 'me')
  mkdirSync(join(home, 'work'), { recursive: true })
  symlinkSync(home, join(folder, 'link'))
  for (const wide of ['/', home, `${home}/`, dirname(home), folder, join(home, 'work', '..'), join(folder, 'link')])
    expect(isTooWide(wide, { home }), wide).toBe(true)
  for (const narrow of [join(home, 'work'), join(folder, 'other'), `${home}2`]) expect(isTooWide(narrow, { home }), narrow).toBe(false)
  const windows = { home: 'C:\\Users\\Me', path: win32 }
  for (const wide of ['C:\\', 'D:\\', 'C:\\Users', 'C:\\Users\\Me', '\\\\server\\share\\'])
    expect(isTooWide(wide, windows), wide).toBe(true)
  for (const narrow of ['C:\\Users\\Me\\work', 'D:\\work']) expect(isTooWide(narrow, windows), narrow).toBe(false)
  expect(() => requireNarrowRoots(['docs', '/'], 'fileRoots')).toThrow(/^fileRoots: "\/" is the root of a drive/)
  expect(requireNarrowRoots(['docs'], 'uploadRoots')).toEqual(['docs'])
})

test('hidden files and folders are allowed only by a root that names them (E5)', async () => {
  const hidden = ['.env', '.ENV', '.git/config', 'sub/.npmrc', '..secret']
  for (const path of hidden) expect(await refusalOf(join(folder, path), [folder]), path).toMatchObject({ why: 'hidden' })
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.env'), '')
  expect(await refusalOf(join(folder, '.env'), [folder, join(folder, '.env')])).toBeUndefined()
  expect(await refusalOf(join(folder, '.git', 'config'), [join(folder, '.git')])).toBeUndefined()
  expect(await refusalOf(join(folder, '.git', '.x'), [join(folder, '.git')])).toEqual({ why: 'hidden', name: '.x' })
  expect(await refusalOf(join(folder, 'a.b', 'c.txt'), [folder])).toBeUndefined()
  expect(await refusalOf(`${folder}2`, [folder])).toEqual({ why: 'outside' })
})

test('profiles, uploads and screenshots of sessions are hidden, also if their folder is below a root (E5)', async () => {
  vi.stubEnv('PAGEHAND_HOME', join(folder, 'home'))
  try {
    for (const path of ['home/tmp/profile-a/Default/Cookies', 'home/profiles/mine/Default/Cookies', 'home/tmp/screenshots/001.png'])
      expect(await refusalOf(join(folder, path), [folder]), path).toEqual({ why: 'hidden', name: expect.stringMatching(/^(home|tmp)$/) })
    mkdirSync(join(folder, 'home', 'tmp'), { recursive: true })
    expect(await refusalOf(join(folder, 'home/tmp/screenshots/001.png'), [join(folder, 'home/tmp')])).toBeUndefined()
    expect(await refusalOf(join(folder, 'homework.txt'), [folder])).toBeUndefined()
  } finally {
    vi.unstubAllEnvs()
  }
})

test('a file URL is judged by the file that it means, however it is spelled (B4, E5)', async ({ task }) => {
  task.meta.tries = 15
  mkdirSync(join(folder, 'in', '.git'), { recursive: true })
  for (const name of ['in/page.html', 'in/.env', 'in/.git/config', 'out.txt']) writeFileSync(join(folder, name), '')
  symlinkSync(join(folder, 'in', '.env'), join(folder, 'in', 'plain.txt'))
  symlinkSync(join(folder, 'out.txt'), join(folder, 'in', 'out.txt'))
  const policy = createUrlPolicy({ fileRoots: [join(folder, 'in')], hosts: undefined, endpoint: () => undefined })
  const base = pathToFileURL(join(folder, 'in')).href
  expect(await policy.check(`${base}/page.html`)).toBe(`${base}/page.html`)
  for (const path of ['.env', '%2eenv', '%2Eenv', '.git/config', '%2egit/config', 'x/%2e%2e/.env', 'plain.txt'])
    await expect(policy.check(`${base}/${path}`), path).rejects.toMatchObject({
      code: 'url_not_allowed',
      message: expect.stringMatching(/is hidden; .*fileRoots \(--file-root\) names them exactly/),
    })
  for (const path of ['../out.txt', '%2e%2e/out.txt', '%2E./out.txt', 'out.txt', '..%2fout.txt', '..%5cout.txt'])
    await expect(policy.check(`${base}/${path}`), path).rejects.toMatchObject({ code: 'url_not_allowed' })
  const exact = createUrlPolicy({ fileRoots: [join(folder, 'in', '.env')], hosts: undefined, endpoint: () => undefined })
  expect(await exact.check(`${base}/%2eenv`)).toContain('env')
  await expect(exact.check(`${base}/page.html`)).rejects.toMatchObject({ message: expect.stringContaining('--file-root') })
})

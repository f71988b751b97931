import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Uploads } from '../../../src/drivers/cdp/storage/uploads.ts'

let folder: string
let inside: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pagehand-test-')))
  inside = join(folder, 'in')
  mkdirSync(inside)
  writeFileSync(join(inside, 'a.txt'), 'inside')
  writeFileSync(join(folder, 'secret.txt'), 'secret')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('only files below the roots are copied, after resolving symlinks (E5)', async () => {
  symlinkSync(join(folder, 'secret.txt'), join(inside, 'link.txt'))
  symlinkSync(folder, join(inside, 'up'))
  writeFileSync(join(inside, '.env'), 'KEY=1')
  const uploads = new Uploads([inside])
  const copy = await uploads.copy(join(inside, 'a.txt'))
  expect([basename(copy), readFileSync(copy, 'utf8'), copy.startsWith(folder)]).toEqual(['a.txt', 'inside', false])
  for (const path of ['secret.txt', 'in/link.txt', 'in/../secret.txt', 'in/up/secret.txt', 'nowhere.txt'])
    await expect(uploads.copy(join(folder, path)), path).rejects.toMatchObject({
      code: 'disabled',
      message: expect.stringMatching(/outside the allowed folders.*uploadRoots \(--upload-root\)/),
    })
  await expect(uploads.copy(join(inside, '.env'))).rejects.toMatchObject({ code: 'disabled', message: expect.stringContaining('hidden') })
  await expect(new Uploads([]).copy(join(inside, 'a.txt'))).rejects.toMatchObject({ message: expect.stringContaining('no folder is') })
  for (const path of ['none.txt', '.']) await expect(uploads.copy(join(inside, path))).rejects.toMatchObject({ code: 'invalid_input' })
  await uploads.remove()
})

test('a named pipe is not a file, and is not waited for', async () => {
  expect(spawnSync('mkfifo', [join(inside, 'pipe')]).status).toBe(0)
  await expect(new Uploads([inside]).copy(join(inside, 'pipe'))).rejects.toMatchObject({ code: 'invalid_input' })
})

test('copies are private, keep their name and time, and are removed together (E5)', async () => {
  mkdirSync(join(inside, 'sub'))
  writeFileSync(join(inside, 'sub', 'a.txt'), 'other')
  const uploads = new Uploads([inside])
  const copies = await Promise.all([uploads.copy(join(inside, 'a.txt')), uploads.copy(join(inside, 'sub', 'a.txt'))])
  expect(copies.map(copy => readFileSync(copy, 'utf8'))).toEqual(['inside', 'other'])
  const root = dirname(dirname(copies[0] as string))
  expect([statSync(root).mode & 0o777, statSync(dirname(copies[0] as string)).mode & 0o777]).toEqual([0o700, 0o700])
  expect(Math.abs(statSync(copies[0] as string).mtimeMs - statSync(join(inside, 'a.txt')).mtimeMs)).toBeLessThan(2)
  await uploads.remove()
  expect(existsSync(root)).toBe(false)
})

test('the files of a session have a total size limit, and a file that exceeds it leaves no copy', async () => {
  writeFileSync(join(inside, 'large.txt'), 'x'.repeat(2_000))
  const uploads = new Uploads([inside], 1_000)
  const small = await uploads.copy(join(inside, 'a.txt'))
  await expect(uploads.copy(join(inside, 'large.txt'))).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('the limit is 1000 bytes'),
  })
  expect(existsSync(join(dirname(dirname(small)), '2'))).toBe(false)
  expect(await uploads.copy(join(inside, 'a.txt'))).toContain('a.txt')
  await uploads.remove()
})

test('a file or folder that is replaced by a link while it is checked never gives away another file (E5)', async ({ task }) => {
  task.meta.tries = 60
  mkdirSync(join(inside, 'sub'))
  mkdirSync(join(folder, 'other'))
  for (const path of ['in/sub/a.txt', 'in/b.txt']) writeFileSync(join(folder, path), 'inside')
  writeFileSync(join(folder, 'other', 'a.txt'), 'secret')
  const uploads = new Uploads([inside])
  const swap = (name: string, target: string) => {
    renameSync(join(inside, name), join(folder, 'kept'))
    symlinkSync(target, join(inside, name))
    return () => {
      rmSync(join(inside, name))
      renameSync(join(folder, 'kept'), join(inside, name))
    }
  }
  const seen = new Set<string>()
  // each round swaps at another moment of the copy
  for (let round = 0; round < 60; round++) {
    const [name, path, target] = round % 2 ? ['sub', 'sub/a.txt', join(folder, 'other')] : ['b.txt', 'b.txt', join(folder, 'secret.txt')]
    const copying = uploads.copy(join(inside, path as string)).then(
      copy => readFileSync(copy, 'utf8'),
      (error: { code: string }) => error.code,
    )
    for (let turn = 0; turn < round / 6; turn++) await new Promise(setImmediate)
    const restore = swap(name as string, target as string)
    if (round % 3 === 0) {
      restore()
      seen.add(await copying)
    } else {
      seen.add(await copying)
      restore()
    }
  }
  await uploads.remove()
  expect([...seen].filter(each => !['inside', 'disabled', 'invalid_input'].includes(each))).toEqual([])
})

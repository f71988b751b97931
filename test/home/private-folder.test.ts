import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assertPrivate, createPrivateFolder, createTemporaryRoot, homeFolder, temporaryFolder } from '../../src/home/private-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagehand-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('PAGEHAND_HOME holds what is kept and what is temporary', () => {
  const env = { PAGEHAND_HOME: join(folder, 'home'), XDG_DATA_HOME: join(folder, 'data'), TMPDIR: folder }
  expect(homeFolder(env)).toBe(join(folder, 'home'))
  expect(createTemporaryRoot(env)).toBe(join(folder, 'home', 'tmp'))
  for (const path of [homeFolder(env), temporaryFolder(env)]) expect(statSync(path).mode & 0o777).toBe(0o700)
})

test.runIf(process.platform === 'linux')('without PAGEHAND_HOME the data folder holds what is kept, the temporary folder the rest', () => {
  const env = { XDG_DATA_HOME: join(folder, 'data'), TMPDIR: folder }
  expect(homeFolder(env)).toBe(join(folder, 'data', 'pagehand'))
  expect(createTemporaryRoot(env)).toBe(join(folder, `pagehand-${process.getuid?.()}`))
})

test.runIf(process.getuid)('a folder that other users can enter is refused (F1)', () => {
  const path = createPrivateFolder(join(folder, 'mine'))
  for (const mode of [0o711, 0o750, 0o777]) {
    chmodSync(path, mode)
    expect(() => assertPrivate(path), mode.toString(8)).toThrow('other users can enter it')
  }
})

test.runIf(process.getuid)('a link is refused, wherever it leads (F1)', () => {
  createPrivateFolder(join(folder, 'mine'))
  symlinkSync(join(folder, 'mine'), join(folder, 'link'))
  expect(() => createPrivateFolder(join(folder, 'link'))).toThrow('belongs to another user')
})

test.runIf(process.getuid?.() === 0)('if another user has taken the name in the temporary folder, nothing is put there (F1)', () => {
  const env = { XDG_DATA_HOME: join(folder, 'data'), TMPDIR: folder }
  mkdirSync(temporaryFolder(env), { mode: 0o700 })
  chownSync(temporaryFolder(env), 65_534, 65_534)
  expect(() => createPrivateFolder(temporaryFolder(env))).toThrow('belongs to another user')
  expect(createTemporaryRoot(env)).toBe(join(folder, 'data', 'pagehand', 'tmp'))
})

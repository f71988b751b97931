import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Approvals } from '../../apps/studio/server/chats/approvals.ts'
import { ChatFiles, keepDownload, toFileName } from '../../apps/studio/server/chats/chat-files.ts'
import { defaultSettings } from '../../apps/studio/server/settings.ts'
import type { AnyCommand, AnyRun } from '../../src/contract/run.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagehand-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Windows\\win.ini', 'win.ini'],
  ['..', 'file'],
  ['.bashrc', 'bashrc'],
  ['', 'file'],
  ['a\u202Efdp.exe', 'a_fdp.exe'],
  ['a\nb\u0000"<script>.txt', 'a_b___script_.txt'],
  ['报告 2026.pdf', '报告 2026.pdf'],
  ['trailing. . ', 'trailing'],
])('the file name %j is kept as %j', (given, kept) => {
  expect(toFileName(given)).toBe(kept)
  expect(toFileName(kept)).toBe(kept)
})

test('a long name keeps its extension, and two files with one name are both kept', async () => {
  expect(toFileName(`${'x'.repeat(300)}.pdf`)).toMatch(/^x{96}\.pdf$/)
  const files = new ChatFiles(join(folder, 'chat'))
  expect(await files.add('a.txt', Buffer.from('one'))).toEqual({ name: 'a.txt', bytes: 3 })
  expect(await files.add('a.txt', Buffer.from('other'))).toEqual({ name: 'a (2).txt', bytes: 5 })
  expect(await readFile(join(files.folder, 'a.txt'), 'utf8')).toBe('one')
  if (process.platform === 'win32') return
  expect((await stat(files.folder)).mode & 0o777).toBe(0o700)
  expect((await stat(join(files.folder, 'a.txt'))).mode & 0o777).toBe(0o600)
})

test('only a file with exactly the name is found or removed', async () => {
  const files = new ChatFiles(join(folder, 'chat'))
  await files.add('a.txt', Buffer.from('one'))
  await writeFile(join(folder, 'outside.txt'), 'secret')
  for (const name of ['../outside.txt', './a.txt', 'a.txt/', '', '.', 'b.txt']) expect(await files.find(name), name).toBeUndefined()
  await files.remove('../outside.txt')
  expect(await readdir(folder)).toContain('outside.txt')
  expect(await files.find('a.txt')).toEqual({ name: 'a.txt', bytes: 3 })
  await files.remove('a.txt')
  expect(await files.find('a.txt')).toBeUndefined()
})

test('a chat has at most fifty files', async () => {
  const files = new ChatFiles(join(folder, 'chat'))
  for (let n = 0; n < 50; n++) expect(await files.add(`${n}.txt`, new Uint8Array())).toBeDefined()
  expect(await files.add('one more.txt', new Uint8Array())).toBeUndefined()
})

test('a download moves to its run, and never replaces or follows what is there', async () => {
  await writeFile(join(folder, 'outside.txt'), 'secret')
  await symlink(join(folder, 'outside.txt'), join(folder, 'report.csv'))
  await writeFile(join(folder, 'from'), 'a,b')
  expect(await keepDownload(join(folder, 'from'), folder, 'report.csv')).toBe('report (2).csv')
  expect(await readFile(join(folder, 'outside.txt'), 'utf8')).toBe('secret')
  expect(await readdir(folder)).not.toContain('from')
})

test('an upload takes attached files only, by name, also as one of several actions', async () => {
  const files = new ChatFiles('/data/files/c1')
  const { check, locate } = files.uploads([{ name: 'a.txt', bytes: 1 }])
  const ran: AnyCommand[] = []
  const driver: AnyRun = async command => {
    ran.push(command)
    return { ok: true, data: {} }
  }
  const run = check(locate(driver))
  const upload = (...names: string[]) => ({ name: 'upload', ref: 'e1', files: names })
  expect(await run(upload('a.txt'))).toMatchObject({ ok: true })
  expect(ran).toEqual([upload(join('/data/files/c1', 'a.txt'))])
  for (const name of ['b.txt', '/data/files/c1/a.txt', '../c2/a.txt', 'A.txt', '']) {
    const refused = { ok: false, error: { code: 'disabled', message: expect.stringContaining('"a.txt"') } }
    expect(await run(upload('a.txt', name)), name).toMatchObject(refused)
    expect(await run({ name: 'joint', commands: [{ name: 'click', ref: 'e2' }, upload(name)] } as AnyCommand), name).toMatchObject(refused)
  }
  expect(ran).toHaveLength(1)
})

test('a browser that can neither take nor give files is not asked about them', () => {
  const policyWith = (files: [] | undefined) =>
    new Approvals({ grants: {} } as never, folder).forRun({ chatId: 'c', settings: defaultSettings, files, onApproval() {} }).approvals
      ?.policy
  expect(policyWith(undefined)).toMatchObject({ classes: { upload: 'deny', download: 'deny', submit: 'ask' } })
  expect(policyWith([])).toMatchObject({ classes: { upload: 'ask', download: 'ask' } })
})

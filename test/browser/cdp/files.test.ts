import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { homedir, hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSession } from '../../../src/browser.ts'
import { launch } from '../../../src/drivers/cdp/browser/launch.ts'
import { createTemporaryRoot } from '../../../src/home/private-folder.ts'
import { currentProcess } from '../../../src/home/process-identity.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { openTestSession, wrapSession } from '../../support/test-session.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagehand-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const downloading = () =>
  serve((request, response) => {
    if (request.url === '/') return sendHtml('<title>t</title>')(request, response)
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="..%2F..%2Fevil${request.url?.slice(1)}.txt"`,
    })
    return response.end('x'.repeat(1_000))
  })
const clickTwenty = `for (let i = 0; i < 20; i++) { const a = document.createElement('a'); a.href = '/' + i; a.download = '../../up' + i + '.txt'; a.click() } 0`

test('downloads are refused by default, and no file is written (B5)', async () => {
  await using server = await downloading()
  // the default download folder of a browser
  const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache') }
  await using session = await openTestSession({}, { allowEval: true, launch: { env } })
  await session.do('open', { url: server.url })
  const notes: string[] = []
  notes.push(...((await session.do('evaluate', { js: clickTwenty })).notes ?? []))
  await expect
    .poll(async () => {
      notes.push(...((await session.do('evaluate', { js: '1' })).notes ?? []))
      return notes.join('\n')
    })
    .toContain('downloads are disabled')
  expect(session.session.status().downloads).toBe('off')
  expect((await readdir(folder, { recursive: true })).filter(name => /evil|up\d|crdownload/.test(name))).toEqual([])
  expect(await session.fails('open', { url: `${server.url}1` })).toMatchObject({ code: 'navigation_failed' })
})

test('allowed downloads are stored in one folder, under sanitized names, up to a maximum number (B5)', async () => {
  await using server = await downloading()
  const target = join(folder, 'down')
  await using session = await openTestSession({}, { allowEval: true, downloads: { folder: target, maxFiles: 3, maxBytes: 10_000 } })
  await session.do('open', { url: server.url })
  await session.do('evaluate', { js: clickTwenty })
  await expect.poll(() => (session.session.status().downloads as unknown[]).length).toBe(3)
  await expect.poll(async () => (await readdir(target)).length).toBe(3)
  for (const name of await readdir(target)) expect(name).toMatch(/^[\p{L}\p{N} _()-][\p{L}\p{N} ._()-]*$/u)
  expect(await readdir(folder)).toEqual(['down'])
  expect(await readFile(join(target, (await readdir(target))[0] ?? ''), 'utf8')).toBe('x'.repeat(1_000))
})

test.each([
  ['data:', '<a href="data:text/plain,hello" download="made.txt">Save</a>'],
  ['blob:', '<a id=a download="made.txt">Save</a><script>a.href = URL.createObjectURL(new Blob(["hello"]))</script>'],
])('a file that the page makes itself is saved from a %s URL', async (_, html) => {
  const target = join(folder, 'down')
  await using session = await openTestSession({ html }, { downloads: { folder: target } })
  await session.do('click', { ref: await session.ref('link "Save"') })
  await expect.poll(() => session.session.status().downloads).toEqual([{ name: 'made.txt', bytes: 5 }])
  expect(await readFile(join(target, 'made.txt'), 'utf8')).toBe('hello')
})

test('a download whose URL is too long to be reported is stopped, and nothing of it stays', async () => {
  const target = join(folder, 'down')
  const html = '<a id=a download="made.txt">Save</a><script>a.href = "data:text/plain," + "x".repeat(9_000_000)</script>'
  await using session = await openTestSession({ html }, { downloads: { folder: target } })
  const notes = [...((await session.do('click', { ref: await session.ref('link "Save"') })).notes ?? [])]
  await expect
    .poll(async () => {
      notes.push(...((await session.do('tabs', { operation: 'list' })).notes ?? []))
      return notes
    })
    .toEqual(['A download was stopped: its URL is too long.'])
  await expect.poll(() => readdir(target)).toEqual([])
})

test('a download larger than maxBytes is canceled and removed', async () => {
  await using server = await downloading()
  const target = join(folder, 'down')
  await using session = await openTestSession({}, { allowEval: true, downloads: { folder: target, maxBytes: 100 } })
  await session.do('open', { url: server.url })
  // the download may be canceled before the command that started it has ended
  const notes = [...((await session.do('evaluate', { js: `location = '/1'; 0` })).notes ?? [])]
  await expect
    .poll(async () => {
      notes.push(...((await session.do('tabs', { operation: 'list' })).notes ?? []))
      return notes.join('\n')
    })
    .toContain('the limit is 100 bytes')
  await expect.poll(() => readdir(target)).toEqual([])
})

test('a download never replaces a file, and downloads of one name at the same time get different names (B5)', async ({ task }) => {
  task.meta.tries = 7
  await using server = await serve((request, response) => {
    if (request.url === '/') return sendHtml('<title>t</title>')(request, response)
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="report.pdf"' })
    return response.end(`from the page ${request.url}`)
  })
  await writeFile(join(folder, 'report.pdf'), 'mine')
  await using session = await openTestSession({}, { allowEval: true, downloads: { folder } })
  await session.do('open', { url: server.url })
  await session.do('evaluate', {
    js: `for (let i = 1; i <= 6; i++) { const a = document.createElement('a'); a.href = '/' + i; a.download = 'report.pdf'; a.click() } 0`,
  })
  await expect.poll(() => (session.session.status().downloads as unknown[]).length).toBe(6)
  const names = (await readdir(folder)).sort()
  expect(names).toEqual([
    'report (2).pdf',
    'report (3).pdf',
    'report (4).pdf',
    'report (5).pdf',
    'report (6).pdf',
    'report (7).pdf',
    'report.pdf',
  ])
  const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))
  expect(texts.sort()).toEqual([
    'from the page /1',
    'from the page /2',
    'from the page /3',
    'from the page /4',
    'from the page /5',
    'from the page /6',
    'mine',
  ])
})

test('a file that is replaced by a link after the upload was checked is sent as it was (E5)', async () => {
  let sent = ''
  await using server = await serve((request, response) => {
    request.setEncoding('utf8').on('data', chunk => {
      sent += chunk
    })
    const form = '<form method=post enctype=multipart/form-data><input type=file name=f aria-label=File><button>Send</button></form>'
    request.on('end', () => sendHtml(form)(request, response))
  })
  await mkdir(join(folder, 'in'))
  const [inner, outer] = [join(folder, 'in', 'up.txt'), join(folder, 'secret.txt')]
  // the same size and time: Chromium itself would notice other changes
  for (const [path, text] of [
    [inner, 'inside'],
    [outer, 'secret'],
  ] as const) {
    await writeFile(path, text)
    await utimes(path, 1_000, 1_000)
  }
  const session = await openTestSession({}, { uploadRoots: [join(folder, 'in')] })
  const uploads = async () => (await readdir(createTemporaryRoot())).filter(name => name.startsWith('uploads-'))
  const left = await uploads()
  try {
    await session.do('open', { url: server.url })
    await session.do('upload', { ref: await session.ref('File'), files: [inner] })
    await rm(inner)
    await symlink(outer, inner)
    await session.do('click', { ref: await session.ref('button "Send"') })
    await expect.poll(() => sent).toContain('filename="up.txt"')
    expect(sent).toContain('inside')
    expect(sent).not.toContain('secret')
  } finally {
    await session[Symbol.asyncDispose]()
  }
  expect(await uploads()).toEqual(left)
})

test('cookies, local storage and IndexedDB are restored in another session, with a report per origin', async () => {
  await using server = await serve(sendHtml('<title>t</title>'))
  await using first = await openTestSession({}, { allowEval: true })
  await first.do('open', { url: server.url })
  await first.do('evaluate', {
    js: `(async () => {
      document.cookie = 'a=1; max-age=1000'; localStorage.setItem('k', 'v')
      const open = indexedDB.open('db', 3)
      open.onupgradeneeded = () => open.result.createObjectStore('s', { keyPath: 'id' }).createIndex('by', 'when')
      const db = await new Promise(done => { open.onsuccess = () => done(open.result) })
      const put = db.transaction('s', 'readwrite').objectStore('s')
      put.put({ id: 1, when: new Date(5), bytes: new Uint8Array([1, 2]), more: [undefined, { big: 10n }] })
      put.put({ id: 2, map: new Map() })
      await new Promise(done => { put.transaction.oncomplete = done })
    })()`,
  })
  const state = JSON.parse(JSON.stringify(await first.session.storageState()))
  const origin = new URL(server.url).origin
  expect(state.report).toEqual([{ origin, localStorage: 1, indexedDB: 1, missing: expect.stringContaining('1 records') }])

  await using second = await openTestSession({}, { allowEval: true, storageState: state })
  expect(second.session.status().storage).toEqual([{ origin, localStorage: 1, indexedDB: 1 }])
  await second.do('open', { url: server.url })
  expect((await second.do('tabs', { operation: 'list' })).tabs).toHaveLength(1)
  const { value } = await second.do('evaluate', {
    js: `(async () => {
      const open = indexedDB.open('db')
      const db = await new Promise(done => { open.onsuccess = () => done(open.result) })
      const got = db.transaction('s').objectStore('s').get(1)
      const { when, bytes, more } = await new Promise(done => { got.onsuccess = () => done(got.result) })
      return [document.cookie, localStorage.getItem('k'), db.version, when.getTime(), ...bytes, more[1].big === 10n, 0 in more && more[0] === undefined].join()
    })()`,
  })
  expect(value).toBe('"a=1,v,3,5,1,2,true,true"')
})

test('a named profile must exist or be created explicitly, keeps its data, and is locked while in use (S4-09 S4-27)', async () => {
  const before = process.env.XDG_DATA_HOME
  process.env.XDG_DATA_HOME = folder
  try {
    await expect(openSession({ profile: 'nobody' })).rejects.toMatchObject({
      code: 'unknown_profile',
      message: expect.stringContaining('chrome, temporary'),
    })
    await expect(openSession({ profile: '../up', createProfile: true })).rejects.toMatchObject({ code: 'unknown_profile' })
    await using server = await serve(sendHtml('<title>t</title>'))
    for (const expected of ['""', '"kept=1"']) {
      await using session = await openSession({ profile: 'work', ...(expected === '""' && { createProfile: true }), allowEval: true })
      const commands = wrapSession(session)
      expect(session.status()).toMatchObject({ profile: 'work', mode: 'launched' })
      await commands.do('open', { url: server.url })
      expect(await commands.do('evaluate', { js: 'document.cookie' })).toMatchObject({ value: expected })
      await commands.do('evaluate', { js: 'document.cookie = "kept=1; max-age=10000"' })
      // another browser is refused, and the message names the owner
      await expect(launch({ profileDir: join(folder, 'pagehand', 'profiles', 'work') })).rejects.toMatchObject({
        code: 'profile_in_use',
        message: expect.stringContaining(`process ${process.pid}`),
      })
    }
  } finally {
    if (before === undefined) delete process.env.XDG_DATA_HOME
    else process.env.XDG_DATA_HOME = before
  }
})

test('a profile lock of a dead process is taken over; one of a live process or another host is reported (F7)', async () => {
  const dead = spawn(process.execPath, ['-e', ''])
  await once(dead, 'exit')
  const owner = (of: object) => writeFile(join(folder, 'pagehand-owner.json'), JSON.stringify({ ...currentProcess(), ...of }))
  const fails = (message: string) =>
    expect(launch({ profileDir: folder })).rejects.toMatchObject({ code: 'profile_in_use', message: expect.stringContaining(message) })
  await owner({})
  await fails(`process ${process.pid}`)
  await owner({ host: 'another-machine' })
  await fails('on "another-machine"')
  await rm(join(folder, 'pagehand-owner.json'))
  await symlink('another-machine-5', join(folder, 'SingletonLock'))
  await fails('process 5 on "another-machine"')
  await rm(join(folder, 'SingletonLock'))

  // a reused pid belongs to a process with another start time
  await owner({ started: '1' })
  await symlink(`${hostname()}-${dead.pid}`, join(folder, 'SingletonLock'))
  await (await launch({ profileDir: folder })).close()
  await owner({ pid: dead.pid })
  await (await launch({ profileDir: folder })).close()
  expect(existsSync(join(folder, 'pagehand-owner.json'))).toBe(false)
})

test('launch removes the profiles of dead processes and keeps those that may be in use (F1)', async () => {
  const dead = spawn(process.execPath, ['-e', ''])
  await once(dead, 'exit')
  const leave = async (name: string, owner?: object) => {
    const left = join(createTemporaryRoot(), `profile-${name}`)
    await mkdir(join(left, 'Default'), { recursive: true, mode: 0o700 })
    if (owner) await writeFile(join(left, 'pagehand-owner.json'), JSON.stringify({ ...currentProcess(), ...owner }))
    return left
  }
  const goes = [await leave('dead', { pid: dead.pid }), await leave('reused', { started: '1' })]
  const empty = join(createTemporaryRoot(), 'profile-empty')
  await mkdir(empty, { mode: 0o700 })
  await utimes(empty, 1, 1)
  const stays = [await leave('alive', {}), await leave('elsewhere', { host: 'another-machine', pid: dead.pid }), await leave('unknown')]
  try {
    await (await launch()).close()
    for (const left of [...goes, empty]) expect(existsSync(left), left).toBe(false)
    for (const left of stays) expect(existsSync(left), left).toBe(true)
  } finally {
    for (const left of stays) await rm(left, { recursive: true })
  }
})

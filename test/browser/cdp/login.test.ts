import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, openLogin, openSession } from '../../../src/browser.ts'
import { serve } from '../../support/http-server.ts'
import { until } from '../../support/processes.ts'
import { wrapSession } from '../../support/test-session.ts'

const home = mkdtempSync(join(tmpdir(), 'pagehand-home-'))
const before = process.env.PAGEHAND_HOME
beforeAll(() => {
  process.env.PAGEHAND_HOME = home
})
afterAll(async () => {
  if (before === undefined) delete process.env.PAGEHAND_HOME
  else process.env.PAGEHAND_HOME = before
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

/** A site with a login: /login logs in at once, every other page wants the cookies and leads to /form without them. */
async function startSite() {
  const seen: string[] = []
  const server = await serve((request: IncomingMessage, response: ServerResponse) => {
    const { url = '/', headers } = request
    seen.push(`${url} ${headers.cookie ?? ''}`.trim())
    const html = { 'content-type': 'text/html' }
    if (url.startsWith('/login')) {
      const cookies = ['sid=kept-1; Max-Age=86400; HttpOnly', 'once=session-2; HttpOnly']
      const script = `localStorage.setItem('user','tea'); fetch('/ready')${url.includes('close') ? '.then(() => setTimeout(close, 1500))' : ''}`
      response.writeHead(200, { ...html, 'set-cookie': cookies }).end(`<title>in</title><script>${script}</script>`)
    } else if (url === '/form') response.writeHead(200, html).end('<title>log in</title><input type=password>')
    else if (url === '/ready') response.end()
    else if (headers.cookie?.includes('sid=kept-1')) response.writeHead(200, html).end('<title>home</title><p>Welcome</p>')
    else response.writeHead(302, { location: '/form' }).end()
  })
  const ready = () => until(() => seen.some(each => each.startsWith('/ready')), { withinMs: 20_000, what: 'the login' })
  return { ...server, seen, ready, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const headless = { launch: { headless: true } }
const textIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

test('a login by hand is kept by its profile, also the cookies that end with the browser', async () => {
  await using site = await startSite()
  const window = await openLogin({ url: `${site.url}login`, profile: 'tea', ...headless })
  await site.ready()
  const stored = await window.save()
  expect(stored).toMatchObject({ cookies: 2, origins: 1, cookiesOnly: false, isEncrypted: false })
  if (process.platform !== 'win32') expect(statSync(stored.file).mode & 0o777).toBe(0o600)

  await using session = await openSession({ profile: 'tea', allowEval: true })
  const opened = await wrapSession(session).do('open', { url: `${site.url}account` })
  expect(opened.page.title).toBe('home')
  expect(opened.notes ?? []).toEqual([])
  const account = site.seen.find(each => each.startsWith('/account'))
  expect(account).toContain('sid=kept-1')
  expect(account).toContain('once=session-2')
  expect(await wrapSession(session).do('evaluate', { js: 'localStorage.getItem("user")' })).toMatchObject({ value: '"tea"' })
})

test('a window that is canceled leaves nothing of a new profile', async () => {
  await using site = await startSite()
  const window = await openLogin({ url: `${site.url}login`, profile: 'canceled', ...headless })
  expect(window.keepsProfile).toBe(false)
  await site.ready()
  await window.cancel()
  expect(readdirSync(join(home, 'profiles'))).not.toContain('canceled')
  // a profile that was there before stays
  const other = await openLogin({ url: `${site.url}login`, profile: 'tea', ...headless })
  expect(other.keepsProfile).toBe(true)
  await other.cancel()
  expect(readdirSync(join(home, 'profiles'))).toContain('tea')
})

test('with a key only the encrypted login is kept, and it opens with this key only', async () => {
  await using site = await startSite()
  const window = await openLogin({ url: `${site.url}login`, profile: 'sealed', key: 'a long key', ...headless })
  await site.ready()
  expect(await window.save()).toMatchObject({ cookies: 2, isEncrypted: true })
  const folder = join(home, 'profiles', 'sealed')
  expect(readdirSync(folder)).toEqual(['pagehand-login.json'])
  expect(textIn(folder)).not.toMatch(/kept-1|session-2|127\.0\.0\.1/)

  for (const key of [undefined, 'another key'])
    await expect(openSession({ profile: 'sealed', ...(key && { loginKey: key }) })).rejects.toMatchObject({ code: 'login_locked' })
  await using session = await openSession({ profile: 'sealed', loginKey: 'a long key' })
  expect((await wrapSession(session).do('open', { url: `${site.url}account` })).page.title).toBe('home')
  await session.close()
  expect(readdirSync(folder)).toEqual(['pagehand-login.json'])
})

test('a window that the person closes has stored its cookies', async () => {
  await using site = await startSite()
  const window = await openLogin({ url: `${site.url}login?close`, profile: 'closed', key: 'k', ...headless })
  await window.closed
  expect(await window.save()).toMatchObject({ cookies: 2, origins: 0, cookiesOnly: true })
})

test('a page that leads to a password field although a login was stored is reported once, and expired cookies are named', async () => {
  await using site = await startSite()
  const common = { domain: '127.0.0.1', path: '/', httpOnly: true, secure: false, size: 8 }
  const stale = { ...common, name: 'sid', value: 'old', expires: Date.now() / 1_000 + 1_000, session: false }
  const state = { cookies: [stale as never], origins: [], report: [] }
  await using session = await openSession({ storageState: state })
  const commands = wrapSession(session)
  const [first, second] = [
    await commands.do('open', { url: `${site.url}account` }),
    await commands.do('open', { url: `${site.url}orders` }),
  ]
  expect(first.notes).toEqual([
    expect.stringMatching(/password field, although a login for 127\.0\.0\.1:\d+ was stored: it may have expired/),
  ])
  expect(second.notes ?? []).toEqual([])
  // a page that was asked for and has a password field is not a lost login
  await using other = await openSession({ storageState: state })
  expect((await wrapSession(other).do('open', { url: `${site.url}form` })).notes ?? []).toEqual([])

  const ended = { ...stale, expires: Date.parse('2026-01-02T00:00:00Z') / 1_000 }
  await using expired = await openSession({ storageState: { ...state, cookies: [ended as never] } })
  expect((await wrapSession(expired).do('open', { url: `${site.url}form` })).notes).toEqual([
    'The stored login for "127.0.0.1" has expired: its cookies ("sid") ended on 2026-01-02.',
  ])
})

test('sessions of one profile share its login, each in its own tab; an isolated one has its own cookies', async () => {
  await using site = await startSite()
  const options = { profile: 'team', createProfile: true, allowEval: true }
  const one = await openSession(options)
  const two = await openSession(options)
  await using alone = await openSession({ ...options, isolated: true })
  expect(new Set([one, two, alone].map(session => session.status().pid)).size).toBe(1)
  await wrapSession(one).do('open', { url: `${site.url}login` })
  expect((await wrapSession(two).do('open', { url: site.url })).page.title).toBe('home')
  expect((await wrapSession(alone).do('open', { url: site.url })).page.title).toBe('log in')
  for (const session of [one, two, alone]) expect((await wrapSession(session).do('tabs', { operation: 'list' })).tabs).toHaveLength(1)
  // the browser stays for the others
  await one.close()
  await wrapSession(two).do('evaluate', { js: 'void open("/popup")' })
  await until(async () => (await wrapSession(two).do('tabs', { operation: 'list' })).tabs.length === 2, { what: 'the popup' })
  expect((await wrapSession(alone).do('tabs', { operation: 'list' })).tabs).toHaveLength(1)
  await two.close()
})

test('sessions of a launched browser have their own cookies, or share those of the browser', async () => {
  await using site = await startSite()
  await using browser = await launch()
  await using login = await openSession({ browser, isolated: false })
  await wrapSession(login).do('open', { url: `${site.url}login` })
  await using shared = await openSession({ browser, isolated: false })
  await using separate = await openSession({ browser })
  expect((await wrapSession(shared).do('open', { url: site.url })).page.title).toBe('home')
  expect((await wrapSession(separate).do('open', { url: site.url })).page.title).toBe('log in')
  const scoped = await login.storageState({ origins: [new URL(site.url).origin] })
  expect(scoped.cookies.map(({ name }) => name).sort()).toEqual(['once', 'sid'])
  expect((await login.storageState({ origins: ['https://shop.example'] })).cookies).toEqual([])
})

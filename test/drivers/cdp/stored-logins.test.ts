import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scopeStorageState } from '../../../src/browser.ts'
import { readLogin, saveLogin } from '../../../src/drivers/cdp/browser/login-file.ts'
import { sealText, unsealText } from '../../../src/drivers/cdp/browser/sealed-text.ts'
import { exportLogin } from '../../../src/drivers/cdp/export-login.ts'
import { expiredLogins, hasLoginFor } from '../../../src/drivers/cdp/storage/login-expiry.ts'
import { readStorageState } from '../../../src/drivers/cdp/storage/storage-state-file.ts'

const cookie = (name: string, domain: string, more = {}) =>
  ({
    name,
    value: `value-of-${name}`,
    domain,
    path: '/',
    expires: -1,
    size: 9,
    httpOnly: false,
    secure: false,
    session: true,
    ...more,
  }) as never
const state = (cookies: never[], origins: string[] = []) => ({
  cookies,
  origins: origins.map(origin => ({ origin, localStorage: [['a', 'b'] as const], indexedDB: [] })),
  report: origins.map(origin => ({ origin, localStorage: 1, indexedDB: 0 })),
})

test('a storage state is scoped to the origins that could read it', () => {
  const all = state(
    [
      cookie('host', 'shop.example'),
      cookie('site', '.shop.example'),
      cookie('secure', 'shop.example', { secure: true }),
      cookie('sub', 'pay.shop.example'),
      cookie('lookalike', 'evilshop.example'),
      cookie('dotted', '.example'),
      cookie('other', 'other.example'),
    ],
    ['https://shop.example', 'http://shop.example', 'https://pay.shop.example'],
  )
  const names = (origins: string[]) => scopeStorageState(all, origins).cookies.map(({ name }) => name)
  expect(names(['https://shop.example'])).toEqual(['host', 'site', 'secure', 'dotted'])
  expect(names(['http://shop.example'])).toEqual(['host', 'site', 'dotted'])
  expect(names(['https://pay.shop.example'])).toEqual(['site', 'sub', 'dotted'])
  expect(names([])).toEqual([])
  const scoped = scopeStorageState(all, ['https://shop.example/'])
  expect([...scoped.origins, ...scoped.report].map(({ origin }) => origin)).toEqual(['https://shop.example', 'https://shop.example'])
  for (const wrong of ['shop.example', 'https://shop.example/path', 'file:///etc', 'https://*.example'])
    expect(() => scopeStorageState(all, [wrong]), wrong).toThrow(/not an origin/)
})

test('a sealed text is read with its key only, and no change of it goes unnoticed', () => {
  const sealed = sealText('sid=1234567890', 'a long key')
  expect(sealed).not.toContain('1234567890')
  expect(unsealText(sealed, 'a long key')).toBe('sid=1234567890')
  expect(() => unsealText(sealed, 'another key')).toThrow()
  const parts = JSON.parse(sealed) as { [name: string]: string }
  for (const name of ['iv', 'data']) {
    const bytes = Buffer.from(parts[name] ?? '', 'base64')
    bytes[0] = (bytes[0] ?? 0) ^ 1
    expect(() => unsealText(JSON.stringify({ ...parts, [name]: bytes.toString('base64') }), 'a long key'), name).toThrow()
  }
  expect(() => unsealText(JSON.stringify({ ...parts, tag: parts.tag?.slice(0, 4) }), 'a long key')).toThrow()
})

test('a stored login is readable by its user only, and encrypted with a key', async () => {
  const login = { savedAt: '2026-11-01T00:00:00.000Z', url: 'https://shop.example/', state: state([cookie('sid', 'shop.example')]) }
  const folder = mkdtempSync(join(tmpdir(), 'pagehand-login-'))
  expect(readLogin(folder)).toBeUndefined()
  const file = await saveLogin(folder, login)
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readLogin(folder)).toEqual({ ...login, isSealed: false })
  expect(readStorageState(file).cookies).toHaveLength(1)

  await saveLogin(folder, login, 'a long key')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toMatch(/sid|shop/)
  expect(readLogin(folder, 'a long key')).toEqual({ ...login, isSealed: true })
  expect(() => readLogin(folder)).toThrow(expect.objectContaining({ code: 'login_locked' }))
  expect(() => readStorageState(file)).toThrow(/encrypted/)
  writeFileSync(file, '{"state"')
  expect(() => readLogin(folder)).toThrow(expect.objectContaining({ code: 'login_locked', message: expect.stringContaining('is damaged') }))
})

test('a login has expired when all its cookies have ended, and nothing is claimed about others', () => {
  const now = Date.parse('2026-11-17T00:00:00Z')
  const past = { expires: now / 1_000 - 86_400, session: false }
  const future = { expires: now / 1_000 + 86_400, session: false }
  const expired = (...cookies: never[]) => expiredLogins(state(cookies), now)
  expect(expired(cookie('sid', '.shop.example', past), cookie('auth_token', 'shop.example', past))).toEqual([
    { domain: 'shop.example', cookies: ['sid', 'auth_token'], endedAt: '2026-11-16T00:00:00.000Z' },
  ])
  // one cookie is still valid, or has no end; or the cookie has nothing to do with a login
  expect(expired(cookie('sid', 'shop.example', past), cookie('remember', 'shop.example', future))).toEqual([])
  expect(expired(cookie('sid', 'shop.example', past), cookie('session', 'shop.example'))).toEqual([])
  expect(expired(cookie('theme', 'shop.example', past), cookie('csrf_token', 'shop.example', past))).toEqual([])
  expect(expired()).toEqual([])
})

test('a state has a login for the sites whose cookies or data it holds', () => {
  const some = state([cookie('sid', '.shop.example'), cookie('theme', 'blue.example')], ['https://app.example'])
  expect(['https://www.shop.example/orders', 'https://app.example/'].map(url => hasLoginFor(some, url))).toEqual([true, true])
  for (const url of ['https://blue.example/', 'https://other.example/', 'about:blank', 'nonsense'])
    expect(hasLoginFor(some, url), url).toBe(false)
})

test('a stored login is exported for the named origins, into a new file that only its user reads, and stays encrypted', async () => {
  const env = { PAGEHAND_HOME: mkdtempSync(join(tmpdir(), 'pagehand-export-')) }
  const all = state([cookie('host', 'shop.example'), cookie('other', 'other.example')], ['https://shop.example', 'https://other.example'])
  for (const key of [undefined, 'a long key']) {
    const profile = key === undefined ? 'open' : 'sealed'
    const folder = join(env.PAGEHAND_HOME, 'profiles', profile)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    await saveLogin(folder, { savedAt: '2026-11-01T00:00:00Z', url: 'https://shop.example/', state: all }, key)
    const options = {
      profile,
      file: join(env.PAGEHAND_HOME, `${profile}.json`),
      origins: ['https://shop.example'],
      env,
      ...(key && { key }),
    }
    expect(await exportLogin(options)).toMatchObject({ cookies: 1, origins: 1, isEncrypted: key !== undefined })
    if (process.platform !== 'win32') expect(statSync(options.file).mode & 0o777).toBe(0o600)
    expect(readFileSync(options.file, 'utf8').includes('value-of-host')).toBe(key === undefined)
    expect(readStorageState(options.file, key)).toMatchObject({
      cookies: [{ name: 'host' }],
      origins: [{ origin: 'https://shop.example' }],
    })
    if (key === undefined) await expect(exportLogin(options)).rejects.toThrow(/exists already/)
  }
  await expect(exportLogin({ profile: 'nobody', file: 'x', env })).rejects.toMatchObject({ code: 'unknown_profile' })
})

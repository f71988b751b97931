import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { fail, ok } from '../../../src/contract/run.ts'
import { chromiumVersion, type DoctorDriver, doctor, install } from '../../../src/surfaces/cli/doctor.ts'

afterEach(() => void vi.restoreAllMocks())

/** the exit code and the findings of `pagehand doctor --json` */
async function diagnose(driver: Partial<DoctorDriver>, run: () => ReturnType<typeof fail> | ReturnType<typeof ok> = () => ok({})) {
  let out = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk: unknown, ...rest: unknown[]) => {
    out += chunk
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  })
  const code = await doctor(['--json'], {
    findBrowser: async () => ({ executablePath: '/bin/chrome', from: 'installed' }),
    openSession: async () => ({
      run: async () => run(),
      status: () => ({ browser: 'Chrome/153', sandbox: false }),
      [Symbol.asyncDispose]: async () => {},
    }),
    userBrowsers: async () => [],
    profiles: async () => [],
    relay: async () => ({ isRunning: false, isPaired: false, isConnected: false, extension: '/x' }),
    ...driver,
  })
  vi.restoreAllMocks()
  const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean; message: string; next?: string }[] }
  return { code, findings, finding: (name: string) => findings.find(({ check }) => check === name) }
}

test('doctor names the browser, why it is used, and that its sandbox is off', async () => {
  const { code, finding } = await diagnose({})
  expect(code).toBe(0)
  expect(finding('browser')?.message).toBe('/bin/chrome, because it is installed on this machine')
  expect(finding('start')?.message).toBe('Chrome/153 starts, and its pages can be read')
  expect(finding('sandbox')).toMatchObject({ ok: true, next: expect.stringContaining('another user') })
})

test('a browser that starts but whose pages cannot be read has to be fixed', async () => {
  const { code, finding } = await diagnose({}, () => fail('timeout', 'open took too long.'))
  expect(code).toBe(1)
  expect(finding('start')).toMatchObject({ ok: false, message: 'Chrome/153 starts, but its pages cannot be read: open took too long.' })
})

test('without a browser, the checks that need one are skipped', async () => {
  const { code, finding } = await diagnose({ findBrowser: () => Promise.reject(new Error('No browser was found')) })
  expect(code).toBe(1)
  expect(finding('browser')).toMatchObject({ ok: false, next: 'Run: pagehand install' })
  expect(finding('start')).toBeUndefined()
})

test('doctor says of each own browser and each profile whether it can be used, and the next step', async () => {
  const own = { folder: '/home/tea/.config/google-chrome', version: 156, isRunning: true, port: 9222 }
  const { code, findings } = await diagnose({
    userBrowsers: async () => [
      { ...own, debugging: 'asks' },
      { ...own, port: 9333, debugging: 'open' },
      { ...own, port: undefined, debugging: 'off' },
      { ...own, version: 143, port: undefined, debugging: 'off' },
      { ...own, folder: undefined, version: undefined, debugging: 'other' },
    ],
    profiles: async () => [
      { name: 'shop', isRunning: true, savedAt: '2026-11-01T10:00:00Z', isEncrypted: false, isLocked: false, expired: ['shop.example'] },
      { name: 'bank', isRunning: false, savedAt: undefined, isEncrypted: false, isLocked: true, expired: [] },
      { name: 'empty', isRunning: false, savedAt: undefined, isEncrypted: false, isLocked: false, expired: [] },
    ],
  })
  expect(code).toBe(0)
  const lines = (name: RegExp) => findings.filter(({ check }) => name.test(check)).map(({ message, next }) => `${message} > ${next ?? ''}`)
  expect(lines(/own browser/)).toEqual([
    expect.stringMatching(/version 156: remote debugging is on at port 9222, and it asks.* > .*--profile chrome; then click Allow/),
    expect.stringMatching(/accepts connections at port 9333 > .*--attach \/home\/tea/),
    expect.stringMatching(/running, and remote debugging is off > .*chrome:\/\/inspect\/#remote-debugging/),
    expect.stringMatching(/version 143: it is too old.* > Update it to version 144/),
    expect.stringMatching(/^port 9222: another program answers.* > .*--attach/),
  ])
  expect(lines(/profile/)).toEqual([
    'login of 2026-11-01, expired for shop.example, in use > Run: pagehand login URL --profile shop',
    expect.stringMatching(/encrypted or damaged.* > Set PAGEHAND_LOGIN_KEY/),
    'no login was stored by hand > ',
  ])
})

test('doctor says how far the extension is set up', async () => {
  const say = async (isRunning: boolean, isPaired: boolean, isConnected: boolean) => {
    const { finding } = await diagnose({ relay: async () => ({ isRunning, isPaired, isConnected, extension: '/dist/extension' }) })
    return `${finding('extension')?.message} > ${finding('extension')?.next}`
  }
  expect(await say(false, false, false)).toMatch(/not running.* > .*load \/dist\/extension/)
  expect(await say(true, false, false)).toMatch(/no extension is paired > .*enter the code/)
  expect(await say(true, true, false)).toMatch(/not connected > Start Chrome/)
  expect(await say(true, true, true)).toMatch(/paired and connected > .*--profile chrome/)
})

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'install pins the tested version and runs no scripts of packages',
  async () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(chromiumVersion).toBe(devDependencies['@sparticuz/chromium'])
    const folder = mkdtempSync(join(tmpdir(), 'pagehand-npm-'))
    const path = process.env.PATH
    try {
      writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "$@" > "${folder}/words"\nexit 1\n`)
      chmodSync(join(folder, 'npm'), 0o755)
      process.env.PATH = `${folder}${delimiter}${path}`
      vi.spyOn(process.stderr, 'write').mockReturnValue(true)
      const none = () => Promise.reject(new Error('none'))
      const driver = { findBrowser: none, openSession: none, userBrowsers: none, profiles: none, relay: none }
      expect(await install([], driver)).toBe(1)
      expect(readFileSync(join(folder, 'words'), 'utf8')).toBe(
        'install --ignore-scripts --no-audit --no-fund @sparticuz/chromium@153.0.0\n',
      )
    } finally {
      process.env.PATH = path
      rmSync(folder, { recursive: true })
    }
  },
)

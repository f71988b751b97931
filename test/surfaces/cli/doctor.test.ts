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
    ...driver,
  })
  vi.restoreAllMocks()
  const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean; message: string; next?: string }[] }
  return { code, finding: (name: string) => findings.find(({ check }) => check === name) }
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
      const driver = { findBrowser: () => Promise.reject(new Error('none')), openSession: () => Promise.reject(new Error('none')) }
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

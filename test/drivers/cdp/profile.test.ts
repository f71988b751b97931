import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeStaleProfiles } from '../../../src/drivers/cdp/browser/profile.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pagehand-home-'))
  vi.stubEnv('PAGEHAND_HOME', home)
  mkdirSync(join(home, 'tmp'), { mode: 0o700 })
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

/** a temporary profile whose owner is not running any more */
function staleProfile(name: string, mode: number): string {
  const path = join(home, 'tmp', `profile-${name}`)
  mkdirSync(path)
  writeFileSync(join(path, 'pagehand-owner.json'), JSON.stringify({ pid: 2 ** 22 + 1, started: '1', host: hostname() }))
  chmodSync(path, mode)
  return path
}

test('the profile of a process that was killed is removed (F1)', async () => {
  const path = staleProfile('dead', 0o700)
  await removeStaleProfiles()
  expect(existsSync(path)).toBe(false)
})

test('a folder that other users can write to is kept, whatever its owner file says (F1)', async () => {
  const path = staleProfile('open', 0o777)
  await removeStaleProfiles()
  expect(existsSync(path)).toBe(true)
})

test('a link with the name of a profile is kept, and so is its target', async () => {
  const target = staleProfile('dead', 0o755)
  symlinkSync(target, join(home, 'tmp', 'profile-link'))
  await removeStaleProfiles()
  expect(existsSync(join(target, 'pagehand-owner.json'))).toBe(true)
})

test.runIf(process.getuid?.() === 0)('a folder of another user is kept', async () => {
  const { chownSync } = await import('node:fs')
  const path = staleProfile('dead', 0o700)
  chownSync(path, 65_534, 65_534)
  await removeStaleProfiles()
  expect(existsSync(path)).toBe(true)
})

import { expect, test } from 'vitest'
import { flags, mergeFeatures } from '../../../src/drivers/cdp/browser/flags.ts'

const options = {
  headless: true,
  sandbox: true,
  profile: 'profile',
  viewport: { width: 1280, height: 720 },
  proxied: false,
  proxyServer: undefined,
}

test('the protection against IPC floods stays on: without it, a page that floods the history blocks Chromium 156 (B3)', () => {
  expect(flags(options).filter(flag => flag.includes('ipc-flooding'))).toEqual([])
})

test('Chromium keeps its sandbox unless it is switched off', () => {
  expect(flags(options)).not.toContain('--no-sandbox')
  expect(flags({ ...options, sandbox: false })).toContain('--no-sandbox')
})

test('features that a caller switches off or on are added to those of pagehand, whichever flag Chromium reads', () => {
  const args = mergeFeatures(['--disable-features=A,B', '--mute-audio', '--disable-features=C', '--enable-features=D', 'about:blank'])
  expect(args).toEqual(['--mute-audio', 'about:blank', '--disable-features=A,B,C', '--enable-features=D'])
})

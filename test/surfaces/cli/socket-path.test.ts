import { expect, test } from 'vitest'
import { hostPlace, isOurs } from '../../../src/surfaces/cli/daemon/socket-path.ts'

const pipe = (env: NodeJS.ProcessEnv) => hostPlace(env, 'win32').socket

test('on Windows, the daemon uses a separate pipe per user and runtime folder', () => {
  const places = [
    { USERDOMAIN: 'HOME', USERNAME: 'ann' },
    { USERDOMAIN: 'WORK', USERNAME: 'ann' },
    { USERDOMAIN: 'HOME', USERNAME: 'ann b' },
    { USERDOMAIN: 'HOME', USERNAME: 'ann_b' },
    { USERDOMAIN: 'HOME', USERNAME: 'ann', PAGEHAND_RUNTIME_DIR: 'C:\\one' },
    { USERDOMAIN: 'HOME', USERNAME: 'ann', PAGEHAND_RUNTIME_DIR: 'C:\\two' },
    { USERDOMAIN: 'HOME', USERNAME: 'ann', PAGEHAND_RUNTIME_DIR: `C:\\${'long\\'.repeat(60)}one` },
    { USERDOMAIN: 'HOME', USERNAME: 'ann', PAGEHAND_RUNTIME_DIR: `C:\\${'long\\'.repeat(60)}two` },
    { USERNAME: '艾丽' },
    {},
  ].map(pipe)
  expect(new Set(places).size).toBe(places.length)
  for (const place of places) {
    expect(place).toMatch(/^\\\\\.\\pipe\\pagehand-[^\\/]+$/)
    expect(place.length).toBeLessThanOrEqual(256)
  }
  expect(pipe({ USERDOMAIN: 'HOME', USERNAME: 'Ann' })).toBe(places[0])
})

test('a pipe has no folder to create or check', () => {
  expect(hostPlace({ USERNAME: 'ann' }, 'win32').folder).toBeNull()
  expect(isOurs(null)).toBe(true)
})

test('elsewhere, the socket is in a folder of the user, named by the version', () => {
  expect(hostPlace({ PAGEHAND_RUNTIME_DIR: '/run/mine' }, 'linux')).toEqual({
    folder: '/run/mine',
    socket: expect.stringMatching(/^\/run\/mine\/[\d.]+\.sock$/),
  })
  expect(hostPlace({ XDG_RUNTIME_DIR: '/run/user/1' }, 'linux').folder).toBe('/run/user/1/pagehand')
  expect(hostPlace({ TMPDIR: '/tmp/x' }, 'darwin').folder).toMatch(/^\/tmp\/x\/pagehand-\d+$/)
})

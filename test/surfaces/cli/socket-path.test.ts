import { expect, test } from 'vitest'
import { daemonPaths } from '../../../src/surfaces/cli/daemon/socket-path.ts'

const pipe = (env: NodeJS.ProcessEnv) => daemonPaths(env, 'win32').socket

test('on Windows each user and each runtime folder has its own pipe', () => {
  const places = [
    { USERDOMAIN: 'HOME', USERNAME: 'ann' },
    { USERDOMAIN: 'WORK', USERNAME: 'ann' },
    { USERDOMAIN: 'HOME', USERNAME: 'ann b' },
    { USERDOMAIN: 'HOME', USERNAME: 'ann_b' },
    { USERDOMAIN: 'HOME', USERNAME: 'ann', PAGEHAND_RUNTIME_DIR: 'C:\\one' },
    { USERDOMAIN: 'HOME', USERNAME: 'ann', PAGEHAND_RUNTIME_DIR: 'C:\\two' },
    { USERDOMAIN: 'HOME', USERNAME: 'ann', PAGEHAND_RUNTIME_DIR: `C:\\${'long\\'.repeat(60)}one` },
    { USERDOMAIN: 'HOME', USERNAME: 'ann', PAGEHAND_RUNTIME_DIR: `C:\\${'long\\'.repeat(60)}two` },
    { USERDOMAIN: 'HOME', USERNAME: 'ann', PAGEHAND_HOME: 'C:\\three' },
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

test('a pipe is not in a folder', () => {
  expect(daemonPaths({ USERNAME: 'ann' }, 'win32').folder).toBeNull()
})

test('on other platforms the socket is in a folder of the user and named after the version', () => {
  expect(daemonPaths({ PAGEHAND_RUNTIME_DIR: '/run/mine' }, 'linux')).toEqual({
    folder: '/run/mine',
    socket: expect.stringMatching(/^\/run\/mine\/[\d.]+\.sock$/),
    pidFile: expect.stringMatching(/^\/run\/mine\/[\d.]+\.pid$/),
  })
  expect(daemonPaths({ PAGEHAND_HOME: '/srv/mine', XDG_RUNTIME_DIR: '/run/user/1' }, 'linux').folder).toBe('/srv/mine/tmp')
  expect(daemonPaths({ XDG_RUNTIME_DIR: '/run/user/1' }, 'linux').folder).toBe('/run/user/1/pagehand')
  expect(daemonPaths({ TMPDIR: '/tmp/x' }, 'darwin').folder).toMatch(/^\/tmp\/x\/pagehand-\d+$/)
})

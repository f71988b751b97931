import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ok } from '../../../src/contract/run.ts'
import { connectToDaemon } from '../../../src/surfaces/cli/daemon/client.ts'
import { startDaemon } from '../../../src/surfaces/cli/daemon/server.ts'
import { daemonPaths } from '../../../src/surfaces/cli/daemon/socket-path.ts'
import { page } from '../../render/page.ts'
import { recordingDriver } from '../../support/recording-driver.ts'

let env: NodeJS.ProcessEnv
beforeEach(() => {
  env = { PAGEHAND_RUNTIME_DIR: mkdtempSync(join(tmpdir(), 'pagehand-daemon-')) }
})
afterEach(() => rmSync(env.PAGEHAND_RUNTIME_DIR as string, { recursive: true, force: true }))

/** sends a line to the socket of the daemon; resolves with the answer, or with '' if the daemon ends the connection */
const sendLine = (line: string): Promise<string> =>
  new Promise(resolve => {
    let received = ''
    const socket = connect(daemonPaths(env).socket, () => socket.write(`${line}\n`))
    socket.setEncoding('utf8').on('data', chunk => {
      received += chunk
      if (received.endsWith('\n')) socket.destroy()
    })
    socket.on('error', () => {}) // followed by close
    socket.on('close', () => resolve(received))
  })

const verb = (more: object, options: object = {}) =>
  JSON.stringify({
    id: 7,
    do: 'verb',
    verb: 'open',
    args: { url: 'http://a.example/' },
    options: { session: 's', folder: '/', ...options },
    ...more,
  })
const wrongValues: readonly unknown[] = [5, null, {}, [], true, 'no', [5], { toString: 1 }]
const malformed: readonly string[] = [
  ...[
    '',
    'not json',
    'null',
    '5',
    '[]',
    '"x"',
    '{}',
    '{"do":1}',
    '{"do":"fly"}',
    '{"do":"verb"}',
    '{"do":"verb","options":5}',
    '\u0000',
    '{"id":',
  ],
  '['.repeat(100_000),
  '{"__proto__":{"do":"status"}}',
  '{"do":"stop","session":5}',
  '{"do":"stop","session":null}',
  '{"do":"stop","session":{"a":1}}',
  '{"do":"status","id":{"a":1}}',
  '{"do":"ping","id":null}',
  ...['verb', 'args', 'id'].flatMap(field => wrongValues.map(value => verb({ [field]: value }))),
  ...[
    'session',
    'format',
    'folder',
    'screenshotFile',
    'window',
    'profile',
    'attach',
    'headed',
    'allowEval',
    'readOnly',
    'deny',
    'allowHost',
    'denyHost',
    'privateHosts',
  ].flatMap(field => wrongValues.map(value => verb({}, { session: `s-${field}`, [field]: value }))),
  verb({ verb: '__proto__' }),
  verb({ verb: 'constructor' }),
  verb({ verb: 'toString', args: { __proto__: 1 } }),
  verb({}, { session: '__proto__' }),
]

test('no malformed message ends the daemon, and other sessions go on (F2)', async ({ task }) => {
  task.meta.tries = malformed.length + 1
  const daemon = await startDaemon({
    env,
    // an opener that trusts its options, as any program may
    open: async ({ window }) => {
      window?.split('x')
      return ok({ run: recordingDriver({ shows: () => page([]) }).run, close: async () => {} })
    },
  })
  expect(malformed.length).toBeGreaterThan(33)
  const innocent = await connectToDaemon({ env })
  const open = { do: 'verb', verb: 'open', args: { url: 'http://a.example/' }, options: { session: 'innocent', folder: '/' } } as const
  expect(await innocent?.request(open)).toMatchObject({ ok: true })
  for (const line of malformed) await sendLine(line)
  await sendLine('x'.repeat(1_100_000))
  expect(await innocent?.request({ ...open, verb: 'snapshot', args: {} })).toMatchObject({ ok: true })
  innocent?.end()
  await daemon?.close()
})

test('an option of the wrong type is refused, so that a rule is never dropped (TRUST C2, F2)', async () => {
  const opened: object[] = []
  const rows = {
    maxSteps: 1.5,
    maxTime: '5',
    window: 5,
    privateHosts: 'no',
    readOnly: 1,
    deny: 'click',
    allowHost: { 0: 'a' },
    folder: 5,
    headed: 'yes',
  }
  for (const [field, value] of Object.entries(rows)) {
    // a daemon without a session exits after a failure
    const daemon = await startDaemon({
      env,
      open: async options => {
        opened.push(options)
        return ok({ run: recordingDriver({ shows: () => page([]) }).run, close: async () => {} })
      },
    })
    expect(await sendLine(verb({}, { [field]: value })), field).toContain(`invalid_input: options.${field} must be a`)
    await daemon?.close()
  }
  expect(opened).toEqual([])
})

test('a command that throws is answered, and the daemon goes on (F2)', async () => {
  const daemon = await startDaemon({ env, open: () => Promise.reject(new Error('a bug')) })
  expect(await sendLine(verb({}))).toMatch(/"ok":false,.*the command failed\..*a bug/)
  await daemon?.close()
})

test('a socket with too long a path is refused, instead of one in another folder (D1)', async () => {
  const long = { PAGEHAND_HOME: join(env.PAGEHAND_RUNTIME_DIR as string, 'long'.repeat(40)) }
  const why = 'too long for a socket: set PAGEHAND_RUNTIME_DIR'
  await expect(connectToDaemon({ env: long })).rejects.toThrow(why)
  await expect(startDaemon({ env: long, open: () => Promise.reject(new Error('no')) })).rejects.toThrow(why)
  expect(existsSync(long.PAGEHAND_HOME)).toBe(false)
})

test('a daemon that accepts the connection but never answers fails the command with what to do (F3)', async () => {
  const { socket } = daemonPaths(env)
  const silent = createServer(() => {})
  await new Promise<void>(done => silent.listen(socket, done))
  const client = await connectToDaemon({ env, patienceMs: 30, pingMs: 30 })
  expect(await client?.request({ do: 'status' })).toMatchObject({
    ok: false,
    text: expect.stringMatching(/^timeout: the daemon did not answer within .* is stopped or overloaded\. Continue it/),
    error: { code: 'timeout' },
  })
  expect(client?.isClosed()).toBe(true)
  silent.close()
})

test('a command that takes longer is waited for as long as the daemon is alive (F3)', async () => {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  const daemon = await startDaemon({
    env,
    open: async () => {
      await promise
      return ok({ run: recordingDriver({ shows: () => page([]) }).run, close: async () => {} })
    },
  })
  const client = await connectToDaemon({ env, patienceMs: 5, pingMs: 20_000 })
  const answer = client?.request({ do: 'verb', verb: 'open', args: { url: 'http://a.example/' }, options: { session: 's', folder: '/' } })
  for (let round = 0; round < 5; round++) await client?.request({ do: 'ping' })
  resolve()
  expect(await answer).toMatchObject({ ok: true })
  client?.end()
  await daemon?.close()
})

test('a session can be opened with limits (E3)', async () => {
  const daemon = await startDaemon({
    env,
    open: async () => ok({ run: recordingDriver({ shows: () => page([]) }).run, close: async () => {} }),
  })
  expect(await sendLine(verb({}, { maxSteps: 1, maxTime: 60, totalChars: 10_000 }))).toContain('"ok":true')
  expect(await sendLine(verb({}))).toContain('budget_exhausted')
  await daemon?.close()
})

import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { fail, ok } from '../../../src/contract/run.ts'
import type { CommandOptions } from '../../../src/surfaces/cli/daemon/messages.ts'
import { parseRequest, readLines } from '../../../src/surfaces/cli/daemon/messages.ts'
import { SessionRegistry } from '../../../src/surfaces/cli/daemon/sessions.ts'
import type { OpenOptions } from '../../../src/surfaces/flags/session-flags.ts'
import { page } from '../../render/page.ts'
import { recordingDriver } from '../../support/recording-driver.ts'

const options = (more: Partial<CommandOptions> = {}): CommandOptions => ({ session: 'default', folder: '/', ...more })
const open = (more: Partial<CommandOptions> = {}) => ({ verb: 'open', args: { url: 'http://a.example/' }, options: options(more) })

function registry({ isBrowserMissing = false } = {}) {
  const opened: OpenOptions[] = []
  let closed = 0
  const sessions = new SessionRegistry(async given => {
    opened.push(given)
    if (isBrowserMissing) return fail('browser_not_found', 'there is none.')
    return ok({ run: recordingDriver({ shows: () => page([]) }).run, close: async () => void closed++ })
  })
  return { sessions, opened, closed: () => closed }
}

test('a session is opened once, by the first command, even if two arrive together', async () => {
  const { sessions, opened } = registry()
  const [first, second] = await Promise.all([sessions.runVerb(open()), sessions.runVerb(open())])
  expect([first.ok, second.ok]).toEqual([true, true])
  expect(opened).toHaveLength(1)
  expect(sessions.size).toBe(1)
})

test('a session that cannot be opened is forgotten, so that the next command tries again', async () => {
  const { sessions, opened } = registry({ isBrowserMissing: true })
  expect(await sessions.runVerb(open())).toMatchObject({ ok: false, error: { code: 'browser_not_found' } })
  expect(sessions.size).toBe(0)
  await sessions.runVerb(open())
  expect(opened).toHaveLength(2)
})

test('an invalid command is a usage error and opens nothing', async () => {
  const { sessions, opened } = registry()
  expect(await sessions.runVerb({ verb: 'open', args: {}, options: options() })).toMatchObject({ ok: false, isUsageError: true })
  expect(await sessions.runVerb({ verb: 'click', args: { ref: 'e1' }, options: options() })).toMatchObject({
    ok: false,
    error: { code: 'not_running' },
  })
  expect(opened).toEqual([])
})

test('other flags than those of the open session are refused, the same or none are accepted', async () => {
  const { sessions } = registry()
  await sessions.runVerb(open({ window: '800x600' }))
  expect((await sessions.runVerb(open({ window: '640x480' }))).ok).toBe(false)
  expect((await sessions.runVerb(open({ headed: true }))).ok).toBe(false)
  expect((await sessions.runVerb(open({ window: '800x600', headed: false }))).ok).toBe(true)
  expect((await sessions.runVerb(open())).ok).toBe(true)
})

test('stop closes one session, closeAll closes the rest', async () => {
  const { sessions, closed } = registry()
  await sessions.runVerb(open({ session: 'a' }))
  await sessions.runVerb(open({ session: 'b' }))
  expect(await sessions.stop('a')).toMatchObject({ ok: true, text: 'ok: session a closed' })
  expect(await sessions.stop('a')).toMatchObject({ ok: false })
  expect((await sessions.status()).text).toMatch(/^daemon \S+ pid \d+, 1 session\nsession b\n/)
  await sessions.closeAll()
  expect([sessions.size, closed()]).toEqual([0, 2])
})

test('lines are read across chunks, and an endless line is stopped', () => {
  const stream = new EventEmitter()
  const lines: string[] = []
  let overflows = 0
  readLines(stream, { maxLength: 10, onLine: line => void lines.push(line), onOverflow: () => overflows++ })
  for (const chunk of ['on', 'e\ntwo\nth', 'ree\n', '12345678901']) stream.emit('data', chunk)
  expect([lines, overflows]).toEqual([['one', 'two', 'three'], 1])
})

test.each(['not json', '{}', 'null', '[]', '{"do":"verb"}', '{"do":"verb","options":{}}'])('%s is not a request', line => {
  expect(parseRequest(line)).toBeUndefined()
})

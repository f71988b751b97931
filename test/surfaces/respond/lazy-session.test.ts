import { expect, test } from 'vitest'
import { fail, ok } from '../../../src/contract/run.ts'
import { lazySession } from '../../../src/surfaces/respond/lazy-session.ts'

const session = { run: async () => ok({}), close: async () => {} }

test('a session is opened by the first command, or at once for the browser of a user, who may have to allow it', async () => {
  let opened = 0
  const open = async () => {
    opened++
    return ok(session)
  }
  const lazy = lazySession(open)
  expect(opened).toBe(0)
  await lazy.run({ name: 'status' })
  const eager = lazySession(open, { isEager: true })
  expect(opened).toBe(2)
  await Promise.all([eager.run({ name: 'status' }), eager.run({ name: 'status' })])
  expect(opened).toBe(2)
})

test('a session that did not open is opened again by the next command', async () => {
  let opened = 0
  const lazy = lazySession(async () => (opened++ === 0 ? fail('not_running', 'no browser') : ok(session)), { isEager: true })
  await Promise.resolve()
  await new Promise(setImmediate)
  expect(await lazy.run({ name: 'status' })).toEqual(ok({}))
  expect(opened).toBe(2)
})

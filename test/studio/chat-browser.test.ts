import { expect, test } from 'vitest'
import { ChatBrowser, type SharedSession } from '../../apps/studio/server/chats/chat-browser.ts'
import { type AnyRun, ok } from '../../src/contract/run.ts'

const note = 'A person operated the page in between: look at it before you act.'

/** A session whose commands end when the test says so. */
function heldSession() {
  const ends: (() => void)[] = []
  const run: AnyRun = command => new Promise(resolve => ends.push(() => resolve(ok({ done: command.name }))))
  return { ends, browser: new ChatBrowser({ run, close: async () => {} } as unknown as SharedSession), run }
}

test('the note about a person is in the first result after the hand-back, also if a command ended before it (S3-54)', async () => {
  const { ends, browser, run } = heldSession()
  const agent = browser.gate(run)
  const viewer = () => {}
  const begun = agent({ name: 'wait' })
  await expect.poll(() => ends.length).toBe(1)
  browser.take(viewer)
  ends[0]?.()
  expect(await begun).toEqual(ok({ done: 'wait' }))

  const waiting = agent({ name: 'snapshot' })
  browser.give(viewer)
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.()
  expect(await waiting).toEqual(ok({ done: 'snapshot', notes: [note] }))

  const later = agent({ name: 'snapshot' })
  await expect.poll(() => ends.length).toBe(3)
  ends[2]?.()
  expect(await later).toEqual(ok({ done: 'snapshot' }))
})

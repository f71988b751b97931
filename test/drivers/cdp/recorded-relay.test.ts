// A conversation with OpenClaw's own relay and extension (openclaw 2026.9.6, Chromium 156). PAGEHAND_RELAY=ws://…/cdp?token=… records it again
// from a relay to which one tab is lent, with a page that test/fixtures/relay/README.md describes.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openSession } from '../../../src/browser.ts'
import { recordRelay, replayRelay } from '../../support/recorded-relay.ts'
import { wrapSession } from '../../support/test-session.ts'

const file = fileURLToPath(new URL('../../fixtures/relay/openclaw.jsonl', import.meta.url))
const site = 'http://127.0.0.1:8731/'

/** What a program does in a tab that is lent through the relay. */
async function useLentTab(endpoint: string): Promise<void> {
  const session = await openSession({ attach: { endpoint } })
  const commands = wrapSession(session)
  expect(session.status()).toMatchObject({ mode: 'attached', browser: expect.stringMatching(/^Chrome\/\d/) })
  expect(JSON.stringify(session.status())).not.toContain('relay-token-1')
  expect((await commands.do('tabs', { operation: 'list' })).tabs).toMatchObject([{ tab: 't1', url: site, selected: true }])
  // also in a frame of another site
  expect(await commands.text()).toMatch(/button "Send"[\s\S]*from="localhost[\s\S]*button "Reply"/)
  const clicked = await commands.do('click', { ref: await commands.ref('button "Reply"') })
  expect(clicked).toMatchObject({ trusted: true })
  const { notes } = await commands.do('click', { ref: await commands.ref('button "Pop up"') })
  expect(notes).toEqual([expect.stringContaining(`Tab t2 opened at "${site}popup". It is not selected; select it to go on there.`)])
  await session.close()
}

test.runIf(process.env.PAGEHAND_RELAY)('a conversation with a real relay is recorded', async () => {
  await using relay = await recordRelay(process.env.PAGEHAND_RELAY as string, file)
  await useLentTab(relay.endpoint)
})

test('a session works with what the relay of OpenClaw says, and gives the lent tab back (S4-10 S4-36)', async () => {
  await using relay = await replayRelay(file)
  await useLentTab(relay.endpoint)
  expect(relay.unknown.filter(({ sessionId }) => sessionId === undefined)).toEqual([])
  const browserCalls = relay.calls.filter(({ sessionId }) => sessionId === undefined)
  // the popup is closed, the lent tab is not
  const [popup] = browserCalls.filter(({ method }) => method === 'Target.closeTarget')
  const lent = browserCalls.find(({ method }) => method === 'Target.attachToTarget')?.params?.targetId
  expect(browserCalls.filter(({ method }) => method === 'Target.closeTarget')).toHaveLength(1)
  expect(popup?.params?.targetId).not.toBe(lent)
  for (const method of ['Target.createTarget', 'Target.activateTarget', 'Target.setAutoAttach', 'Browser.close'])
    expect(browserCalls.map(call => call.method)).not.toContain(method)
})

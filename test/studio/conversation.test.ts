import { expect, test } from 'vitest'
import { hostsIn } from '../../apps/studio/server/chats/named-hosts.ts'
import { activeRunOf, approvalsOf, hasBrowser, runsOf } from '../../apps/studio/web/chat/conversation.ts'
import { pickText } from '../../apps/studio/web/chat/pick-text.ts'
import { eventsOf, fakeChats, runPart } from '../../apps/studio/web/dev/fake-data.ts'
import type { StudioMessage } from '../../src/wire/studio-message.ts'

const message = (...parts: StudioMessage['parts']): StudioMessage => ({ id: 'm', role: 'assistant', parts })

test('the steps of a run are collected in order, and a step that comes again replaces itself', () => {
  const [first, second] = eventsOf('r1', 2)
  if (first === undefined || second === undefined) throw new Error('two events are needed')
  const runs = runsOf([
    message(
      { type: 'data-browser-event', id: 'b', data: second },
      { type: 'data-browser-event', id: 'a', data: { ...first, state: 'running' } },
      { type: 'data-browser-event', id: 'a', data: first },
    ),
  ])
  expect(runs.get('r1')?.events.map(event => [event.step, event.state])).toEqual([
    [1, 'done'],
    [2, 'done'],
  ])
})

test('the active run is the newest that is not over', () => {
  const parts = (['ended', 'running'] as const).map((state, index) => ({
    type: 'data-sub-agent-run' as const,
    id: `r${index}`,
    data: runPart(`r${index}`, 'goal', state, 1),
  }))
  expect(activeRunOf(runsOf([message(...parts)]))?.runId).toBe('r1')
  expect(activeRunOf(runsOf([message(...parts.slice(0, 1))]))).toBeUndefined()
})

test('approvals and pages of a chat are found', () => {
  const chats = fakeChats()
  expect(approvalsOf(chats.flatMap(chat => chat.messages)).get('a-wait')?.state).toBe('pending')
  expect(hasBrowser(chats[0]?.messages ?? [])).toBe(true)
  expect(hasBrowser([message({ type: 'text', text: 'hello' })])).toBe(false)
})

test('a picked element becomes a numbered line with its ref, its page and the note', () => {
  const element = { role: 'button', name: 'Say "hi"', ref: 'e7', url: 'https://a.test/' }
  expect(pickText(2, element, ' use this ')).toBe(`[2] button "Say 'hi'" (ref e7) at https://a.test/: use this`)
  expect(pickText(1, { ...element, name: '' }, '')).toBe('[1] button (ref e7) at https://a.test/')
})

test('the name of a picked element names no site that the run may visit without a question (S3-20)', () => {
  const picked = { role: 'link', name: 'See https://evil.example/ "now"', ref: 'e1', url: 'https://shop.example/cart' }
  expect(hostsIn(`Buy it at https://tea.example:8080/x\n\n${pickText(1, picked, 'this one')}`)).toEqual([
    'tea.example:8080',
    'shop.example',
  ])
})

import { expect, test } from 'vitest'
import type { CdpResponse, TransportEvents } from '../../../src/drivers/cdp/connection/connection.ts'
import { maxLogEventBytes, maxMessageBytes, receiveMessage, splitMessages } from '../../../src/drivers/cdp/connection/messages.ts'

function record({ wants = () => true }: Partial<Pick<TransportEvents, 'wants'>> = {}) {
  const responses: CdpResponse[] = []
  const methods: string[] = []
  const reasons: string[] = []
  const events: TransportEvents = {
    wants,
    onResponse: response => void responses.push(response),
    onEvent: ({ method }) => void methods.push(method),
    onClose: ({ code }) => void reasons.push(code),
  }
  return { events, responses, methods, reasons }
}

const event = (method: string) => `{"method":"${method}","params":{}}\0`
/** one message in pieces of 1 MB, a little larger than the limit */
function* oversized(head: string): Generator<Buffer> {
  yield Buffer.from(head)
  const piece = Buffer.alloc(2 ** 20, 0x78)
  for (let sent = 0; sent <= maxMessageBytes; sent += piece.length) yield piece
  yield Buffer.from('"}\0')
}

test('messages are split at NUL bytes, wherever a chunk ends', () => {
  const { events, methods, responses } = record()
  const receive = splitMessages(events)
  const stream = Buffer.from(`${event('A.a')}{"id":1,"result":{"text":"é"}}\0${event('B.b')}`)
  for (const byte of stream) receive(Buffer.from([byte]))
  receive(stream)
  expect(methods).toEqual(['A.a', 'B.b', 'A.a', 'B.b'])
  expect(responses).toEqual([1, 1].map(id => ({ id, result: { text: 'é' } })))
})

test('an event that is larger than the limit is dropped, and the next message arrives (A6)', () => {
  const { events, methods, reasons } = record()
  const receive = splitMessages(events)
  for (const chunk of oversized('{"method":"Runtime.exceptionThrown","params":{"text":"')) receive(chunk)
  receive(Buffer.from(event('Page.loadEventFired')))
  expect({ methods, reasons }).toEqual({ methods: ['Page.loadEventFired'], reasons: [] })
})

test('a large event that nothing listens to is not kept, and one that carries page text has a smaller limit (A6)', () => {
  const { events, methods } = record({ wants: method => method !== 'Network.webSocketFrameReceived' })
  const receive = splitMessages(events)
  const text = 'x'.repeat(maxLogEventBytes)
  for (const method of ['Network.webSocketFrameReceived', 'Runtime.consoleAPICalled', 'Page.frameNavigated'])
    for (const size of [16, 4_096, 2 ** 20]) {
      const message = Buffer.from(`{"method":"${method}","params":{"text":"${text}"}}\0`)
      for (let at = 0; at < message.length; at += size) receive(message.subarray(at, at + size))
    }
  receive(Buffer.from(event('Network.webSocketFrameReceived')))
  receive(Buffer.from(event('Network.loadingFinished')))
  // a short message is parsed before it is known that nothing listens, which does no harm
  expect(methods.filter(method => method !== 'Network.webSocketFrameReceived')).toEqual([
    'Page.frameNavigated',
    'Page.frameNavigated',
    'Page.frameNavigated',
    'Network.loadingFinished',
  ])
  expect(methods.length).toBeLessThanOrEqual(5)
})

test('a response that is larger than the limit fails its call', () => {
  const { events, responses } = record()
  const receive = splitMessages(events)
  for (const chunk of oversized('{"id":42,"result":{"value":"')) receive(chunk)
  expect(responses).toEqual([{ id: 42, error: { message: expect.stringContaining('larger than 64 MB') } }])
  receiveMessage(Buffer.concat([Buffer.from('{"id":43,"result":"'), Buffer.alloc(maxMessageBytes, 0x78)]), events)
  expect(responses.at(-1)).toMatchObject({ id: 43, error: {} })
})

test('a message that is not JSON, and a listener that throws, end the connection instead of the process (F2)', () => {
  const { events, reasons } = record()
  receiveMessage(Buffer.from('not json'), events)
  receiveMessage(Buffer.from('{"method":"Page.x","params":{}}'), {
    ...events,
    onEvent: () => {
      throw new Error('a bug')
    },
  })
  expect(reasons).toEqual(['browser_crashed', 'browser_crashed'])
})

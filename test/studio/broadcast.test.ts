import type { UIMessageChunk } from 'ai'
import { expect, test } from 'vitest'
import { Broadcast } from '../../apps/studio/server/chats/broadcast.ts'

const part = (id: string, value: number): UIMessageChunk => ({ type: 'data-browser-event', id, data: { value } })
const command: UIMessageChunk = { type: 'data-browser-command', data: { commandId: 'c1' }, transient: true }

async function readAll(stream: ReadableStream<UIMessageChunk>): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = []
  for await (const chunk of stream as unknown as AsyncIterable<UIMessageChunk>) chunks.push(chunk)
  return chunks
}

test('a reader that comes late gets everything from the beginning, each part in its newest version', async () => {
  const broadcast = new Broadcast()
  const early = readAll(broadcast.read())
  for (const chunk of [part('1', 1), part('2', 1), part('1', 2)]) broadcast.write(chunk)
  const late = readAll(broadcast.read())
  broadcast.write(part('3', 1))
  broadcast.end()
  expect(await early).toEqual([part('1', 1), part('2', 1), part('1', 2), part('3', 1)])
  expect(await late).toEqual([part('1', 2), part('2', 1), part('3', 1)])
  expect(await readAll(broadcast.read())).toEqual([part('1', 2), part('2', 1), part('3', 1)])
})

test('a command reaches only those who read when it is sent: it is never carried out again (X3-8)', async () => {
  const broadcast = new Broadcast()
  const early = readAll(broadcast.read())
  broadcast.write(command)
  const late = readAll(broadcast.read())
  broadcast.end()
  expect(await early).toEqual([command])
  expect(await late).toEqual([])
})

test('a command without a result reaches a reader whose connection was lost when it was sent, until the result is known (X3-8)', async () => {
  const broadcast = new Broadcast()
  broadcast.write(part('1', 1))
  const release = broadcast.hold(command)
  const late = readAll(broadcast.read())
  release()
  const later = readAll(broadcast.read())
  broadcast.end()
  expect(await late).toEqual([part('1', 1), command])
  expect(await later).toEqual([part('1', 1)])
})

test('a reader that goes away does not disturb the others', async () => {
  const broadcast = new Broadcast()
  const leaving = broadcast.read().getReader()
  const staying = readAll(broadcast.read())
  await leaving.cancel()
  broadcast.write(part('1', 1))
  broadcast.end()
  expect(await staying).toEqual([part('1', 1)])
})

test('one reader can be ended before the others, which get what is written later', async () => {
  const broadcast = new Broadcast()
  const [first, second] = [broadcast.read(), broadcast.read()]
  broadcast.write({ type: 'start', messageId: 'm' })
  broadcast.endReader(first)
  broadcast.write({ type: 'finish' })
  broadcast.end()
  expect([await readAll(first), await readAll(second)].map(chunks => chunks.map(({ type }) => type))).toEqual([
    ['start'],
    ['start', 'finish'],
  ])
})

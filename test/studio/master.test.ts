import { MockLanguageModelV4 } from 'ai/test'
import type { StudioMessage } from 'pagehand/agent'
import { expect, test } from 'vitest'
import { runMaster } from '../../apps/studio/server/chats/master.ts'

const picture = { type: 'file', mediaType: 'image/jpeg', filename: 'marker-1.jpg', url: 'data:image/jpeg;base64,/9j/4AAQ' } as const
const said = (id: string, text: string): StudioMessage => ({ id, role: 'user', parts: [{ type: 'text', text }, picture] })

/** A model that answers with how many pictures it got, unless it refuses them. */
function countingModel({ refuses }: { refuses: boolean }) {
  const counts: number[] = []
  const model = new MockLanguageModelV4({
    doStream: async ({ prompt }) => {
      const parts = prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : (content as readonly { type: string }[])))
      const count = parts.filter(({ type }) => type === 'file').length
      counts.push(count)
      if (refuses && count > 0) throw new Error('this model reads no images')
      return {
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: 'stream-start', warnings: [] })
            controller.enqueue({ type: 'text-start', id: 't' })
            controller.enqueue({ type: 'text-delta', id: 't', delta: `${count} pictures` })
            controller.enqueue({ type: 'text-end', id: 't' })
            const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
            controller.enqueue({ type: 'finish', finishReason: { unified: 'stop' }, usage } as never)
            controller.close()
          },
        }),
      }
    },
  })
  return { model, counts }
}

const answerOf = async (model: MockLanguageModelV4, messages: readonly StudioMessage[]) => {
  let text = ''
  await runMaster({
    model,
    messages,
    perform: () => Promise.reject(new Error('no task')),
    write: chunk => {
      if (chunk.type === 'text-delta') text += chunk.delta
    },
    signal: new AbortController().signal,
  })
  return text
}

test('the model gets the pictures of elements that the user pointed at in the last message', async () => {
  const { model } = countingModel({ refuses: false })
  expect(
    await answerOf(model, [
      said('u1', 'Open [1]'),
      { id: 'm1', role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] },
      said('u2', 'And [1]?'),
    ]),
  ).toBe('1 pictures')
})

test('a model that refuses pictures gets the message without them', async () => {
  const { model, counts } = countingModel({ refuses: true })
  expect(await answerOf(model, [said('u1', 'Open [1]')])).toBe('0 pictures')
  expect(counts.at(-1)).toBe(0)
  expect(counts).toContain(1)
})

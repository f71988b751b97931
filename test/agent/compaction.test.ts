import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { charsOf, compactMessages } from '../../src/agent/compaction.ts'

let calls = 0
const fenced = (word: string, text: string) =>
  `<page ${word.padEnd(16, '0')} url="https://shop.example/">\n${text}\n</page ${word.padEnd(16, '0')}>`

/** A call and its answer. */
function step(tool: string, text: string, input: object = {}): ModelMessage[] {
  const toolCallId = `c${++calls}`
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: tool, input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: tool, output: { type: 'text', value: text } }] },
  ]
}
const goal: ModelMessage = { role: 'user', content: 'Buy tea' }
const answers = (messages: readonly ModelMessage[], tool: string) =>
  messages.flatMap(({ role, content }) =>
    role === 'tool'
      ? content.flatMap(part =>
          part.type === 'tool-result' && part.toolName === tool && 'value' in part.output ? [String(part.output.value)] : [],
        )
      : [],
  )

test('the newest observe and the newest two snapshots stay whole; older ones say how to get them again (S3-29 S3-30 S3-32)', () => {
  const messages = [
    goal,
    ...[1, 2, 3].flatMap(each => step('browser-observe', `ok: observe\n${fenced(`o${each}`, `button ${each}`)}`)),
    ...[1, 2, 3, 4].flatMap(each => step('browser-snapshot', fenced(`s${each}`, `line ${each}`))),
  ]
  const compacted = compactMessages(messages)
  expect(answers(compacted, 'browser-observe')).toEqual([
    'ok: observe\n[dropped: older answer of browser-observe. Call it again to find controls on the page as it is now]',
    'ok: observe\n[dropped: older answer of browser-observe. Call it again to find controls on the page as it is now]',
    expect.stringContaining('button 3'),
  ])
  expect(answers(compacted, 'browser-snapshot')).toEqual([
    '[dropped: older snapshot. browser-snapshot shows the page as it is now]',
    '[dropped: older snapshot. browser-snapshot shows the page as it is now]',
    expect.stringContaining('line 3'),
    expect.stringContaining('line 4'),
  ])
  expect(compacted.filter(({ role }) => role === 'assistant')).toHaveLength(7)
})

test('texts over 10,000 characters keep their beginning and their end (S3-31)', () => {
  const text = fenced('w', `begin${'x'.repeat(30_000)}end`)
  const [clipped = ''] = answers(compactMessages([goal, ...step('browser-extract', text)]), 'browser-extract')
  expect(clipped.length).toBeLessThanOrEqual(10_000)
  expect(clipped).toMatch(/^<page w0{15} [^\n]*\nbegin[\s\S]*\[… \d+ characters cut; a scope shows a part\][\s\S]*end\n<\/page w0{15}>$/)
  const input = compactMessages([goal, ...step('browser-act', 'ok', { action: 'fill', text: 'y'.repeat(20_000) })])
  expect(charsOf(input)).toBeLessThan(10_500)
})

test('a message changes at most once, applying it twice changes nothing, and most steps leave the prefix as it was (S3-29)', () => {
  let messages: ModelMessage[] = [goal]
  const versions = new Map<number, Set<string>>()
  let unchanged = 0
  for (let each = 0; each < 40; each++) {
    const added =
      each % 4 === 3
        ? step('browser-snapshot', fenced(`s${each}`, 's'.repeat(9_000)))
        : step('browser-act', `ok: click e${each}\n${fenced(`a${each}`, 'a'.repeat(2_500))}`)
    const before = messages.map(message => JSON.stringify(message))
    messages = compactMessages([...messages, ...added])
    expect(compactMessages(messages)).toEqual(messages)
    if (before.every((text, index) => text === JSON.stringify(messages[index]))) unchanged++
    for (const [index, message] of messages.entries()) {
      const known = versions.get(index) ?? new Set()
      versions.set(index, known.add(JSON.stringify(message)))
    }
  }
  expect(Math.max(...[...versions.values()].map(({ size }) => size))).toBe(2)
  expect(unchanged).toBeGreaterThan(20)
})

test('forty steps with large answers stay below a fixed size (S3-29 S3-31)', () => {
  let messages: ModelMessage[] = [goal]
  let largest = 0
  for (let each = 0; each < 40; each++) {
    const tool = ['browser-observe', 'browser-act', 'browser-snapshot', 'browser-extract'][each % 4] as string
    messages = compactMessages([
      ...messages,
      ...step(tool, `ok: step ${each}\n${fenced(`w${each}`, 'z'.repeat(90_000))}`, { text: 'q'.repeat(3_000) }),
    ])
    largest = Math.max(largest, charsOf(messages))
  }
  expect(largest).toBeLessThan(100_000)
})

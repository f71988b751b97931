import { expect, expectTypeOf, test } from 'vitest'
import { ok } from '../../../src/contract/run.ts'
import { executeToolCalls, toAnthropic, webTools } from '../../../src/tools.ts'
import { page } from '../../render/page.ts'
import { recordingDriver } from '../../support/recording-driver.ts'

const png = { mime: 'image/png', base64: 'AAAA', width: 1, height: 1 }
const driver = () =>
  recordingDriver({
    shows: () => page([{ tag: 'button', role: 'button', name: 'Save', ref: 'e1', interactive: true }]),
    does: { screenshot: () => ok({ ...png, page: { url: 'http://a/', title: '' } }) },
  })

test('executeToolCalls answers the calls of a Chat Completions message in order, by id', async () => {
  const { run, commands } = driver()
  const answers = await executeToolCalls(webTools(run, { diff: false }), {
    role: 'assistant',
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'web_snapshot', arguments: '' } },
      { id: 'b', type: 'function', function: { name: 'web_click', arguments: '{"ref":"e1"}' } },
      { id: 'c', type: 'function', function: { name: 'web_click', arguments: '{"ref":' } },
      { id: 'd', type: 'function', function: { name: 'web_fly', arguments: '{}' } },
    ],
  })
  expect(answers.map(({ role, tool_call_id }) => [role, tool_call_id])).toEqual(['a', 'b', 'c', 'd'].map(id => ['tool', id]))
  expect(answers.map(({ content }) => content)).toEqual([
    expect.stringContaining('button "Save" [ref=e1]'),
    expect.stringContaining('ok: click e1'),
    expect.stringMatching(/^invalid_input: the arguments are not valid JSON\./),
    expect.stringMatching(/^unsupported_action: /),
  ])
  expect(commands.map(({ name }) => name)).toEqual(['snapshot', 'click'])
})

test('executeToolCalls answers the function calls of a Responses output and ignores other items', async () => {
  const answers = await executeToolCalls(webTools(driver().run, { images: true }), [
    { type: 'reasoning' },
    { type: 'function_call', call_id: 'a', name: 'web_snapshot', arguments: '{}' },
    { type: 'function_call', call_id: 'b', name: 'web_screenshot', arguments: '{}' },
  ])
  expect(answers).toEqual([
    { type: 'function_call_output', call_id: 'a', output: expect.stringContaining('button "Save"') },
    {
      type: 'function_call_output',
      call_id: 'b',
      output: [
        { type: 'input_text', text: expect.stringContaining('ok: screenshot') },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
      ],
    },
  ])
})

test('executeToolCalls answers the tool_use blocks of an Anthropic message in one message, and marks errors', async () => {
  const { content, role } = await executeToolCalls(webTools(driver().run, { images: true }), {
    role: 'assistant',
    content: [
      { type: 'text' },
      { type: 'tool_use', id: 'a', name: 'web_screenshot', input: {} },
      { type: 'tool_use', id: 'b', name: 'web_click', input: { target: 'e1' } },
    ],
  })
  expect(role).toBe('user')
  expect(content).toEqual([
    {
      type: 'tool_result',
      tool_use_id: 'a',
      is_error: false,
      content: [
        { type: 'text', text: expect.stringContaining('ok: screenshot') },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      ],
    },
    { type: 'tool_result', tool_use_id: 'b', is_error: true, content: [{ type: 'text', text: expect.stringContaining('"target"') }] },
  ])
})

test('executeToolCalls answers the tool-call parts of an AI SDK message', async () => {
  const answer = await executeToolCalls(webTools(driver().run), {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'web_snapshot', input: {} }],
  })
  expect(answer).toEqual({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'web_snapshot',
        output: { type: 'text', value: expect.stringContaining('button "Save"') },
      },
    ],
  })
})

test('a message without calls has no answers', async () => {
  const tools = webTools(driver().run)
  expect(await executeToolCalls(tools, { role: 'assistant', tool_calls: null })).toEqual([])
  expect(await executeToolCalls(tools, [])).toEqual([])
  expect(await executeToolCalls(tools, { role: 'assistant', content: 'done' })).toEqual([])
  expect(await executeToolCalls(tools, { role: 'assistant', content: [{ type: 'text' }] })).toMatchObject({ content: [] })
})

test('executeToolCalls throws a TypeError for a value that is not a message', async () => {
  const tools = webTools(driver().run)
  for (const value of [null, undefined, 'hi', { output: [] }, { choices: [] }])
    await expect(executeToolCalls(tools, value as never)).rejects.toThrow(/takes the message of an assistant/)
})

test('an aborted signal stops the calls that have not begun', async () => {
  const { run, commands } = driver()
  const tools = webTools((command, signal) => (signal?.aborted ? Promise.resolve({ ok: false, error: aborted }) : run(command, signal)))
  const aborted = { code: 'aborted', message: 'stopped.', hint: '' } as const
  const [answer] = await executeToolCalls(
    tools,
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'web_back', arguments: '{}' } }] },
    { signal: { aborted: true } },
  )
  expect(answer?.content).toMatch(/^aborted: /)
  expect(commands).toEqual([])
})

test('toAnthropic gives every tool with its schema', () => {
  const tools = webTools(driver().run)
  const [first] = toAnthropic(tools)
  expect(toAnthropic(tools.tools)).toHaveLength(tools.tools.length)
  expect(first).toEqual({
    name: 'web_open',
    description: expect.stringContaining('URL'),
    input_schema: expect.objectContaining({ type: 'object', required: ['url'] }),
  })
  expectTypeOf(first).toExtend<{ name: string; input_schema: { type: 'object' } } | undefined>()
})

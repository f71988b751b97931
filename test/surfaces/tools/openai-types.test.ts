import type OpenAI from 'openai'
import { expect, test } from 'vitest'
import { executeToolCalls, systemPrompt, toOpenAI, webTools } from '../../../src/tools.ts'
import { page } from '../../render/page.ts'
import { recordingDriver } from '../../support/recording-driver.ts'

// that this file compiles is part of the tests: the types of the openai package accept what the adapters return
const tools = webTools(recordingDriver({ shows: () => page([]) }).run)

/** a model that calls tools with these arguments, one after the other, and then stops */
function chatModel(given: readonly string[]) {
  const requests: OpenAI.ChatCompletionCreateParamsNonStreaming[] = []
  const create = async (request: OpenAI.ChatCompletionCreateParamsNonStreaming): Promise<{ choices: OpenAI.ChatCompletion.Choice[] }> => {
    requests.push({ ...request, messages: [...request.messages] })
    const json = given[requests.length - 1]
    const call: OpenAI.ChatCompletionMessageToolCall = {
      id: `c${requests.length}`,
      type: 'function',
      function: { name: 'web_click', arguments: json ?? '' },
    }
    const message: OpenAI.ChatCompletionMessage = {
      role: 'assistant',
      content: null,
      refusal: null,
      ...(json !== undefined && { tool_calls: [call] }),
    }
    return { choices: [{ index: 0, finish_reason: 'stop', logprobs: null, message }] }
  }
  return { requests, openai: { chat: { completions: { create } } } }
}

test('the loop of the Chat Completions API type-checks and survives arguments that are not JSON', async () => {
  const { openai, requests } = chatModel(['{"ref":', 'null', '[]', '', '"e1"', '{"ref":"e1"}'])
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: systemPrompt() }]
  for (let step = 0; step < 15; step++) {
    const { choices } = await openai.chat.completions.create({ model: 'gpt', messages, tools: toOpenAI(tools) })
    const message = choices[0]?.message
    if (!message) break
    messages.push(message)
    if (!message.tool_calls?.length) break
    messages.push(...(await executeToolCalls(tools, message)))
  }
  expect(requests).toHaveLength(7)
  const answers = messages.flatMap(message => (message.role === 'tool' ? [String(message.content)] : []))
  expect(answers.map(text => text.split(':')[0])).toEqual([...Array(5).fill('invalid_input'), 'ok'])
})

test('the loop of the Responses API type-checks and survives arguments that are not JSON', async () => {
  const output: OpenAI.Responses.ResponseOutputItem[] = [
    { type: 'function_call', call_id: 'c1', name: 'web_click', arguments: '{"ref":' },
    { type: 'function_call', call_id: 'c2', name: 'web_click', arguments: '{"ref":"e1"}' },
  ]
  const request: OpenAI.Responses.ResponseCreateParamsNonStreaming = { model: 'gpt', input: [], tools: toOpenAI(tools, 'responses') }
  const input: OpenAI.Responses.ResponseInput = []
  input.push(...(output as OpenAI.Responses.ResponseInputItem[]), ...(await executeToolCalls(tools, output)))
  expect(request.tools).toHaveLength(tools.tools.length)
  expect(input.slice(2)).toMatchObject([
    { type: 'function_call_output', call_id: 'c1', output: expect.stringMatching(/^invalid_input: the arguments are not valid JSON/) },
    { type: 'function_call_output', call_id: 'c2', output: expect.stringMatching(/^ok: click/) },
  ])
})

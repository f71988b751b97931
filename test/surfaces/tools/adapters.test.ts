import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { agentTools, toAiSdk, toOpenAI, webTools } from '../../../src/tools.ts'
import { page } from '../../render/page.ts'
import { recordingDriver } from '../../support/recording-driver.ts'

const driver = () => recordingDriver({ shows: () => page([{ tag: 'button', role: 'button', name: 'Save', ref: 'e1', interactive: true }]) })
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}
const calls = (toolName: string, input: object) => ({
  content: [{ type: 'tool-call' as const, toolCallId: `${toolName}-1`, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls' as const, raw: undefined },
  usage,
  warnings: [],
})
const says = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  finishReason: { unified: 'stop' as const, raw: undefined },
  usage,
  warnings: [],
})

/** the tool results sent back to the model */
const resultsIn = (model: MockLanguageModelV4) =>
  (model.doGenerateCalls.at(-1)?.prompt ?? []).flatMap(message =>
    message.role === 'tool' ? message.content.flatMap(part => (part.type === 'tool-result' ? [part.output] : [])) : [],
  )

test('the AI SDK runs the tools, and the model gets their text', async () => {
  const { run, commands } = driver()
  const model = new MockLanguageModelV4({
    doGenerate: [calls('web_snapshot', {}), calls('web_click', { ref: 'e1' }), calls('web_click', { target: 'e1' }), says('done')],
  })
  const { text } = await generateText({ model, tools: toAiSdk(webTools(run)), prompt: 'save it', stopWhen: isStepCount(5) })
  expect(text).toBe('done')
  expect(commands.map(({ name }) => name)).toEqual(['snapshot', 'click', 'snapshot'])
  const [seen, clicked, refused] = resultsIn(model)
  expect(seen).toMatchObject({ type: 'text', value: expect.stringContaining('- button "Save" [ref=e1]') })
  expect(clicked).toMatchObject({ type: 'text', value: expect.stringContaining('ok: click e1') })
  // invalid input is explained by the tool itself, with the field and the next step
  expect(refused).toMatchObject({
    type: 'error-text',
    value: expect.stringMatching(/^invalid_input: unknown field "target": web_click takes ref\./),
  })
})

test('the AI SDK passes the contract schemas to the model', async () => {
  const model = new MockLanguageModelV4({ doGenerate: [says('nothing to do')] })
  const tools = webTools(driver().run)
  await generateText({ model, tools: toAiSdk(tools), prompt: 'hello' })
  const offered = model.doGenerateCalls[0]?.tools ?? []
  expect(offered.map(tool => tool.name)).toEqual(tools.tools.map(({ name }) => name))
  for (const [index, { function: wanted }] of toOpenAI(tools).entries())
    expect(offered[index]).toMatchObject({ name: wanted.name, description: wanted.description, inputSchema: wanted.parameters })
})

test('a screenshot is sent to the model only with the images option (S2-39)', async () => {
  for (const images of [false, true]) {
    const model = new MockLanguageModelV4({ doGenerate: [calls('web_screenshot', {}), says('seen')] })
    await generateText({ model, tools: toAiSdk(webTools(driver().run, { images })), prompt: 'look', stopWhen: isStepCount(3) })
    const [output] = resultsIn(model)
    expect(JSON.stringify(output).includes('iVBORw0KGgo=')).toBe(images)
  }
})

test('agent tools return their whole result to the AI SDK and their text to the model', async () => {
  const model = new MockLanguageModelV4({ doGenerate: [calls('browser-observe', { task: 'save' }), says('done')] })
  const { steps } = await generateText({ model, tools: toAiSdk(agentTools(driver().run)), prompt: 'go', stopWhen: isStepCount(3) })
  expect(steps[0]?.toolResults[0]?.output).toMatchObject({ ok: true, data: { refs: ['e1'] } })
  expect(resultsIn(model)[0]).toMatchObject({ type: 'text', value: expect.stringContaining('[observe]') })
})

test('the Responses format is flat and not strict, so that optional fields stay optional', () => {
  const [first] = toOpenAI(webTools(driver().run), 'responses')
  expect(first).toEqual({
    type: 'function',
    name: 'web_open',
    description: expect.any(String),
    parameters: expect.any(Object),
    strict: false,
  })
})

import { failure } from '../../contract/failures.ts'
import type { AbortSignalLike } from '../../contract/run.ts'
import { failureAnswer } from '../respond/answer.ts'
import { type ModelOutput, modelOutput } from './adapters.ts'
import type { Toolbox, ToolResult } from './tool.ts'

/**
 * The message of an assistant in OpenAI's Chat Completions API.
 *
 * @example
 * const message: ChatMessage = completion.choices[0].message
 */
export interface ChatMessage {
  readonly role: 'assistant'
  readonly content?: string | null
  readonly tool_calls?:
    | readonly { readonly id: string; readonly type: string; readonly function?: { readonly name: string; readonly arguments: string } }[]
    | null
    | undefined
}
/**
 * The answer to one call of a `ChatMessage`.
 *
 * @example
 * const answers: ChatToolMessage[] = await executeToolCalls(tools, message)
 */
export interface ChatToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

/**
 * An item of `response.output` in OpenAI's Responses API.
 *
 * @example
 * const items: readonly ResponsesItem[] = response.output
 */
export interface ResponsesItem {
  readonly type: string
  readonly call_id?: string | null
  readonly name?: string | null
  readonly arguments?: unknown
}
/**
 * The answer to one `function_call` item.
 *
 * @example
 * const answers: ResponsesToolOutput[] = await executeToolCalls(tools, response.output)
 */
export interface ResponsesToolOutput {
  type: 'function_call_output'
  call_id: string
  output: string | ({ type: 'input_text'; text: string } | { type: 'input_image'; image_url: string; detail: 'auto' })[]
}

/**
 * The message of an assistant in Anthropic's Messages API.
 *
 * @example
 * const message: AnthropicMessage = await client.messages.create(request)
 */
export interface AnthropicMessage {
  readonly role: 'assistant'
  readonly content: readonly { readonly type: string; readonly id?: string; readonly name?: string; readonly input?: unknown }[]
}
/**
 * The message with all answers to the `tool_use` blocks of an `AnthropicMessage`.
 *
 * @example
 * const answer: AnthropicToolMessage = await executeToolCalls(tools, message)
 */
export interface AnthropicToolMessage {
  role: 'user'
  content: {
    type: 'tool_result'
    tool_use_id: string
    is_error: boolean
    content: (
      | { type: 'text'; text: string }
      | { type: 'image'; source: { type: 'base64'; media_type: 'image/png' | 'image/jpeg'; data: string } }
    )[]
  }[]
}

/**
 * The message of an assistant in the AI SDK.
 *
 * @example
 * const message: AiSdkMessage = response.messages[0]
 */
export interface AiSdkMessage {
  readonly role: 'assistant'
  readonly content:
    | string
    | readonly { readonly type: string; readonly toolCallId?: string; readonly toolName?: string; readonly input?: unknown }[]
}
/**
 * The message with all answers to the `tool-call` parts of an `AiSdkMessage`.
 *
 * @example
 * const answer: AiSdkToolMessage = await executeToolCalls(tools, message)
 */
export interface AiSdkToolMessage {
  role: 'tool'
  content: { type: 'tool-result'; toolCallId: string; toolName: string; output: ModelOutput }[]
}

type Options = { readonly signal?: AbortSignalLike | undefined }

/**
 * Executes the tool calls of a model's message, one after the other, and returns what the API expects as answers. The form of the message
 * decides the form of the answers. An unknown tool and arguments that are not JSON are answered with an error that the model can read. Throws
 * a TypeError for a value that is not a message.
 *
 * @example OpenAI Chat Completions
 * messages.push(message, ...(await executeToolCalls(tools, message)))
 * @example OpenAI Responses
 * input.push(...response.output, ...(await executeToolCalls(tools, response.output)))
 * @example Anthropic Messages and AI SDK
 * messages.push(message, await executeToolCalls(tools, message))
 */
export function executeToolCalls<R>(tools: Toolbox<R>, message: ChatMessage, options?: Options): Promise<ChatToolMessage[]>
export function executeToolCalls<R>(tools: Toolbox<R>, output: readonly ResponsesItem[], options?: Options): Promise<ResponsesToolOutput[]>
export function executeToolCalls<R>(tools: Toolbox<R>, message: AnthropicMessage, options?: Options): Promise<AnthropicToolMessage>
export function executeToolCalls<R>(tools: Toolbox<R>, message: AiSdkMessage, options?: Options): Promise<AiSdkToolMessage>
export async function executeToolCalls<R>(tools: Toolbox<R>, message: ToolMessage, { signal }: Options = {}): Promise<object> {
  assertMessage(message)
  const execute = async (name: string, args: unknown): Promise<ToolResult> => tools.toModel(await tools.execute(name, args, { signal }))
  const { images } = tools
  if (isResponsesOutput(message)) {
    const calls = message.filter(({ type }) => type === 'function_call')
    return inTurn(calls, async ({ call_id, name, arguments: json }) => {
      const result = await withArguments(json, args => execute(name ?? '', args))
      return { type: 'function_call_output', call_id: call_id ?? '', output: responsesOutput(result, images) } satisfies ResponsesToolOutput
    })
  }
  if (isChatMessage(message)) {
    const calls = (message.tool_calls ?? []).filter(call => call.function)
    return inTurn(calls, async ({ id, function: { name, arguments: json } = { name: '', arguments: '' } }) => {
      const { text } = await withArguments(json, args => execute(name, args))
      return { role: 'tool', tool_call_id: id, content: text } satisfies ChatToolMessage
    })
  }
  const parts = typeof message.content === 'string' ? [] : message.content
  if (parts.some(({ type }) => type === 'tool_use')) {
    const uses = (parts as AnthropicMessage['content']).filter(({ type }) => type === 'tool_use')
    const content = await inTurn(uses, async ({ id = '', name = '', input }) => anthropicResult(id, await execute(name, input), images))
    return { role: 'user', content } satisfies AnthropicToolMessage
  }
  const calls = (parts as Exclude<AiSdkMessage['content'], string>).filter(({ type }) => type === 'tool-call')
  const content = await inTurn(calls, async ({ toolCallId = '', toolName = '', input }) => {
    const output = modelOutput(await execute(toolName, input), images)
    return { type: 'tool-result' as const, toolCallId, toolName, output }
  })
  return { role: 'tool', content } satisfies AiSdkToolMessage
}

type ToolMessage = readonly ResponsesItem[] | AnthropicMessage | ChatMessage | AiSdkMessage

function assertMessage(message: unknown): asserts message is ToolMessage {
  const isMessage = Array.isArray(message) || (typeof message === 'object' && message !== null && 'role' in message)
  if (!isMessage) throw new TypeError('executeToolCalls takes the message of an assistant, or the `output` of a Responses API response.')
}

/** The other forms have an array as content. */
const isChatMessage = (message: ChatMessage | AnthropicMessage | AiSdkMessage): message is ChatMessage =>
  'tool_calls' in message || !('content' in message) || !Array.isArray(message.content)

const isResponsesOutput = (message: object): message is readonly ResponsesItem[] => Array.isArray(message)

/** Calls change the page, so each sees what the one before it did. */
async function inTurn<Call, Answer>(calls: readonly Call[], answer: (call: Call) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const call of calls) answers.push(await answer(call))
  return answers
}

/** `json` is what the model wrote: anything, or nothing at all. */
async function withArguments(json: unknown, execute: (args: unknown) => Promise<ToolResult>): Promise<ToolResult> {
  let args: unknown
  try {
    // some models send nothing for a tool without arguments
    args = typeof json !== 'string' ? (json ?? {}) : json.trim() === '' ? {} : JSON.parse(json)
  } catch {
    return failureAnswer(failure('invalid_input', 'the arguments are not valid JSON.'))
  }
  return execute(args)
}

function responsesOutput({ text, picture }: ToolResult, images: boolean): ResponsesToolOutput['output'] {
  if (!images || !picture) return text
  return [
    { type: 'input_text', text },
    { type: 'input_image', image_url: `data:${picture.mime};base64,${picture.base64}`, detail: 'auto' },
  ]
}

function anthropicResult(id: string, { ok, text, picture }: ToolResult, images: boolean): AnthropicToolMessage['content'][number] {
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: picture?.mime ?? 'image/png', data: picture?.base64 ?? '' },
  } as const
  return { type: 'tool_result', tool_use_id: id, is_error: !ok, content: [{ type: 'text', text }, ...(images && picture ? [image] : [])] }
}

import { inputSchema, type Tool, type Toolbox, type ToolResult } from './tool.ts'

/**
 * A tool as OpenAI's Chat Completions API takes it.
 *
 * @example
 * const tools: ChatTool[] = toOpenAI(webTools(session.run))
 */
export interface ChatTool {
  type: 'function'
  function: { name: string; description: string; parameters: { [keyword: string]: unknown } }
}

/**
 * A tool as OpenAI's Responses API takes it.
 *
 * @example
 * const tools: ResponsesTool[] = toOpenAI(webTools(session.run), 'responses')
 */
export interface ResponsesTool {
  type: 'function'
  name: string
  description: string
  parameters: { [keyword: string]: unknown }
  /** strict mode would make every field required */
  strict: false
}

type ToolList = readonly Tool[] | { readonly tools: readonly Tool[] }

/**
 * Tools for OpenAI's Chat Completions or Responses API.
 *
 * @example
 * client.chat.completions.create({ model, messages, tools: toOpenAI(tools) })
 */
export function toOpenAI(tools: ToolList, form?: 'chat'): ChatTool[]
export function toOpenAI(tools: ToolList, form: 'responses'): ResponsesTool[]
export function toOpenAI(tools: ToolList, form: 'chat' | 'responses' = 'chat'): (ChatTool | ResponsesTool)[] {
  return listOf(tools).map(tool => {
    const { name, description } = tool
    const parameters = { ...inputSchema(tool) }
    return form === 'chat'
      ? { type: 'function', function: { name, description, parameters } }
      : { type: 'function', name, description, parameters, strict: false }
  })
}

const listOf = (tools: ToolList): readonly Tool[] => ('tools' in tools ? tools.tools : tools)

/**
 * A tool as Anthropic's Messages API takes it.
 *
 * @example
 * const tools: AnthropicTool[] = toAnthropic(webTools(session.run))
 */
export interface AnthropicTool {
  name: string
  description: string
  input_schema: { type: 'object'; [keyword: string]: unknown }
}

/**
 * Tools for Anthropic's Messages API.
 *
 * @example
 * client.messages.create({ model, max_tokens, messages, tools: toAnthropic(tools) })
 */
export const toAnthropic = (tools: ToolList): AnthropicTool[] =>
  listOf(tools).map(tool => ({
    name: tool.name,
    description: tool.description,
    input_schema: { ...inputSchema(tool), type: 'object' },
  }))

/**
 * A tool as the AI SDK takes it; made without importing `ai`.
 *
 * @example
 * const { web_click }: { [name: string]: AiSdkTool } = toAiSdk(webTools(session.run))
 */
export interface AiSdkTool {
  readonly description: string
  readonly inputSchema: {
    readonly '~standard': {
      readonly version: 1
      readonly vendor: 'pagehand'
      validate(value: unknown): { readonly value: unknown }
      readonly jsonSchema: { input(): { [keyword: string]: unknown }; output(): { [keyword: string]: unknown } }
    }
  }
  execute(input: unknown, options?: { readonly abortSignal?: { readonly aborted: boolean } | undefined }): Promise<unknown>
  toModelOutput(given: { readonly output: unknown }): ModelOutput
}

/**
 * What a tool gives to the model in the AI SDK.
 *
 * @example
 * const output: ModelOutput = { type: 'text', value: 'ok: click e12' }
 */
export type ModelOutput =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | {
      readonly type: 'content'
      readonly value: ({ type: 'text'; text: string } | { type: 'file'; mediaType: string; data: { type: 'data'; data: string } })[]
    }

/**
 * Tools for `generateText`, `streamText` and agents of the AI SDK.
 *
 * @example
 * await generateText({ model, prompt, tools: toAiSdk(webTools(session.run)) })
 */
export function toAiSdk<Result>(toolbox: Toolbox<Result>): { readonly [name: string]: AiSdkTool } {
  return Object.fromEntries(
    toolbox.tools.map(tool => {
      const schema = () => ({ ...inputSchema(tool) })
      const adapted: AiSdkTool = {
        description: tool.description,
        // accepts every value: `execute` checks it, and its errors name the field and the next step
        inputSchema: {
          '~standard': { version: 1, vendor: 'pagehand', validate: value => ({ value }), jsonSchema: { input: schema, output: schema } },
        },
        execute: (input, { abortSignal } = {}) => toolbox.execute(tool.name, input, { signal: abortSignal }),
        toModelOutput: ({ output }) => modelOutput(toolbox.toModel(output as Result), toolbox.images),
      }
      return [tool.name, adapted]
    }),
  )
}

export function modelOutput({ ok, text, picture }: ToolResult, images: boolean): ModelOutput {
  if (!images || !picture) return { type: ok ? 'text' : 'error-text', value: text }
  return {
    type: 'content',
    value: [
      { type: 'text', text },
      { type: 'file', mediaType: picture.mime, data: { type: 'data', data: picture.base64 } },
    ],
  }
}

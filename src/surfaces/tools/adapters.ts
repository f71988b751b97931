import { inputSchema, type Tool, type Toolbox, type ToolResult } from './tool.ts'

/** How OpenAI's Chat Completions take a tool. */
export interface ChatTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: { readonly [keyword: string]: unknown } }
}

/** How OpenAI's Responses take it. */
export interface ResponsesTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly parameters: { readonly [keyword: string]: unknown }
  /** optional fields stay optional: strict mode would make every field required */
  readonly strict: false
}

type Offer = { readonly tools: readonly Tool[] }

export function toOpenAI(tools: readonly Tool[] | Offer, form?: 'chat'): readonly ChatTool[]
export function toOpenAI(tools: readonly Tool[] | Offer, form: 'responses'): readonly ResponsesTool[]
export function toOpenAI(tools: readonly Tool[] | Offer, form: 'chat' | 'responses' = 'chat'): readonly (ChatTool | ResponsesTool)[] {
  return listOf(tools).map(tool => {
    const { name, description } = tool
    const parameters = inputSchema(tool)
    return form === 'chat'
      ? { type: 'function', function: { name, description, parameters } }
      : { type: 'function', name, description, parameters, strict: false }
  })
}

const listOf = (tools: readonly Tool[] | Offer): readonly Tool[] => ('tools' in tools ? tools.tools : tools)

/** A tool as Anthropic's Messages API takes it. */
export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: { readonly type: 'object'; readonly [keyword: string]: unknown }
}

/**
 * Tools for Anthropic's Messages API.
 *
 * @example
 * client.messages.create({ model, max_tokens, messages, tools: toAnthropic(tools) })
 */
export const toAnthropic = (tools: readonly Tool[] | Offer): readonly AnthropicTool[] =>
  listOf(tools).map(tool => ({
    name: tool.name,
    description: tool.description,
    input_schema: { ...inputSchema(tool), type: 'object' },
  }))

/** A tool as `ai` takes it; made without importing `ai`. */
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

/** What a tool gives to the model in the AI SDK. */
export type ModelOutput =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | {
      readonly type: 'content'
      readonly value: ({ type: 'text'; text: string } | { type: 'file'; mediaType: string; data: { type: 'data'; data: string } })[]
    }

/** Tools for `generateText`, `streamText` and agents of the AI SDK: `tools: toAiSdk(webTools(run))`. */
export function toAiSdk<Result>(toolbox: Toolbox<Result>): { readonly [name: string]: AiSdkTool } {
  return Object.fromEntries(
    toolbox.tools.map(tool => {
      const schema = () => ({ ...inputSchema(tool) })
      const made: AiSdkTool = {
        description: tool.description,
        // every value passes here: `execute` checks it, and its errors name the field and the next step
        inputSchema: {
          '~standard': { version: 1, vendor: 'pagehand', validate: value => ({ value }), jsonSchema: { input: schema, output: schema } },
        },
        execute: (input, { abortSignal } = {}) => toolbox.execute(tool.name, input, { signal: abortSignal }),
        toModelOutput: ({ output }) => modelOutput(toolbox.toModel(output as Result), toolbox.images),
      }
      return [tool.name, made]
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

import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'

/** What a scripted model says in one turn: calls, a text, or a failure. */
export type Said = Call | readonly Call[] | string | { readonly error: unknown } | { readonly broken: readonly LanguageModelV4StreamPart[] }
export interface Call {
  readonly tool: string
  /** a string is sent as it is, so that it can be invalid JSON */
  readonly args: object | string
}
/** A turn reads the prompt as a model would: the last answer, and everything before it. */
export type Turn = Said | ((last: string, all: string, options: LanguageModelV4CallOptions) => Said | Promise<Said>)

export const call = (tool: string, args: object | string = {}): Call => ({ tool, args })
export const close = (summary: string, evidence?: readonly string[]): Call => call('close', { summary, ...(evidence && { evidence }) })
/** The ref of the last element whose line contains the text. */
export const refIn = (text: string, line: string): string =>
  [...text.matchAll(new RegExp(`${line}[^\\n]*?\\[ref=((?:f\\d+)?e\\d+)\\]`, 'g'))].at(-1)?.[1] ?? 'none'

export interface ScriptedModel extends MockLanguageModelV4 {
  /** the prompt of each call as text */
  readonly prompts: readonly string[]
}

const usage = {
  inputTokens: { total: 1_000, noCache: 900, cacheRead: 100, cacheWrite: undefined },
  outputTokens: { total: 20, text: 20, reasoning: undefined },
}

/** A model that follows a script; the last turn is repeated. */
export function scriptedModel(turns: readonly Turn[], modelId = 'scripted'): ScriptedModel {
  let count = 0
  const prompts: string[] = []
  const model = new MockLanguageModelV4({
    modelId,
    doStream: async options => {
      const texts = options.prompt.map(textOf)
      prompts.push(texts.join('\n'))
      const turn = turns[Math.min(count++, turns.length - 1)] ?? 'I am done.'
      const said = typeof turn === 'function' ? await turn(texts.at(-1) ?? '', texts.join('\n'), options) : turn
      if (typeof said === 'object' && 'error' in said) throw said.error
      return { stream: streamOf(said, count) }
    },
  })
  return Object.assign(model, { prompts })
}

function streamOf(said: Exclude<Said, { error: unknown }>, turn: number): ReadableStream<LanguageModelV4StreamPart> {
  const start: LanguageModelV4StreamPart = { type: 'stream-start', warnings: [] }
  if (typeof said === 'object' && 'broken' in said) {
    const parts = [start, ...said.broken]
    return new ReadableStream({
      pull(controller) {
        const part = parts.shift()
        if (part) controller.enqueue(part)
        else controller.error(new Error('socket hang up'))
      },
    })
  }
  const calls = typeof said === 'string' ? [] : Array.isArray(said) ? (said as readonly Call[]) : [said as Call]
  const parts: LanguageModelV4StreamPart[] = [
    start,
    ...(typeof said === 'string'
      ? ([
          { type: 'text-start', id: `t${turn}` },
          { type: 'text-delta', id: `t${turn}`, delta: said },
          { type: 'text-end', id: `t${turn}` },
        ] as const)
      : []),
    ...calls.map(({ tool, args }, index) => ({
      type: 'tool-call' as const,
      toolCallId: `c${turn}-${index}`,
      toolName: tool,
      input: typeof args === 'string' ? args : JSON.stringify(args),
    })),
    { type: 'finish', finishReason: { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined }, usage },
  ]
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

function textOf({ content }: LanguageModelV4Message): string {
  if (typeof content === 'string') return content
  return content
    .map(part => {
      if (part.type === 'text') return part.text
      if (part.type === 'tool-call') return `${part.toolName} ${JSON.stringify(part.input)}`
      if (part.type === 'tool-result') return outputText(part.output)
      return ''
    })
    .join('\n')
}

const outputText = (output: { readonly type: string; readonly value?: unknown }): string =>
  typeof output.value === 'string' ? output.value : JSON.stringify(output.value ?? output.type)

import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai'
import { inline } from '../contract/quote.ts'
import { cut } from '../contract/text.ts'

/** One call of a tool, and what the model read as its answer. */
export interface TranscriptCall {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  /** absent while it is running, or if the process ended before the answer was written */
  answer?: { readonly ok: boolean; readonly text: string }
}

/** One step of a run: what the model wrote, its calls, and what was said to it afterwards. */
export interface Turn {
  text?: string
  readonly calls: TranscriptCall[]
  /** a message of the program, such as the request to end with a call */
  note?: string
}

/** The text for a call whose answer was lost: the process ended before it was written. */
export const lostAnswer =
  'outcome_unknown: the program ended before the answer was recorded. The call may have happened; it is not repeated. Look at the page before you act again.'

/** The messages of a run, from its beginning. Every call has an answer, so that any provider accepts them. */
export function toMessages(task: string, turns: readonly Turn[]): ModelMessage[] {
  return [{ role: 'user', content: task }, ...turns.flatMap(messagesOf)]
}

function messagesOf({ text, calls, note }: Turn): ModelMessage[] {
  const content: Exclude<AssistantModelMessage['content'], string> = [
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...calls.map(({ id, tool, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: tool, input: input ?? {} })),
  ]
  const answers: ToolModelMessage['content'] = calls.map(({ id, tool, answer }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: tool,
    output: { type: answer?.ok ? ('text' as const) : ('error-text' as const), value: answer?.text ?? lostAnswer },
  }))
  return [
    ...(content.length > 0 ? [{ role: 'assistant' as const, content }] : []),
    ...(answers.length > 0 ? [{ role: 'tool' as const, content: answers }] : []),
    ...(note ? [{ role: 'user' as const, content: note }] : []),
  ]
}

type Fields = { readonly [field: string]: unknown }

/** What a call does, for people: its verb, and the element as an answer showed it last; then the other actions of the call. */
export function describeCall(tool: string, input: unknown, turns: readonly Turn[]): { readonly verb: string; readonly target?: string } {
  const { action, operation, ref, next } = (typeof input === 'object' && input !== null ? input : {}) as Fields
  const verb = [action, operation].find(each => typeof each === 'string') ?? tool.replace(/^browser-/, '')
  const target = typeof ref === 'string' ? elementOf(ref, turns) : undefined
  const others = Array.isArray(next) ? next.map(each => describeCall('', each, turns)) : []
  const words = [target ?? '', ...others.map(each => `${each.verb} ${each.target ?? ''}`.trim())].join(', ').replace(/^, /, '+ ')
  return { verb: cut(String(verb), 40), ...(words !== '' && { target: inline(words, 160) }) }
}

/** `button "Save"`, from the newest line with this ref. */
function elementOf(ref: string, turns: readonly Turn[]): string | undefined {
  const isRef = /^(?:f\d+)?e\d+$/.test(ref)
  const lines = new RegExp(`^\\s*(?:(?:[-+~]|gone:)\\s+)?(\\w+(?: "(?:[^"\\\\]|\\\\.)*")?)[^\\n]*\\[ref=${isRef ? ref : 'none'}\\]`, 'gm')
  for (const { calls } of [...turns].reverse())
    for (const { answer } of calls) {
      const [, element] = [...(answer?.text ?? '').matchAll(lines)].at(-1) ?? []
      if (element !== undefined) return inline(element, 80)
    }
  return undefined
}

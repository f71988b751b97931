import type { AssistantContent, ModelMessage, ToolResultPart } from 'ai'
import { cut } from '../contract/text.ts'

/** What stays whole in the messages of a run; see `compactMessages`. */
const kept: { readonly [tool: string]: number } = { 'browser-observe': 1, 'browser-snapshot': 2 }
/** The newest answers of other tools that stay whole. */
const keptAnswers = 3
/** Older answers are shortened once this many characters of them have gathered, so that most steps leave the prefix as it was. */
const chunkChars = 12_000
/** Longer texts are cut in the middle. */
export const maxTextChars = 10_000
/** The longest text or argument of an older step. */
const maxOldChars = 400

/**
 * Shortens the messages of a run for the next call of the model:
 *
 * - the newest answer of browser-observe and the newest two of browser-snapshot stay whole; older ones become a line that says how to get
 *   them again
 * - of other answers and texts, the newest three stay whole; older ones are reduced to their status line, but only when 12,000 characters
 *   of them have gathered
 * - no text is longer than 10,000 characters: its beginning and its end stay
 *
 * Applying it twice changes nothing more, and a message that was shortened keeps its text, so the prefix of the prompt stays cacheable.
 *
 * @example
 * const prepareStep = ({ messages }) => ({ messages: compactMessages(messages) })
 */
export function compactMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const recent = new Map<string, number>()
  const limits: { readonly [tool: string]: number } = { ...kept, '': keptAnswers }
  const isOld: boolean[] = []
  // from the newest to the oldest; a message of several answers has the age of its newest
  for (const [index, message] of [...messages.entries()].reverse()) {
    if (message.role !== 'tool') continue
    const tool = toolOf(message.content[0]?.type === 'tool-result' ? message.content[0].toolName : '')
    const newer = recent.get(tool) ?? 0
    recent.set(tool, newer + 1)
    isOld[index] = newer >= (limits[tool] ?? keptAnswers)
  }
  const oldest = messages.length - 2 * keptAnswers
  const candidates = messages.map((message, index) => {
    if (message.role === 'tool') return isOld[index] ? shortenAnswers(message.content) : undefined
    return message.role === 'assistant' && index < oldest ? shortenTexts(message.content) : undefined
  })
  const gathered = messages.reduce((sum, message, index) => {
    const isPage = message.role === 'tool' && isPageTool(message.content)
    const short = candidates[index]
    return isPage || short === undefined ? sum : sum + charsOf(message.content) - charsOf(short)
  }, 0)
  return messages.map((message, index): ModelMessage => {
    const short = candidates[index]
    const isDue = short !== undefined && (gathered >= chunkChars || (message.role === 'tool' && isPageTool(message.content)))
    const content = isDue ? short : message.content
    return { ...message, content: clipStrings(content) } as ModelMessage
  })
}

type ToolContentParts = Extract<ModelMessage, { role: 'tool' }>['content']

/** The tools with their own number of whole answers; all others share one. */
const toolOf = (name: string): string => (Object.hasOwn(kept, name) ? name : '')
const isPageTool = (content: ToolContentParts): boolean => content[0]?.type === 'tool-result' && Object.hasOwn(kept, content[0].toolName)

function shortenAnswers(content: ToolContentParts): ToolContentParts {
  return content.map(part => (part.type === 'tool-result' ? shortenAnswer(part) : part))
}

function shortenAnswer(part: ToolResultPart): ToolResultPart {
  const { output } = part
  if (output.type !== 'text' && output.type !== 'error-text') return part
  if (output.value.includes(mark)) return part
  const fenceStart = output.value.indexOf('<page ')
  const status = cut((fenceStart < 0 ? output.value : output.value.slice(0, fenceStart)).trim(), maxOldChars)
  if (fenceStart < 0 && status === output.value) return part
  return { ...part, output: { ...output, value: [...(status ? [status] : []), placeholder(part.toolName)].join('\n') } }
}

const mark = '[dropped: '

/** The line in place of page text; it says how to see the text again. */
function placeholder(tool: string): string {
  if (tool === 'browser-observe') return `${mark}older answer of browser-observe. Call it again to find controls on the page as it is now]`
  if (tool === 'browser-snapshot') return `${mark}older snapshot. browser-snapshot shows the page as it is now]`
  if (tool === 'browser-extract') return `${mark}older text. browser-extract reads the page that is open now]`
  return `${mark}older page text. browser-snapshot shows the page as it is now]`
}

function shortenTexts(content: AssistantContent): AssistantContent {
  if (typeof content === 'string') return cut(content, maxOldChars)
  return content.map(part => {
    if (part.type === 'text' || part.type === 'reasoning') return { ...part, text: cut(part.text, maxOldChars) }
    if (part.type === 'tool-call') return { ...part, input: mapStrings(part.input, text => cut(text, maxOldChars)) }
    return part
  })
}

const clipStrings = <T>(content: T): T => mapStrings(content, clip) as T

/** The beginning and the end of a long text, which keeps both tags of a fence. */
export function clip(text: string): string {
  if (text.length <= maxTextChars) return text
  const room = maxTextChars - 100
  const [head, tail] = [text.slice(0, Math.ceil(room * 0.7)), text.slice(-Math.floor(room * 0.3))]
  return `${head}\n[… ${text.length - head.length - tail.length} characters cut; a scope shows a part]\n${tail}`
}

/** Image data is not text, and a shortened file would be damaged. */
function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(each => mapStrings(each, change))
  if (typeof value !== 'object' || value === null || (value as { type?: unknown }).type === 'file') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'providerOptions' ? inner : mapStrings(inner, change)]),
  )
}

/**
 * The characters of all strings in messages, as a measure of their size.
 *
 * @example
 * const size = charsOf(messages)
 */
export function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + charsOf(inner), 0)
}

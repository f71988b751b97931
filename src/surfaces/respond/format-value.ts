import type { ParsedCommand } from '../../contract/commands.ts'
import { minFencedChars } from '../../contract/limits.ts'
import type { CommandData } from '../../contract/results.ts'
import { adviseLarger, note } from '../../render/text/dialect.ts'
import { noteLines } from '../../render/text/effect.ts'
import { fence } from '../../render/text/fence.ts'
import { inline, quote } from '../../render/text/quote.ts'
import type { FormattedAnswer, ResponseContext } from './context.ts'
import { originOf } from './format-page.ts'

export function formatQuery(
  call: ParsedCommand<'query'>,
  { value, truncated, notes }: CommandData['query'],
  context: ResponseContext,
): FormattedAnswer {
  const label = `${call.kind} of ${context.dialect.refs.ref(call.ref)}`
  const isJson = jsonKinds.has(call.kind)
  return formatValue({ label, value: String(value), isJson, truncated, maxChars: call.limitChars, notes }, context)
}

export const jsonKinds: ReadonlySet<string> = new Set(['attrs', 'computed_styles', 'box', 'isvisible', 'isenabled', 'ischecked'])

export function formatEvaluate(
  call: ParsedCommand<'evaluate'>,
  { value, truncated, notes }: CommandData['evaluate'],
  context: ResponseContext,
): FormattedAnswer {
  const result = readScriptResult(String(value), truncated)
  return formatValue({ label: 'result', ...result, truncated, maxChars: call.limitChars, notes }, context)
}

/** The facts about an element, as JSON. */
export function formatInspect(
  { ref }: ParsedCommand<'inspect'>,
  { notes, ...facts }: CommandData['inspect'],
  context: ResponseContext,
): FormattedAnswer {
  const label = ref === undefined ? 'the focused element' : context.dialect.refs.ref(ref)
  return formatValue({ label, value: JSON.stringify(facts), isJson: true, truncated: false, maxChars: maxInspectChars, notes }, context)
}
const maxInspectChars = 4_000

interface PageValue {
  readonly label: string
  readonly value: string
  /** the value is JSON, true or false, and needs no quotes */
  readonly isJson: boolean
  readonly truncated: boolean
  readonly maxChars: number
  readonly notes: readonly string[] | undefined
}

/** One string of the page. The fence counts toward the budget, unless the budget is too small for it. */
function formatValue(page: PageValue, { conversation, dialect, fenceWord }: ResponseContext): FormattedAnswer {
  const { label, value, isJson, truncated, notes } = page
  const maxChars = Math.max(page.maxChars, minFencedChars)
  const cutNote = note('cut', adviseLarger(dialect, 'limitChars'))
  const write = isJson ? inline : quote
  const fenced = (content: string, isCut: boolean, limit = Number.POSITIVE_INFINITY) => {
    const lines = [`${label}: ${content}`, ...(isCut ? [cutNote] : []), ...noteLines(notes)]
    return fence(originOf(conversation.page?.url), lines, { word: fenceWord, maxChars: limit })
  }
  const withinBudget = (): string => {
    const complete = fenced(write(value), truncated)
    if (complete.length <= maxChars && value.length <= page.maxChars) return complete
    const room = Math.max(minValueChars, maxChars - fenced('""', true).length)
    return fenced(write(value, Math.min(room, page.maxChars)), true, maxChars)
  }
  return { answer: { ok: true, text: withinBudget() }, fingerprint: JSON.stringify([label, value, truncated, notes]) }
}

/** room for the value beside many notes */
const minValueChars = 40

/** The result of a script is JSON, and a string in it is quoted once. A WebView that evaluates strings may return bare text instead. */
function readScriptResult(value: string, truncated: boolean): Pick<PageValue, 'value' | 'isJson'> {
  const complete = parseJson(value)
  if (complete.ok) return typeof complete.data === 'string' ? { value: complete.data, isJson: false } : { value, isJson: true }
  if (!truncated) return { value, isJson: value === 'undefined' }
  // a string that was cut lacks its closing quote, and may end within an escape
  const start = parseJson(`${value.replace(/…$/, '').replace(/\\(u[\da-f]{0,3})?$/i, '')}"`)
  if (start.ok && typeof start.data === 'string') return { value: `${start.data}…`, isJson: false }
  return { value, isJson: value === 'undefined' || /^[[{]/.test(value) }
}

function parseJson(text: string): { readonly ok: true; readonly data: unknown } | { readonly ok: false } {
  try {
    return { ok: true, data: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}

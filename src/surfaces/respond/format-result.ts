import { type ParsedCommand, type VerbName, verbs } from '../../contract/commands.ts'
import type { ActionData, CommandData, PageData, TabInfo } from '../../contract/results.ts'
import { noteLines } from '../../render/text/effect.ts'
import { fitLines } from '../../render/text/fence.ts'
import { inline, quote } from '../../render/text/quote.ts'
import type { FormattedAnswer, ResponseContext } from './context.ts'
import { formatAction, formatFillForm, formatNavigation, formatWait, withPage } from './format-action.ts'
import { formatConsole, formatRequests } from './format-log.ts'
import { formatRankedResult, formatSnapshot } from './format-page.ts'
import { formatScreenshot } from './format-screenshot.ts'
import { formatEvaluate, formatInspect, formatQuery } from './format-value.ts'
import { statusAnswer } from './status-answer.ts'

type Formatter<N extends VerbName> = (
  call: ParsedCommand<N>,
  data: never,
  context: ResponseContext,
) => FormattedAnswer | Promise<FormattedAnswer>
type AnyFormatter = (call: ParsedCommand, data: unknown, context: ResponseContext) => FormattedAnswer | Promise<FormattedAnswer>

/** The result of a command as text for the model. */
export function formatResult(
  call: ParsedCommand,
  data: CommandData[keyof CommandData],
  context: ResponseContext,
): FormattedAnswer | Promise<FormattedAnswer> {
  if (hasPage(data)) context.conversation.setPage(data.page)
  const formatter = formatters[call.name] as AnyFormatter | undefined
  return formatter ? formatter(call, data, context) : formatAction(call, data as ActionData, context)
}

const hasPage = (data: unknown): data is PageData => typeof data === 'object' && data !== null && 'page' in data

/** all other commands are actions */
const formatters: { readonly [N in VerbName]?: Formatter<N> } = {
  open: formatNavigation,
  back: formatNavigation,
  forward: formatNavigation,
  reload: formatNavigation,
  close: formatNavigation,
  snapshot: formatSnapshot,
  observe: formatRankedResult,
  extract: formatRankedResult,
  read: formatRankedResult,
  fillForm: formatFillForm,
  query: formatQuery,
  inspect: formatInspect,
  evaluate: formatEvaluate,
  wait: formatWait,
  screenshot: formatScreenshot,
  tabs: formatTabs,
  console: formatConsole,
  requests: formatRequests,
  status: formatStatus,
}

async function formatTabs(
  call: ParsedCommand<'tabs'>,
  { tabs, notes }: CommandData['tabs'],
  context: ResponseContext,
): Promise<FormattedAnswer> {
  const facts = { lines: [...tabs.map(tabLine), ...noteLines(notes)] }
  if (call.operation === 'list') return statusAnswer('ok: tabs list', facts, { ...context, call })
  context.conversation.forgetSnapshot()
  return withPage(`ok: tabs ${call.operation}`, facts, { ...context, call })
}

const tabLine = ({ tab, url, title, selected }: TabInfo): string =>
  `${selected ? '*' : '-'} ${inline(tab, 20)} ${quote(title, 60)} url=${quote(url, 120)}`

function formatStatus(call: ParsedCommand<'status'>, status: CommandData['status'], context: ResponseContext): FormattedAnswer {
  const entries = Object.entries(status).slice(0, 20)
  const linesOf = (isOfPage: boolean) => entries.filter(([name]) => pageFacts.has(name) === isOfPage).map(statusLine)
  const own = fitLines(['ok: status', ...linesOf(false)], verbs.status.chars - maxPageFacts).join('\n')
  const lines = linesOf(true)
  if (lines.length === 0) return { answer: { ok: true, text: own }, fingerprint: own }
  return statusAnswer(own, { lines }, { ...context, call })
}

/** The facts that have words of a page in them; the others are those of the program. */
const pageFacts: ReadonlySet<string> = new Set(['url', 'title', 'page', 'dialog', 'downloads', 'storage'])
const maxPageFacts = 700

function statusLine([name, value]: [string, unknown]): string {
  const written = typeof value === 'string' ? quote(value, 200) : inline(JSON.stringify(value) ?? '', 200)
  const where = name === 'errors' && value !== 0 ? ' in the console of the page; the command console lists them' : ''
  return `${inline(name, 40)}: ${written}${where}`
}

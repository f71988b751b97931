import type { ParsedCommand } from '../../contract/commands.ts'
import { minFencedChars } from '../../contract/limits.ts'
import { type ConsoleEntry, isFailedRequest, type RequestEntry } from '../../contract/page-log.ts'
import type { CommandData } from '../../contract/results.ts'
import { noteLines } from '../../render/text/effect.ts'
import { fence } from '../../render/text/fence.ts'
import { inline, quote } from '../../render/text/quote.ts'
import type { FormattedAnswer, ResponseContext } from './context.ts'
import { originOf } from './format-page.ts'

export function formatConsole(
  { maxChars }: ParsedCommand<'console'>,
  { counts, entries, notes }: CommandData['console'],
  context: ResponseContext,
): FormattedAnswer {
  const head = `ok: console, ${plural(counts.error, 'error')}, ${plural(counts.warning, 'warning')}, ${plural(counts.info + counts.debug, 'other')}`
  return formatLog(head, [...entries.map(consoleLine), ...noteLines(notes)], { ...context, maxChars })
}

export function formatRequests(
  { maxChars }: ParsedCommand<'requests'>,
  { counts, requests, notes }: CommandData['requests'],
  context: ResponseContext,
): FormattedAnswer {
  const head = `ok: requests, ${counts.failed} failed of ${counts.all}`
  return formatLog(head, [...requests.map(requestLine), ...noteLines(notes)], { ...context, maxChars })
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const consoleLine = ({ level, text, url, line }: ConsoleEntry): string =>
  `${inline(level, 20)} ${quote(text, 300)}${url === undefined ? '' : ` at ${quote(url, 160)}${line === undefined ? '' : `:${line}`}`}`

function requestLine(request: RequestEntry): string {
  const { method, url, type, status, failed, ms } = request
  const outcome = failed === undefined ? (status ?? 'pending') : `failed ${quote(failed, 60)}`
  return `${isFailedRequest(request) ? '! ' : ''}${outcome} ${inline(method, 20)} ${inline(type.toLowerCase(), 20)} ${quote(url, 200)}${ms === undefined ? '' : ` ${ms} ms`}`
}

/** Lines of the page below a line of counts, within the budget. */
function formatLog(
  head: string,
  lines: readonly string[],
  { maxChars, conversation, fenceWord }: ResponseContext & { readonly maxChars: number },
): FormattedAnswer {
  const room = Math.max(maxChars, minFencedChars) - head.length - 1
  const text = lines.length ? `${head}\n${fence(originOf(conversation.page?.url), lines, { word: fenceWord, maxChars: room })}` : head
  return { answer: { ok: true, text }, fingerprint: JSON.stringify([head, lines]) }
}

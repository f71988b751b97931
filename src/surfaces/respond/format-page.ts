import type { ParsedCommand } from '../../contract/commands.ts'
import { minChars, minFencedChars } from '../../contract/limits.ts'
import type { CommandData } from '../../contract/results.ts'
import { diffLines } from '../../render/diff/diff.ts'
import type { RankedResult } from '../../render/rank/ranked.ts'
import { noteLines } from '../../render/text/effect.ts'
import { fence } from '../../render/text/fence.ts'
import { renderSnapshot } from '../../render/text/render.ts'
import type { FormattedAnswer, ResponseContext } from './context.ts'
import { formatFailure } from './format-failure.ts'

export function formatSnapshot(call: ParsedCommand<'snapshot'>, data: CommandData['snapshot'], context: ResponseContext): FormattedAnswer {
  const { conversation, request, options, dialect, fenceWord } = context
  const changes = call.changes && formatChanges(call, data, context)
  if (changes) return changes
  if (call.scope === undefined && call.after === undefined) conversation.setSnapshot(data, call)
  const { url, title } = data.meta
  conversation.setPage({ ...conversation.page, url, title })
  const notes = noteLines([...(data.notes ?? []), ...(isBlank(data) ? ['No page is open yet: open a URL first.'] : [])])
  const budget = Math.max(call.maxChars, minFencedChars)
  const fenced = (body: string) => fence(originOf(url), [body, ...notes], { word: fenceWord, maxChars: budget })
  const { format = options.format ?? 'tree', maxNodes } = request
  const isBareJson = format === 'json' && request.forProgram === true
  const maxCharsTotal = isBareJson ? call.maxChars : Math.max(minChars, budget - fenced('').length)
  const { text, refs, error } = renderSnapshot(data, { maxCharsTotal, format, ...(maxNodes !== undefined && { maxNodes }) }, dialect)
  if (error) {
    return formatFailure(call, error, { conversation, fenceWord })
  }
  return {
    answer: { ok: true, refs, text: isBareJson ? text : fenced(text) },
    fingerprint: JSON.stringify([text, notes]),
  }
}

/** Only what changed since the last look; undefined if there is nothing to compare with, or if the page is another one. */
function formatChanges(
  call: ParsedCommand<'snapshot'>,
  { notes: given, ...snapshot }: CommandData['snapshot'],
  { conversation, dialect, fenceWord }: ResponseContext,
): FormattedAnswer | undefined {
  const notes = noteLines(given)
  const { url, title } = snapshot.meta
  const fenced = (lines: readonly string[]) => fence({ url, title }, [...lines, ...notes], { word: fenceWord })
  const change = conversation.compareWith(snapshot, Math.max(minChars, call.maxChars - fenced(['']).length), dialect.refs)
  if (change.kind !== 'changed') return undefined
  const lines = diffLines(change.diff, dialect.refs)
  const text = fenced(lines.length > 0 ? lines : ['nothing changed since the last look'])
  return { answer: { ok: true, text }, fingerprint: JSON.stringify([lines, notes]) }
}

/** A new tab, to which no page has been opened. */
const isBlank = ({ meta, tree }: CommandData['snapshot']): boolean => meta.url === 'about:blank' && !tree.children?.length

/** The answer to `observe`, `extract` or `read`. */
export function formatRankedResult(
  _: ParsedCommand<'observe' | 'extract' | 'read'>,
  { text, refs, nextOffset, notes }: Pick<RankedResult, 'text' | 'refs' | 'nextOffset' | 'notes'>,
  { conversation, fenceWord }: ResponseContext,
): FormattedAnswer {
  const withFence = fence(originOf(conversation.page?.url), [text, ...noteLines(notes)], { word: fenceWord })
  return {
    answer: { ok: true, refs, nextOffset, text: withFence },
    fingerprint: JSON.stringify([text, notes]),
  }
}

/** The origin is enough to say whose text follows. */
export function originOf(url: string | undefined): { readonly url: string } | undefined {
  if (!url) return undefined
  return { url: (/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? url).slice(0, 60) }
}

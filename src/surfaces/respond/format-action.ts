import { type ParsedCommand, verbs } from '../../contract/commands.ts'
import { minChars } from '../../contract/limits.ts'
import type { PageInfo } from '../../contract/page-api.ts'
import type { ActionData, CommandData, NavigationData } from '../../contract/results.ts'
import type { RefStyle } from '../../render/text/dialect.ts'
import { effectLines, noteLines, pendingLines } from '../../render/text/effect.ts'
import { inline } from '../../render/text/quote.ts'
import type { FormattedAnswer, ResponseContext } from './context.ts'
import { statusAnswer } from './status-answer.ts'
import { summarizeDiff, summaryLines } from './summarize-diff.ts'

/** A navigation leads to another document, so the last snapshot is void. */
export function formatNavigation(call: ParsedCommand, data: NavigationData, context: ResponseContext): FormattedAnswer {
  context.conversation.forgetSnapshot()
  const next = call.name === 'close' ? '' : '. Take a snapshot to see it.'
  const lines = [...pendingLines(data), ...noteLines(data.notes)]
  return statusAnswer(`ok: ${call.name}${next}`, { page: data.page, lines }, { ...context, call })
}

export function formatWait(call: ParsedCommand<'wait'>, data: CommandData['wait'], context: ResponseContext): Promise<FormattedAnswer> {
  const lines = noteLines(data.notes)
  return withDifference(`ok: wait, met after ${Math.round(data.waitedMs)} ms`, { page: data.page, lines }, { ...context, call })
}

export function formatAction(call: ParsedCommand, data: ActionData, context: ResponseContext): Promise<FormattedAnswer> {
  const { refs } = context.dialect
  return withDifference(
    `ok: ${describeCall(call, refs)}`,
    {
      page: data.page,
      lines: effectLines(data, refs),
      // the focus follows a click, which is no progress; a key that moves the focus is
      compared: effectLines(isFocusOnly(data, refOf(call)) ? { ...data, effect: {} } : data, refs),
    },
    { ...context, call },
  )
}

const isFocusOnly = ({ effect }: ActionData, ref: string | undefined): boolean =>
  ref !== undefined && effect.focus === ref && Object.values(effect).filter(value => value !== undefined).length === 1

interface ActionLines {
  readonly page: PageInfo
  readonly lines: readonly string[]
  readonly compared?: readonly string[]
}

/** The result of an action, and what changed since the model last read the page, within the budget of the verb. */
async function withDifference(
  status: string,
  { page, lines, compared = lines }: ActionLines,
  context: ResponseContext & { readonly call: ParsedCommand },
): Promise<FormattedAnswer> {
  const { run, conversation, options, call, dialect } = context
  const bare = statusAnswer(status, { page, lines, compared }, context)
  const room = verbs[call.name].chars - bare.answer.text.length
  if (options.diff === false || room < minChars + 20) return bare
  const { diff, isNewDocument } = await conversation.compare(run, Math.max(minChars, Math.min(1_000, room - 20)), dialect.refs)
  const ref = refOf(call)
  const summary = diff && summarizeDiff(diff, ref)
  const notes = noteLines(conversation.takeNotes())
  const newDocument = isNewDocument ? ['new page: refs of the old one are gone. Take a snapshot to see it.'] : []
  const linesOf = (ignoreFocus: boolean) => {
    if (!summary) return newDocument
    return summaryLines(ignoreFocus ? { ...summary, entries: summary.entries.filter(({ focus }) => !focus) } : summary, dialect.refs)
  }
  return statusAnswer(
    status,
    {
      page,
      lines: [...lines, ...notes, ...linesOf(false)],
      compared: [...compared, ...notes, ...linesOf(ref !== undefined)],
    },
    context,
  )
}

/** The verb and its arguments, as the caller wrote them. */
function describeCall(call: ParsedCommand, refs: RefStyle): string {
  const { name, ref, key, direction, amount, to } = call as ParsedCommand & { readonly [argument: string]: unknown }
  return [
    name,
    key,
    typeof ref === 'string' ? refs.ref(ref) : undefined,
    direction,
    amount,
    typeof to === 'string' ? `to ${refs.ref(to)}` : undefined,
  ]
    .filter(part => part !== undefined)
    .map(part => inline(String(part), 40))
    .join(' ')
}

const refOf = (call: ParsedCommand): string | undefined => ('ref' in call ? call.ref : undefined)

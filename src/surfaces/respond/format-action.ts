import { type ParsedCommand, verbs } from '../../contract/commands.ts'
import { minChars } from '../../contract/limits.ts'
import type { PageInfo } from '../../contract/page-api.ts'
import type { ActionData, CommandData, NavigationData } from '../../contract/results.ts'
import type { Snapshot } from '../../contract/snapshot.ts'
import type { FillFormData } from '../../layers/fill-form.ts'
import type { RefStyle } from '../../render/text/dialect.ts'
import { effectLines, effectWords, noteLines, pendingLines } from '../../render/text/effect.ts'
import { inline } from '../../render/text/quote.ts'
import type { FormattedAnswer, ResponseContext } from './context.ts'
import type { PageChange } from './conversation.ts'
import { describePage } from './describe-page.ts'
import { statusAnswer } from './status-answer.ts'
import { summarizeDiff, summaryLines } from './summarize-diff.ts'

/** A navigation leads to another document, so the last snapshot is void. The answer describes the new page. */
export async function formatNavigation(call: ParsedCommand, data: NavigationData, context: ResponseContext): Promise<FormattedAnswer> {
  context.conversation.forgetSnapshot()
  const facts = { page: data.page, lines: [...pendingLines(data), ...noteLines(data.notes)] }
  if (call.name === 'close') return statusAnswer('ok: close', facts, { ...context, call })
  return withPage(`ok: ${call.name}`, facts, { ...context, call })
}

/** The result of a command that led to another page, and as much of that page as there is room for. */
export async function withPage(
  status: string,
  facts: { readonly page?: PageInfo; readonly lines: readonly string[] },
  context: ResponseContext & { readonly call: ParsedCommand },
): Promise<FormattedAnswer> {
  const { run, conversation, options, call } = context
  const bare = statusAnswer(status, facts, context)
  const snapshot = options.diff === false ? undefined : await conversation.readPage(run, options.viewport ?? 'all')
  const notes = noteLines(conversation.takeNotes())
  const described = snapshot && (await describePage(snapshot, roomBeside(bare, call) - lengthOf(notes), context))
  if (!described)
    return statusAnswer(`${status}. Take a snapshot to see the page.`, { ...facts, lines: [...facts.lines, ...notes] }, context)
  // the page itself does not tell one answer from another
  return statusAnswer(status, { ...facts, lines: [...facts.lines, ...notes, ...described], compared: facts.lines }, context)
}

const roomBeside = ({ answer }: FormattedAnswer, call: ParsedCommand): number => verbs[call.name].chars - answer.text.length - 50
const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0)

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
      linesIfLate: url => effectLines({ ...data, effect: { ...data.effect, url }, settled: true, pending: [] }, refs),
    },
    { ...context, call },
  )
}

/** What each field holds, and what sending the form led to. */
export function formatFillForm(call: ParsedCommand<'fillForm'>, data: FillFormData, context: ResponseContext): Promise<FormattedAnswer> {
  const { refs } = context.dialect
  const { fields, sentBy } = data
  const held = fields.map(
    ({ ref, effect: { focus: _focus, changed: _changed, ...held } }) => `${refs.ref(ref)}: ${effectWords(held, refs)}`,
  )
  const sent = sentBy === undefined ? [...pendingLines(data), ...noteLines(data.notes)] : effectLines(data, refs)
  // the event of a form that led to another page is gone with the old one
  const isSent = data.effect.submitted ?? data.effect.url !== undefined
  const submit = sentBy === undefined ? '' : `, ${isSent ? 'form sent' : 'then submit'} by ${refs.ref(sentBy)}`
  const status = `ok: ${fields.length} ${fields.length === 1 ? 'field' : 'fields'} set${submit}`
  return withDifference(status, { page: data.page, lines: [...held, ...sent] }, { ...context, call })
}

const isFocusOnly = ({ effect }: ActionData, ref: string | undefined): boolean =>
  ref !== undefined && effect.focus === ref && Object.values(effect).filter(value => value !== undefined).length === 1

interface ActionLines {
  readonly page: PageInfo
  readonly lines: readonly string[]
  readonly compared?: readonly string[]
  /** the lines if another document arrives after the action has returned */
  readonly linesIfLate?: (url: string) => readonly string[]
}

/** The result of an action, and what changed since the model last read the page, within the budget of the verb. */
async function withDifference(
  status: string,
  { page, lines, compared = lines, linesIfLate = () => lines }: ActionLines,
  context: ResponseContext & { readonly call: ParsedCommand },
): Promise<FormattedAnswer> {
  const { run, conversation, options, call, dialect } = context
  const bare = statusAnswer(status, { page, lines, compared }, context)
  const room = roomBeside(bare, call)
  if (options.diff === false || room < minChars) return bare
  const change = await conversation.compare(run, room, dialect.refs)
  const late = change.kind === 'newDocument' && change.snapshot.meta.url !== page.url ? change.snapshot : undefined
  const ref = refOf(call)
  const notes = noteLines(conversation.takeNotes())
  const newPage = 'snapshot' in change ? await newPageLines(change, room - lengthOf(notes), context) : []
  const linesOf = (ignoreFocus: boolean): readonly string[] => {
    if (change.kind !== 'changed') return newPage
    const summary = summarizeDiff(change.diff, ref)
    return summaryLines(ignoreFocus ? { ...summary, entries: summary.entries.filter(({ focus }) => !focus) } : summary, dialect.refs)
  }
  const formatted = statusAnswer(
    status,
    {
      page: late ? pageOf(late, page) : page,
      lines: [...(late ? linesIfLate(late.meta.url) : lines), ...notes, ...linesOf(false)],
      compared: [...compared, ...notes, ...linesOf(ref !== undefined)],
    },
    context,
  )
  const isNewPage = change.kind === 'newDocument' || change.kind === 'newView' || ('opensDialog' in change && change.opensDialog)
  return isNewPage ? { ...formatted, answer: { ...formatted.answer, isNewPage: true } } : formatted
}

/** The page of a snapshot whose document arrived after the action had returned. */
function pageOf({ meta: { url, title, scroll = { x: 0, y: 0, height: 0 } } }: Snapshot, { status: _status, ...page }: PageInfo): PageInfo {
  return { ...page, url, title, scroll }
}

const headlines = {
  newDocument: 'new page: refs of the old one are gone',
  newView: 'new view: most of the page changed',
  otherPart: 'another part of the page is in view; refs of other parts still hold',
} as const

async function newPageLines(
  { kind, snapshot }: Extract<PageChange, { readonly snapshot: Snapshot }>,
  room: number,
  context: ResponseContext,
): Promise<readonly string[]> {
  const headline = headlines[kind]
  // the matches of other parts are known from the first answer about the page
  const { options } = context
  const described = await describePage(
    snapshot,
    room - headline.length,
    kind === 'otherPart' ? { ...context, options: { ...options, task: '' } } : context,
  )
  return described ? [`${headline}.`, ...described] : [`${headline}. Take a snapshot to see it.`]
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

import { isVerbName, verbs } from '../contract/commands.ts'
import { messageOf } from '../contract/error-message.ts'
import { type Failure, type FailureCode, reportedOnce } from '../contract/failures.ts'
import { isDownloadsCommand } from '../contract/held-downloads.ts'
import type { ActionFacts, ActionSlot } from '../contract/journal.ts'
import { say, term } from '../contract/message.ts'
import { addNotes, notesOf } from '../contract/notes.ts'
import { type Effect, redacted } from '../contract/page-api.ts'
import { PagehandError, toFailure } from '../contract/pagehand-error.ts'
import type { ActionData, ScreenshotData } from '../contract/results.ts'
import { type AbortSignalLike, type AnyCommand, type AnyRun, fail, type Layer, type Result } from '../contract/run.ts'
import type { Snapshot } from '../contract/snapshot.ts'
import { cut } from '../contract/text.ts'
import { isTyped, withoutTyped } from '../contract/typed-text.ts'
import { isPartOfForm } from './form-fields.ts'

/** Stores the evidence. */
export interface EvidenceSink {
  /** Rejects if the event cannot be written; then the command is not run (TRUST F5). */
  write(event: StepEvent): Promise<void>
  /** Saves the page as it is after a step, and returns the file names. If it rejects, only this capture is lost. */
  saveCapture(step: number, capture: Capture): Promise<readonly string[]>
  /** The place of a command in the run. @default a new step */
  slotOf?(command: AnyCommand): ActionSlot
  /** The recorded result of an action; `outcome_unknown` if it was begun and has none. @default undefined */
  recorded?(actionId: string): Result | 'outcome_unknown' | undefined
  /** Redacts words that were typed into a field that hides them, in everything written from now on. */
  redact(words: readonly string[]): void
}
export type Capture = { readonly screenshot: ScreenshotData } | { readonly snapshot: Snapshot }

/**
 * An event of a command that can change something. A command writes them in this order.
 *
 * @example
 * const isFailure = (event: StepEvent) => event.type === 'result' && !event.ok
 */
export type StepEvent =
  /** written before the command is run: without a result, it may or may not have happened */
  | ({ readonly type: 'command'; readonly step: number; readonly verb: string; readonly arguments: Fields } & Partial<IntentFacts>)
  | ({ readonly type: 'result'; readonly step: number; readonly ok: boolean } & Partial<StepOutcome>)
  | { readonly type: 'evidence'; readonly step: number; readonly files: readonly string[]; readonly notSaved?: readonly string[] }

type Fields = { readonly [field: string]: unknown }

/** What identifies an action in the journal of a run. */
export interface IntentFacts extends ActionFacts {
  readonly actionId: string
  readonly commandHash: string
}

export interface StepOutcome {
  /** all arguments including typed words; only if the page shows those words */
  readonly arguments: Fields
  readonly page: object
  readonly effect: Effect
  readonly settled: boolean
  readonly pending: readonly string[]
  readonly notes: readonly string[]
  readonly error: Failure
  /** of `tabs` */
  readonly tabs: unknown
  /** of `evaluate` */
  readonly value: string
  readonly truncated: unknown
}

/**
 * Logs every command that can change something, before and after it, and captures a screenshot and a snapshot of the result.
 * Commands that only read are not logged here: their answers are in the log of the tools.
 */
export const evidenceLayer = (sink: EvidenceSink): Layer => {
  // counted over all pages that share the sink
  let steps = 0
  return next => {
    const pending = new PendingNotices()
    return async (command, signal) => {
      const crash = pending.takeFailure()
      if (isRead(command)) return crash ? { ok: false, error: crash } : pending.attachTo(await next(command, signal), command)
      let slot: ActionSlot | undefined
      try {
        slot = sink.slotOf?.(command)
        const recorded = slot && sink.recorded?.(slot.actionId)
        if (recorded) return recorded === 'outcome_unknown' ? unknownOutcome(command) : recorded
      } catch (error) {
        if (error instanceof PagehandError) return { ok: false, error: toFailure(error) }
        throw error
      }
      const step = slot?.step ?? ++steps
      const { actionId, commandHash, facts } = slot ?? {}
      try {
        await sink.write({
          type: 'command',
          step,
          ...(actionId !== undefined && commandHash !== undefined && { actionId, commandHash, ...facts }),
          verb: command.name,
          arguments: argumentsOf(withoutTyped(command)),
        })
      } catch (error) {
        return fail('not_logged', say`${term(command.name)} was not run, because its record could not be written.`, {
          page: { error: messageOf(error) },
        })
      }
      const result: Result = crash ? { ok: false, error: crash } : await next(command, signal)
      if (hidesTyped(command, result)) sink.redact(typedWords(command))
      try {
        await sink.write({ type: 'result', step, ...outcomeOf(command, result) })
        if (!isPartOfForm(command, result)) await capturePage(step, { sink, next, pending, result, signal })
      } catch (error) {
        pending.addUnsaved(messageOf(error))
      }
      return pending.attachTo(result, command)
    }
  }
}

const unknownOutcome = ({ name }: AnyCommand): Result =>
  fail(
    'outcome_unknown',
    say`${term(name)} was begun before the run was interrupted, and may have happened. It was not done again: read the page first, then decide.`,
  )

interface CaptureContext {
  readonly sink: EvidenceSink
  readonly next: AnyRun
  readonly pending: PendingNotices
  readonly result: Result
  readonly signal: AbortSignalLike | undefined
}

/** Saves a screenshot and a snapshot after a step; the event lists what could not be saved. */
async function capturePage(step: number, { sink, next, pending, result, signal }: CaptureContext): Promise<void> {
  const files: string[] = []
  const notSaved: string[] = []
  let obstacle = captureObstacle(result, signal)
  for (const name of ['screenshot', 'snapshot'] as const) {
    const captured = obstacle ? fail(obstacle, 'the page cannot be captured.') : await next({ name }, signal)
    if (!captured.ok) {
      notSaved.push(`${name}: ${captured.error.code}`)
      if (!obstacle) pending.addFailure(captured.error)
      obstacle ??= captureObstacle(captured, signal)
      continue
    }
    pending.addNotes(captured)
    try {
      files.push(...(await sink.saveCapture(step, captureOf(name, captured.data))))
    } catch (error) {
      notSaved.push(`${name}: ${messageOf(error)}`)
      pending.addUnsaved(messageOf(error))
    }
  }
  await sink.write({ type: 'evidence', step, files, ...(notSaved.length > 0 && { notSaved }) })
}

/** Why the page cannot be captured; undefined if it can. */
function captureObstacle(result: Result, signal: AbortSignalLike | undefined): FailureCode | undefined {
  if (signal?.aborted) return 'aborted'
  return result.ok || !unreachable.has(result.error.code) ? undefined : result.error.code
}

function captureOf(name: 'screenshot' | 'snapshot', data: unknown): Capture {
  if (name === 'screenshot') return { screenshot: data as ScreenshotData }
  const { notes: _, ...snapshot } = data as Snapshot & { notes?: unknown }
  return { snapshot }
}

/** the page is gone or does not respond, so a capture would only wait for its deadline */
const unreachable: ReadonlySet<FailureCode> = new Set([
  'aborted',
  'browser_crashed',
  'browser_not_found',
  'dialog_open',
  'not_running',
  'page_crashed',
  'page_unresponsive',
  'target_closed',
  'timeout',
])

/** Notes and failures that the captures received. The driver reports each only once, so the caller must get them with a later result. */
class PendingNotices {
  #notes: string[] = []
  #crash: Failure | undefined

  addNotes(result: Result): void {
    this.#notes.push(...notesOf(result))
  }

  addFailure(error: Failure): void {
    if (reportedOnce.has(error.code)) this.#crash = error
  }

  addUnsaved(why: string): void {
    this.#notes.push(`evidence not_saved: ${why}`)
  }

  takeFailure(): Failure | undefined {
    const crash = this.#crash
    this.#crash = undefined
    return crash
  }

  /** Adds the notes to a result. A failure has no notes, so they wait for the next result. */
  attachTo(result: Result, { name }: AnyCommand): Result {
    if (name === 'status' || this.#notes.length === 0) return result
    const noted = addNotes(result, this.#notes)
    if (noted) this.#notes = []
    return noted ?? result
  }
}

const isRead = (command: AnyCommand): boolean =>
  isDownloadsCommand(command) || (isVerbName(command.name) && verbs[command.name].risk === 'look')

const argumentsOf = ({ name: _, ...fields }: AnyCommand): Fields => fields

const typedWords = ({ name: _, ...fields }: AnyCommand): readonly string[] =>
  Object.entries(fields).flatMap(([field, value]) => (isTyped(field, value) ? [value].flat().map(String) : []))

/** The values of the field after the command. */
function fieldValues(result: Result): readonly string[] {
  const { value, selected = [] } = (result.ok ? (result.data as Partial<ActionData> | null)?.effect : undefined) ?? {}
  return [...(value === undefined ? [] : [value]), ...selected]
}

/** Whether the field masks its value, or is empty or gone afterwards, as fields for one-time codes are once they submit. */
function hidesTyped(command: AnyCommand, result: Result): boolean {
  if (!result.ok || typedWords(command).length === 0) return false
  return fieldValues(result).every(words => words === redacted || /^[•●∙·*\s]*$/.test(words))
}

/** Whether the page shows what was typed. A selected option is always a text of the page. */
function showsTyped(command: AnyCommand, result: Result): boolean {
  const values = fieldValues(result).filter(words => words !== redacted)
  if (command.name === 'select') return values.some(words => words !== '')
  return typedWords(command).every(words => words === '' || values.some(value => contains(value, words)))
}

/** a long value ends in … */
function contains(value: string, typed: string): boolean {
  const [shown, words] = [value, typed].map(text => text.replace(/\s+/g, ' ').trim()) as [string, string]
  return shown.includes(words) || (shown.length > 20 && shown.endsWith('…') && words.startsWith(shown.slice(0, -1)))
}

function outcomeOf(command: AnyCommand, result: Result): { readonly ok: boolean } & Partial<StepOutcome> {
  if (!result.ok) return { ok: false, error: result.error }
  const { page, effect, settled, pending, notes, tabs, value, truncated } = (result.data ?? {}) as Partial<ActionData> & Fields
  const { name: _, ...fields } = command
  return {
    ok: true,
    ...(typedWords(command).length > 0 && showsTyped(command, result) && { arguments: fields }),
    ...(page && { page: { url: page.url, title: page.title, ...(page.status !== undefined && { status: page.status }) } }),
    ...(effect && { effect }),
    ...(settled !== undefined && { settled }),
    ...(pending && { pending }),
    ...(notes?.length && { notes }),
    ...(tabs !== undefined && { tabs }),
    ...(typeof value === 'string' && { value: cut(value, maxLoggedValue), truncated }),
  }
}

const maxLoggedValue = 2_000

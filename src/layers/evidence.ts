import { isVerbName, verbs } from '../contract/commands.ts'
import { messageOf } from '../contract/error-message.ts'
import { type Failure, type FailureCode, reportedOnce } from '../contract/failures.ts'
import { type Effect, redacted } from '../contract/page-api.ts'
import type { ActionData, ScreenshotData } from '../contract/results.ts'
import { type AbortSignalLike, type AnyCommand, type AnyRun, fail, type Layer, type Result } from '../contract/run.ts'
import type { Snapshot } from '../contract/snapshot.ts'

/** Who writes things down. */
export interface EvidenceSink {
  /** rejects where the event cannot be written: then nothing more is done (TRUST F5) */
  note(event: StepEvent): Promise<void>
  /** keeps what was seen after a step and says in which files; rejects where that is not possible, and nothing else is lost */
  keep(step: number, seen: { readonly picture: ScreenshotData } | { readonly snapshot: Snapshot }): Promise<readonly string[]>
  /** words that were typed into a field that hides them: from now on they are written nowhere */
  hide(words: readonly string[]): void
}

/** What happens to the page, in the order in which it is written down. */
export type StepEvent =
  /** before it is done: what stands here without a result may or may not have happened */
  | { readonly type: 'command'; readonly step: number; readonly verb: string; readonly arguments: Fields }
  | ({ readonly type: 'result'; readonly step: number; readonly ok: boolean } & Partial<Outcome>)
  | { readonly type: 'evidence'; readonly step: number; readonly files: readonly string[]; readonly notSaved?: readonly string[] }

type Fields = { readonly [field: string]: unknown }

export interface Outcome {
  /** the typed words as well, where the page shows them */
  readonly arguments: Fields
  readonly page: object
  readonly effect: Effect
  readonly settled: boolean
  readonly pending: readonly string[]
  readonly notes: readonly string[]
  readonly error: Failure
}

/**
 * Writes down every command that can change something, before and after, and keeps a picture and a snapshot of what came of it.
 * Looks pass by: what they told is in the answers of the tools.
 */
export const evidence = (witness: EvidenceSink): Layer => {
  // of all pages that the witness hears of
  let steps = 0
  return next => {
    const owed = debts()
    return async (command, signal) => {
      const crash = owed.failure()
      if (isLook(command)) return crash ? { ok: false, error: crash } : owed.paid(await next(command, signal), command)
      const step = ++steps
      try {
        await witness.note({ type: 'command', step, verb: command.name, arguments: withheld(command) })
      } catch (error) {
        return fail('not_logged', `${command.name} was not carried out: ${messageOf(error)}.`)
      }
      const result: Result = crash ? { ok: false, error: crash } : await next(command, signal)
      if (hides(command, result)) witness.hide(typedIn(command))
      const unsaved = await noted(() => witness.note({ type: 'result', step, ...outcome(command, result) }))
      if (unsaved === undefined) owed.note(await noted(() => look(step, { witness, next, owed, result, signal })))
      else owed.note(unsaved)
      return owed.paid(result, command)
    }
  }
}

interface Looking {
  readonly witness: EvidenceSink
  readonly next: AnyRun
  readonly owed: ReturnType<typeof debts>
  readonly result: Result
  readonly signal: AbortSignalLike | undefined
}

/** What the page is like after a step; where it cannot be had, that is written down instead. */
async function look(step: number, { witness, next, owed, result, signal }: Looking): Promise<void> {
  const files: string[] = []
  const notSaved: string[] = []
  let blind = blindness(result, signal)
  for (const name of ['screenshot', 'snapshot'] as const) {
    const seen = blind ? fail(blind, 'the page cannot be looked at.') : await next({ name }, signal)
    if (!seen.ok) {
      notSaved.push(`${name}: ${seen.error.code}`)
      if (!blind) owed.failed(seen.error)
      blind ??= blindness(seen, signal)
      continue
    }
    owed.heard(seen)
    try {
      files.push(...(await witness.keep(step, seenOf(name, seen.data))))
    } catch (error) {
      notSaved.push(`${name}: ${messageOf(error)}`)
      owed.note(messageOf(error))
    }
  }
  await witness.note({ type: 'evidence', step, files, ...(notSaved.length > 0 && { notSaved }) })
}

/** why there is no use in looking; undefined where there is */
function blindness(result: Result, signal: AbortSignalLike | undefined): FailureCode | undefined {
  if (signal?.aborted) return 'aborted'
  return result.ok || !cannotBeSeen.has(result.error.code) ? undefined : result.error.code
}

function seenOf(name: 'screenshot' | 'snapshot', data: unknown) {
  if (name === 'screenshot') return { picture: data as ScreenshotData }
  const { notes: _, ...snapshot } = data as Snapshot & { notes?: unknown }
  return { snapshot }
}

/** a page that is gone or does not answer is not asked to wait for its picture */
const cannotBeSeen: ReadonlySet<FailureCode> = new Set([
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

/** What a look of ours was told in passing, and the caller must still hear. */
function debts() {
  let notes: string[] = []
  let crash: Failure | undefined
  return {
    heard(result: Result): void {
      if (result.ok) notes.push(...notesOf(result.data))
    },
    failed(error: Failure): void {
      if (reportedOnce.has(error.code)) crash = error
    },
    note(why: string | undefined): void {
      if (why !== undefined) notes.push(`evidence not_saved: ${why}`)
    },
    failure(): Failure | undefined {
      const failed = crash
      crash = undefined
      return failed
    },
    /** the result, with the notes in it; what failed has no place for them, so they wait */
    paid(result: Result, { name }: AnyCommand): Result {
      if (name === 'status' || !result.ok || notes.length === 0 || typeof result.data !== 'object' || result.data === null) return result
      const all = [...new Set([...notesOf(result.data), ...notes])]
      notes = []
      return { ok: true, data: { ...result.data, notes: all } }
    },
  }
}

const notesOf = (data: unknown): readonly string[] => (data as { notes?: readonly string[] } | null)?.notes ?? []

const isLook = ({ name }: AnyCommand): boolean => isVerbName(name) && verbs[name].risk === 'look'

/** words that are meant for the page; nobody knows yet whether the field hides them */
export const isTyped = (field: string, value: unknown): boolean => typing.has(field) && !(field === 'key' && isNamedKey(value))
export const typedMark = '[typed]'
const typing = new Set(['value', 'text', 'values', 'key'])
/** Enter and Control+a say what is done; a single letter is a part of a text */
const isNamedKey = (key: unknown): boolean => typeof key === 'string' && [...key].length > 1

function withheld({ name: _, ...fields }: AnyCommand): Fields {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, isTyped(field, value) ? typedMark : value]))
}

const typedIn = ({ name: _, ...fields }: AnyCommand): readonly string[] =>
  Object.entries(fields).flatMap(([field, value]) => (isTyped(field, value) ? [value].flat().map(String) : []))

/** what is read in the field afterwards */
function readBack(result: Result): readonly string[] {
  const { value, selected = [] } = (result.ok ? (result.data as Partial<ActionData> | null)?.effect : undefined) ?? {}
  return [...(value === undefined ? [] : [value]), ...selected]
}

/** The field is known to hide what it holds, or has already sent it off, as fields for one-time codes do. */
function hides(command: AnyCommand, result: Result): boolean {
  if (!result.ok || typedIn(command).length === 0) return false
  return readBack(result).every(words => words === redacted || /^[•●∙·*\s]*$/.test(words))
}

/** The page shows what was typed, or chosen among its own words. */
function shows(command: AnyCommand, result: Result): boolean {
  const seen = readBack(result).filter(words => words !== redacted)
  if (command.name === 'select') return seen.some(words => words !== '')
  return typedIn(command).every(words => words === '' || seen.some(shown => isIn(shown, words)))
}

function isIn(shown: string, typed: string): boolean {
  const [seen, words] = [shown, typed].map(text => text.replace(/\s+/g, ' ').trim()) as [string, string]
  return seen.includes(words) || (seen.length > 20 && seen.endsWith('…') && words.startsWith(seen.slice(0, -1)))
}

function outcome(command: AnyCommand, result: Result): { readonly ok: boolean } & Partial<Outcome> {
  if (!result.ok) return { ok: false, error: result.error }
  const { page, effect, settled, pending, notes } = (result.data ?? {}) as Partial<ActionData>
  const { name: _, ...fields } = command
  return {
    ok: true,
    ...(typedIn(command).length > 0 && shows(command, result) && { arguments: fields }),
    ...(page && { page: { url: page.url, title: page.title, ...(page.status !== undefined && { status: page.status }) } }),
    ...(effect && { effect }),
    ...(settled !== undefined && { settled }),
    ...(pending && { pending }),
    ...(notes?.length && { notes }),
  }
}

async function noted(write: () => Promise<void>): Promise<string | undefined> {
  try {
    await write()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

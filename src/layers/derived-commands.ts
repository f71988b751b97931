import type { ParsedCommand } from '../contract/commands.ts'
import { minChars, type SnapshotFormat } from '../contract/limits.ts'
import type { CommandData } from '../contract/results.ts'
import { type AbortSignalLike, type AnyRun, type Layer, ok } from '../contract/run.ts'
import { parseSnapshot } from '../render/decode/snapshot.ts'
import { extract } from '../render/rank/extract.ts'
import { observe } from '../render/rank/observe.ts'
import { readPage } from '../render/rank/read.ts'
import { commandDialect, type Dialect } from '../render/text/dialect.ts'
import { noteLines } from '../render/text/effect.ts'
import { type FailedResult, isCut, readWholePage, type WholePage } from './whole-page.ts'

export interface DerivedCommandsOptions {
  /** Of the elements that `observe` finds. @default 'tree' */
  readonly format?: SnapshotFormat
  /** How the notes spell options. @default the names of the arguments */
  readonly dialect?: Dialect
}

/** `observe`, `extract` and `read` on any driver that can take a snapshot. */
export const derivedCommandsLayer =
  ({ format = 'tree', dialect = commandDialect }: DerivedCommandsOptions = {}): Layer =>
  next =>
  async (command, signal) => {
    if (command.name !== 'observe' && command.name !== 'extract' && command.name !== 'read') return next(command, signal)
    const call = command as unknown as ParsedCommand<'observe' | 'extract' | 'read'>
    const page = await (call.name === 'observe' ? readControls(next, call, signal) : readWholePage(next, call.scope, signal))
    if (!page.ok) return page
    const { snapshot, missing, notes } = page
    // the driver reports a note once: it must not end here
    const noteChars = noteLines(notes).reduce((sum, line) => sum + line.length + 1, 0)
    const options = { maxChars: Math.max(minChars, call.maxChars - noteChars), dialect, missing }
    const answer =
      call.name === 'observe'
        ? observe(snapshot, { ...call, ...options, format })
        : call.name === 'extract'
          ? extract(snapshot, { ...call, ...options })
          : readPage(snapshot, { ...call, ...options })
    return ok({ ...answer, ...(notes.length > 0 && { notes }) })
  }

/** One snapshot, of the most important controls; the whole page if a task may mean one that the snapshot does not contain. */
async function readControls(
  run: AnyRun,
  { scope, task = '' }: Pick<ParsedCommand<'observe'>, 'scope' | 'task'>,
  signal?: AbortSignalLike,
): Promise<WholePage | FailedResult> {
  const result = await run({ name: 'snapshot', interactiveOnly: false, viewport: 'all', ...(scope !== undefined && { scope }) }, signal)
  if (!result.ok) return result
  const snapshot = parseSnapshot(result.data)
  if (!snapshot.ok) return { ok: false, error: snapshot.error }
  const notes = (result.data as CommandData['snapshot']).notes ?? []
  const whole = isCut(snapshot) && task.trim() !== '' ? await readWholePage(run, scope, signal) : undefined
  if (whole?.ok) return { ...whole, notes: [...notes, ...whole.notes] }
  const missing = isCut(snapshot) ? ['parts of a long page that are far from the viewport'] : []
  return { ok: true, snapshot, missing, notes }
}

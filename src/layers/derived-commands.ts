import type { ParsedCommand } from '../contract/commands.ts'
import { minChars, type SnapshotFormat } from '../contract/limits.ts'
import type { CommandData } from '../contract/results.ts'
import { type Layer, ok } from '../contract/run.ts'
import { parseSnapshot } from '../render/decode/snapshot.ts'
import { extract } from '../render/rank/extract.ts'
import { observe } from '../render/rank/observe.ts'
import { commandDialect, type Dialect } from '../render/text/dialect.ts'
import { noteLines } from '../render/text/effect.ts'

export interface DerivedCommandsOptions {
  /** Of the elements that `observe` finds. @default 'tree' */
  readonly format?: SnapshotFormat
  /** How the notes spell options. @default the names of the arguments */
  readonly dialect?: Dialect
}

/** `observe` and `extract` on any driver that can take a snapshot. */
export const derivedCommandsLayer =
  ({ format = 'tree', dialect = commandDialect }: DerivedCommandsOptions = {}): Layer =>
  next =>
  async (command, signal) => {
    if (command.name !== 'observe' && command.name !== 'extract') return next(command, signal)
    const call = command as unknown as ParsedCommand<'observe' | 'extract'>
    const scope = call.scope === undefined ? {} : { scope: call.scope }
    const result = await next({ name: 'snapshot', interactiveOnly: false, viewport: 'all', ...scope }, signal)
    if (!result.ok) return result
    const snapshot = parseSnapshot(result.data)
    if (!snapshot.ok) return { ok: false, error: snapshot.error }
    // the driver reports a note once: it must not end here
    const { notes = [] } = result.data as CommandData['snapshot']
    const noteChars = noteLines(notes).reduce((sum, line) => sum + line.length + 1, 0)
    const options = { maxChars: Math.max(minChars, call.maxChars - noteChars), dialect }
    const ranked = call.name === 'observe' ? observe(snapshot, { ...call, ...options, format }) : extract(snapshot, { ...call, ...options })
    return ok({ ...ranked, ...(notes.length > 0 && { notes }) })
  }

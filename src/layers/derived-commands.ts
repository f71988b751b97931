import type { ParsedCommand } from '../contract/commands.ts'
import type { SnapshotFormat } from '../contract/limits.ts'
import { type Layer, ok } from '../contract/run.ts'
import { parseSnapshot } from '../render/decode/snapshot.ts'
import { extract } from '../render/rank/extract.ts'
import { observe } from '../render/rank/observe.ts'
import { commandDialect, type Dialect } from '../render/text/dialect.ts'

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
    return ok(call.name === 'observe' ? observe(snapshot, { ...call, format, dialect }) : extract(snapshot, { ...call, dialect }))
  }

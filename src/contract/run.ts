import type { CommandInputs, DriverVerb } from './command-inputs.generated.ts'
import { type Failure, type FailureCode, type FailureDetails, failure } from './failures.ts'
import type { Literal, Message } from './message.ts'
import type { CommandData } from './results.ts'

/**
 * A verb of the table with the arguments that a caller writes; arguments with a default may be left out.
 *
 * @example
 * const command: Command<'click'> = { name: 'click', ref: 'e12' }
 */
export type Command<V extends DriverVerb = DriverVerb> = { readonly [Each in V]: { readonly name: Each } & CommandInputs[Each] }[V]

/**
 * A command before its verb and arguments are checked.
 *
 * @example
 * const command: AnyCommand = { name: 'click', ref: 'e12' }
 */
export interface AnyCommand {
  readonly name: string
  readonly [argument: string]: unknown
}

/**
 * The outcome of a command. An expected failure is a value with a code of the closed table and the next step to take.
 *
 * @example
 * const result = await session.run({ name: 'click', ref: 'e12' })
 * console.log(result.ok ? result.data.effect : `${result.error.code}: ${result.error.hint}`)
 */
export type Result<T = unknown> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly error: Failure }

/**
 * Executes a command. Every driver is one, every surface calls one. Never rejects: an expected failure is a result.
 *
 * @example
 * const result = await run({ name: 'snapshot', viewport: 'visible' })
 * if (result.ok) console.log(result.data.tree)
 */
export type Run = <V extends DriverVerb>(
  command: { readonly name: V } & CommandInputs[V],
  signal?: AbortSignalLike,
) => Promise<Result<CommandData[V]>>

/**
 * The untyped form that layers wrap and surfaces call. A `Run` can be passed wherever one is expected: the type is that of a method, whose
 * parameters are compared bivariantly.
 *
 * @example
 * const log = (next: AnyRun): AnyRun => (command, signal) => (console.log(command.name), next(command, signal))
 */
export type AnyRun = { run(command: AnyCommand, signal?: AbortSignalLike): Promise<Result> }['run']

/**
 * A function between a surface and a driver: policy, evidence, derived commands.
 *
 * @example
 * const timed: Layer = next => async (command, signal) => {
 *   const start = performance.now()
 *   const result = await next(command, signal)
 *   console.log(command.name, performance.now() - start)
 *   return result
 * }
 */
export type Layer = (next: AnyRun) => AnyRun

/**
 * Wraps a driver in layers. The first layer sees a command first and its result last.
 *
 * @example
 * const run = wrap(session.run, createPolicy({ readOnly: true }))
 */
export const wrap = (driver: AnyRun, ...layers: readonly Layer[]): Run =>
  typed(layers.reduceRight<AnyRun>((next, layer) => layer(next), driver))

/** Gives a driver the types of the verb table. The driver checks its commands with `parseCommand`, so the cast holds at run time. */
export const typed = (run: AnyRun): Run => run as Run

/** The part of AbortSignal that is used, so that this compiles without the DOM and without Node. */
export interface AbortSignalLike {
  readonly aborted: boolean
  addEventListener?(type: 'abort', listener: () => void): void
  removeEventListener?(type: 'abort', listener: () => void): void
}

export const ok = <T>(data: T): Result<T> => ({ ok: true, data })
export const fail = <const T extends string>(
  code: FailureCode,
  message: (T & Literal<T>) | Message,
  details?: FailureDetails,
): Result<never> => ({ ok: false, error: failure(code, message as Message, details) })

import { type Failure, type FailureCode, failure } from './failures.ts'

/** What is asked of a page: a verb and its arguments. The table of all verbs will narrow this. */
export interface Command {
  readonly name: string
  readonly [argument: string]: unknown
}

export type Result<T = unknown> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly error: Failure }

/** Every surface calls one; every driver is one; everything between wraps one. */
export type Run = (command: Command, signal?: AbortSignalLike) => Promise<Result>

/** What stands between a surface and a driver: policy, approval, evidence, readings. */
export type Layer = (next: Run) => Run
/** The first layer sees a command first, and a result last. */
export const wrap = (driver: Run, ...layers: readonly Layer[]): Run => layers.reduceRight((next, layer) => layer(next), driver)

/** as much of AbortSignal as a driver asks for, so that this runs where there is no DOM and no Node */
export interface AbortSignalLike {
  readonly aborted: boolean
  addEventListener?(type: 'abort', heard: () => void): void
  removeEventListener?(type: 'abort', heard: () => void): void
}

export const ok = <T>(data: T): Result<T> => ({ ok: true, data })
export const fail = (code: FailureCode, message: string): Result<never> => ({ ok: false, error: failure(code, message) })

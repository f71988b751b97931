import type { AbortSignalLike } from '../../contract/run.ts'

// every host has these: browsers, Node, Hermes, JavaScriptCore with timers
declare const setTimeout: (work: () => void, ms: number) => unknown
declare const clearTimeout: (timer: unknown) => void
declare const performance: { now(): number } | undefined

/** monotonic milliseconds; falls back to the wall clock on hosts without `performance` */
export const now = (): number => (typeof performance === 'object' && performance ? performance.now() : Date.now())

/** Thrown when the time is up or the caller aborts. */
export class InterruptedError {
  readonly reason: 'aborted' | 'timeout'
  constructor(reason: 'aborted' | 'timeout') {
    this.reason = reason
  }
}

export interface TimeLimit {
  /** in terms of `now()` */
  readonly deadline: number
  readonly signal?: AbortSignalLike | undefined
  /** maximum time in ms for the answer to one expression. @default until the deadline */
  readonly evaluateMs?: number | undefined
}

/** Resolves like `promise`. Throws an InterruptedError if the time is up or the caller aborts before. */
export async function withinLimit<T>(promise: Promise<T>, { deadline, signal }: TimeLimit): Promise<T> {
  let timer: unknown
  let abort = () => {}
  const interrupted = new Promise<never>((_, reject) => {
    abort = () => reject(new InterruptedError('aborted'))
    timer = setTimeout(() => reject(new InterruptedError('timeout')), Math.max(0, deadline - now()))
  })
  promise.catch(() => {}) // it may reject after the interruption
  if (signal?.aborted) abort()
  signal?.addEventListener?.('abort', abort)
  try {
    return await Promise.race([promise, interrupted])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener?.('abort', abort)
  }
}

/** Resolves after `ms`. Throws an InterruptedError like `withinLimit`. */
export async function pause(ms: number, limit: TimeLimit): Promise<void> {
  let timer: unknown
  const elapsed = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await withinLimit(elapsed, limit)
  } finally {
    clearTimeout(timer)
  }
}

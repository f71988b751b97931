import type { AbortSignalLike } from '../../contract/run.ts'

// in every host: browsers, Node, Hermes, JavaScriptCore with timers
declare const setTimeout: (work: () => void, ms: number) => unknown
declare const clearTimeout: (timer: unknown) => void
declare const performance: { now(): number } | undefined

/** milliseconds that only go forward, whatever is done to the wall clock */
export const now = (): number => (typeof performance === 'object' && performance ? performance.now() : Date.now())

/** Thrown where time is up, or the caller has said stop. */
export class TimeoutError {
  readonly up: 'aborted' | 'timeout'
  constructor(up: 'aborted' | 'timeout') {
    this.up = up
  }
}

export interface Limits {
  /** by `now()` */
  readonly deadline: number
  readonly signal?: AbortSignalLike | undefined
}

/** The value of a promise, unless time is up or the caller says stop before. */
export async function within<T>(promise: Promise<T>, { deadline, signal }: Limits): Promise<T> {
  let timer: unknown
  let stop = () => {}
  const given = new Promise<never>((_, reject) => {
    stop = () => reject(new TimeoutError('aborted'))
    timer = setTimeout(() => reject(new TimeoutError('timeout')), Math.max(0, deadline - now()))
  })
  promise.catch(() => {}) // it may fail after nobody listens any more
  if (signal?.aborted) stop()
  signal?.addEventListener?.('abort', stop)
  try {
    return await Promise.race([promise, given])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener?.('abort', stop)
  }
}

/** A pause, cut short by the end of time and by the caller. */
export async function pause(ms: number, limits: Limits): Promise<void> {
  let timer: unknown
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await within(over, limits)
  } finally {
    clearTimeout(timer)
  }
}

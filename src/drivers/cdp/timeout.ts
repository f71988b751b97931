/** The time limit of one command. */
export interface Deadline {
  /** aborted at the deadline, or earlier by the caller */
  readonly signal: AbortSignal
  /** in terms of `performance.now()` */
  readonly deadline: number
}

/** Whole milliseconds, because they appear in messages; at least 1. */
export const remainingMs = ({ deadline }: Deadline): number => Math.max(1, Math.round(deadline - performance.now()))

/** Settles like `promise`, or after `ms` with the result of `onTimeout`, which may throw (default: resolves with undefined). */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T | undefined>
export async function withTimeout<T, L>(ms: number, promise: Promise<T>, onTimeout: () => L): Promise<T | L>
export async function withTimeout<T, L>(ms: number, promise: Promise<T>, onTimeout?: () => L): Promise<T | L | undefined> {
  const timedOut = Symbol()
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<typeof timedOut>(resolve => {
    timer = setTimeout(() => resolve(timedOut), ms)
  })
  try {
    const first = await Promise.race([promise, timeout])
    return first === timedOut ? onTimeout?.() : (first as T)
  } finally {
    clearTimeout(timer)
  }
}

/** Adds a listener; returns the function that removes it. */
type Subscribe = (listener: () => void) => () => void

/** Resolves with the next event, or after `ms`. */
export async function waitForEvent(subscribe: Subscribe, ms: number): Promise<void> {
  let unsubscribe = () => {}
  const event = new Promise<void>(resolve => {
    unsubscribe = subscribe(resolve)
  })
  try {
    await withTimeout(ms, event)
  } finally {
    unsubscribe()
  }
}

/** Resolves after `ms`, or at once when the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> => waitForEvent(listener => onAbort(signal, listener), ms)

/** The events of several sources. */
export const anyOf =
  (...sources: readonly Subscribe[]): Subscribe =>
  listener => {
    const unsubscribe = sources.map(subscribe => subscribe(listener))
    return () => {
      for (const remove of unsubscribe) remove()
    }
  }

export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener()
  signal.addEventListener('abort', listener)
  return () => signal.removeEventListener('abort', listener)
}

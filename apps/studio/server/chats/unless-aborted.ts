/** Rejects as soon as the signal is aborted, whatever becomes of the promise. */
export const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      const stop = () => reject(new Error('stopped'))
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    }),
  ])

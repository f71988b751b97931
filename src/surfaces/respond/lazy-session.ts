import type { AnyRun, Result } from '../../contract/run.ts'

/** A session of a browser. */
export interface OpenedSession {
  readonly run: AnyRun
  close(): Promise<void>
}

interface LazySessionOptions {
  /**
   * Opens the session at once. The user of a running browser may have to allow the connection, which can take longer than a client waits for
   * the answer of a call.
   * @default false
   */
  readonly isEager?: boolean
}

/** Opens the session with the first command, and tries again after a failure. A program that never needs a browser never starts one. */
export function lazySession(open: () => Promise<Result<OpenedSession>>, { isEager = false }: LazySessionOptions = {}): OpenedSession {
  let opening: Promise<Result<OpenedSession>> | undefined
  const start = () => {
    opening ??= open().then(opened => {
      if (!opened.ok) opening = undefined
      return opened
    })
    return opening
  }
  if (isEager) void start()
  return {
    run: async (command, signal) => {
      const opened = await start()
      return opened.ok ? opened.data.run(command, signal) : opened
    },
    close: async () => {
      const opened = await opening
      opening = undefined
      if (opened?.ok) await opened.data.close()
    },
  }
}

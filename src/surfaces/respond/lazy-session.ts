import type { AnyRun, Result } from '../../contract/run.ts'

/** A session of a browser. */
export interface OpenedSession {
  readonly run: AnyRun
  close(): Promise<void>
}

/** Opens the session with the first command, and tries again after a failure. A program that never needs a browser never starts one. */
export function lazySession(open: () => Promise<Result<OpenedSession>>): OpenedSession {
  let opening: Promise<Result<OpenedSession>> | undefined
  return {
    run: async (command, signal) => {
      opening ??= open()
      const opened = await opening
      if (opened.ok) return opened.data.run(command, signal)
      opening = undefined
      return opened
    },
    close: async () => {
      const opened = await opening
      opening = undefined
      if (opened?.ok) await opened.data.close()
    },
  }
}

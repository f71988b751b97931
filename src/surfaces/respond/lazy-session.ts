import type { AnyRun, Result } from '../../contract/run.ts'

/** A page to act on, and how to be done with it. */
export interface OpenedSession {
  readonly run: AnyRun
  close(): Promise<void>
}

/** Opens with the first command, and again where that failed; a program that never needs a browser never starts one. */
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

import { messageOf } from '../contract/error-message.ts'
import { type AnyRun, fail, type Result } from '../contract/run.ts'
import type { BrowserCommandPart, BrowserCommandReport } from './parts.ts'

/**
 * Options of `createCommandClient`.
 *
 * @example
 * const options: CommandClientOptions = { sessionId, clientId, run, report: given => trpc.tab.reportBrowserCommandResult.mutate(given) }
 */
export interface CommandClientOptions {
  readonly sessionId: string
  readonly clientId: string
  /** Carries out a command in the tab that it names. */
  run(command: BrowserCommandPart): ReturnType<AnyRun>
  /** Reports a result to the server; called again if it rejects. */
  report(report: BrowserCommandReport): Promise<unknown>
  /** Commands that this client remembers to have received. @default 1_000 */
  readonly remembers?: number
}

const attempts = 3

/**
 * Carries out the commands of a server. A command that arrives again, as after a reconnect, is not carried out again: its result is reported
 * again if it is known.
 *
 * @example
 * const execute = createCommandClient({ sessionId, clientId, run, report })
 * const onData = (part: { type: string; data: unknown }) => part.type === 'data-browser-command' && execute(part.data as BrowserCommandPart)
 */
export function createCommandClient({
  sessionId,
  clientId,
  run,
  report,
  remembers = 1_000,
}: CommandClientOptions): (command: BrowserCommandPart) => Promise<void> {
  const results = new Map<string, Promise<Result>>()
  return async command => {
    const { commandId, tabId } = command
    const known = results.get(commandId)
    const pending =
      known ??
      run(command).catch((error: unknown): Result => fail('outcome_unknown', 'the client failed.', { page: { error: messageOf(error) } }))
    if (!known) {
      results.set(commandId, pending)
      if (results.size > remembers) results.delete(results.keys().next().value as string)
    }
    const result = await pending
    for (let attempt = 1; ; attempt++) {
      try {
        await report({ sessionId, clientId, tabId, commandId, result })
        return
      } catch (error) {
        if (attempt === attempts) throw error
      }
    }
  }
}

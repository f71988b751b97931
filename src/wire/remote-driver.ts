import { commands, verbs } from '../contract/commands.ts'
import { say, term } from '../contract/message.ts'
import { parseCommand } from '../contract/parse-command.ts'
import { randomBytes } from '../contract/random-bytes.ts'
import { type AbortSignalLike, type AnyRun, fail, type Result, type Run, typed } from '../contract/run.ts'
import type { BrowserCommandPart, BrowserCommandReport } from './parts.ts'

/**
 * Where commands are carried out: one tab of one client of one session.
 *
 * @example
 * const place: RemotePlace = { sessionId: 's1', clientId: 'c1', tabId: 't1', viewKey: 'v1', cdpTargetId: 'A1' }
 */
export interface RemotePlace {
  readonly sessionId: string
  readonly clientId: string
  readonly tabId: string
  readonly viewKey: string
  readonly cdpTargetId: string
}

/**
 * Options of `createRemoteDriver`.
 *
 * @example
 * const options: RemoteDriverOptions = { place, send: data => writer.write({ type: 'data-browser-command', data, transient: true }) }
 */
export interface RemoteDriverOptions {
  readonly place: RemotePlace
  /** Sends a command to the client, which executes it once, even if it gets it again after a reconnect. */
  send(command: BrowserCommandPart): void
  /** The result of a command is known or no longer awaited: the command need not be sent again. */
  settled?(command: BrowserCommandPart): void
  /** Time for the way there and back, beyond the deadline of the command. @default 5_000 */
  readonly patienceMs?: number
}

/**
 * A driver whose commands another process carries out, such as the page of a desktop application.
 *
 * @example
 * const { run, report }: RemoteDriver = createRemoteDriver({ place, send })
 */
export interface RemoteDriver {
  readonly run: Run
  /** Takes the result of a command. Returns false, and ignores it, unless all its ids are those of a command that waits for its result. */
  report(report: BrowserCommandReport): boolean
  /** Ends all commands that wait; what they did is unknown. */
  close(): void
}

const patience = 5_000

/**
 * Runs commands in another process. Its result counts once, and only if session, client, tab and command are those
 * that it was sent to: no other client can answer for it.
 *
 * @example
 * const driver = createRemoteDriver({ place, send: data => writer.write({ type: 'data-browser-command', data, transient: true }) })
 * const tools = agentTools(driver.run)
 */
export function createRemoteDriver({ place, send, settled, patienceMs = patience }: RemoteDriverOptions): RemoteDriver {
  const waiting = new Map<string, (result: Result) => void>()
  const { sessionId, clientId, tabId, viewKey, cdpTargetId } = place

  const run: AnyRun = (given, signal) => {
    const parsed = parseCommand(given, { accept: commands })
    if (!parsed.ok) return Promise.resolve(parsed)
    const command = parsed.value
    if (signal?.aborted) return Promise.resolve(fail('aborted', say`${command.name} was stopped.`))
    const commandId = randomBytes(16).reduce((hex, byte) => hex + byte.toString(16).padStart(2, '0'), '')
    const { risk, deadlineMs } = verbs[command.name]
    const isHarmless = risk === 'look' || risk === 'move'
    return new Promise<Result>(resolve => {
      const finish = (result: Result) => {
        if (!waiting.delete(commandId)) return
        clearTimeout(timer)
        removeListener()
        settled?.(part)
        resolve(result)
      }
      const ms = deadlineMs + patienceMs
      const timer = setTimeout(
        () =>
          finish(
            isHarmless
              ? fail('timeout', say`${term(command.name)} was not answered within ${ms} ms.`)
              : fail('outcome_unknown', say`${term(command.name)} was not answered within ${ms} ms; it may have happened.`),
          ),
        ms,
      )
      const removeListener = onAbort(signal, () =>
        finish(
          isHarmless
            ? fail('aborted', say`${term(command.name)} was stopped.`)
            : fail('aborted', say`${term(command.name)} was stopped after it had been sent; it may have happened.`),
        ),
      )
      const part = { commandId, tabId, viewKey, cdpTargetId, command }
      waiting.set(commandId, finish)
      send(part)
    })
  }

  return {
    run: typed(run),
    report(given) {
      const finish = waiting.get(given.commandId)
      if (!finish || given.sessionId !== sessionId || given.clientId !== clientId || given.tabId !== tabId || !isResult(given.result))
        return false
      finish(given.result)
      return true
    },
    close() {
      for (const finish of [...waiting.values()]) finish(fail('outcome_unknown', 'the client is gone; what the command did is unknown.'))
    },
  }
}

const isResult = (given: unknown): given is Result => {
  const { ok, error } = (given ?? {}) as { readonly ok?: unknown; readonly error?: { readonly code?: unknown } }
  return ok === true || (ok === false && typeof error?.code === 'string')
}

function onAbort(signal: AbortSignalLike | undefined, listener: () => void): () => void {
  signal?.addEventListener?.('abort', listener)
  return () => signal?.removeEventListener?.('abort', listener)
}

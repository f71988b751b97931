import { commands, type DriverVerb, type ParsedCommand } from '../../contract/commands.ts'
import { messageOf } from '../../contract/error-message.ts'
import type { Failure } from '../../contract/failures.ts'
import { failure } from '../../contract/failures.ts'
import { isDownloadsCommand } from '../../contract/held-downloads.ts'
import { say } from '../../contract/message.ts'
import type { ConsoleEntry, RequestEntry } from '../../contract/page-log.ts'
import { toFailure } from '../../contract/pagehand-error.ts'
import { parseCommand } from '../../contract/parse-command.ts'
import { createQueue } from '../../contract/queue.ts'
import { type AbortSignalLike, type AnyRun, fail, ok, type Result, type Run, typed } from '../../contract/run.ts'
import { type CommandMethods, createMethods } from '../../layers/command-methods.ts'
import { executeCommand } from './commands.ts'
import { PagehandError } from './errors.ts'
import { createLiveView, type LiveView } from './live/live-view.ts'
import type { SessionOptions } from './options.ts'
import { createSessionContext, type SessionContext } from './session-context.ts'
import type { StorageState } from './storage/storage-state.ts'
import { withTimeout } from './timeout.ts'

/**
 * A browser, or a part of one. It executes commands one after another, each within its deadline.
 *
 * @example
 * const session: Session = await openSession()
 * await session.open('https://example.org/')
 * await session.close()
 */
export interface Session extends CommandMethods {
  /** Executes a command. Never throws: a failure is a result that names the next step. */
  readonly run: Run
  /** The state of the browser and of the selected page; answers also while a command is running. */
  status(): { readonly running: boolean; readonly [field: string]: unknown }
  /** The last 200 console messages of the selected page, including uncaught exceptions and log entries of the browser. */
  console(): readonly ConsoleEntry[]
  /** The last 200 requests of the selected page. */
  requests(): readonly RequestEntry[]
  /** Cookies, localStorage and IndexedDB of the visited origins, or only of these, for the option `storageState` of another session. */
  storageState(options?: { readonly origins?: readonly string[] }): Promise<StorageState>
  /** The selected tab for a person: its picture as it changes, and the person's mouse and keyboard. */
  live(): LiveView
  /** Closes everything that the session opened. A browser that it only connected to keeps running, with its other tabs. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a session. Throws a `PagehandError` if the browser cannot be started; from then on every failure is a result.
 *
 * @example
 * const session = await openSession()
 * try {
 *   await session.open('https://example.org/')
 *   console.log((await session.snapshot()).text)
 * } finally {
 *   await session.close()
 * }
 */
export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const context = await createSessionContext(options)
  const enqueue = createQueue()
  const run: AnyRun = context.secrets.layer(async (given, signal) => {
    if (isDownloadsCommand(given)) return ok(await context.settleDownloads(given))
    const parsed = parseCommand(given, { accept: commands })
    if (!parsed.ok) return parsed
    const command = parsed.value as DriverCommand
    // answered while another command is running: it reads no state that a command could be changing
    if (command.name === 'status') return ok(context.status())
    return enqueue(() => runWithDeadline(context, command, signal))
  })
  const close = () => context.close()
  let live: LiveView | undefined
  return {
    ...createMethods(run),
    run: typed(run),
    status: () => context.status(),
    console: () => context.secrets.scrub(context.activePage()?.console.entries() ?? []),
    requests: () => context.secrets.scrub(context.activePage()?.network.entries() ?? []),
    storageState: options => context.storageState(options),
    live() {
      live ??= createLiveView({
        page: () => context.activePage(),
        activity: context.activity,
        pages: () => context.pages(),
        targets: context.targets,
        clipboard: context.clipboard,
        scrub: given => context.secrets.scrub(given),
      })
      return live
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A command of the driver, with its arguments checked. */
export type DriverCommand = ParsedCommand<DriverVerb>

/** Ends when the command is done, at its deadline, or when the caller aborts it, whatever the browser does (F3). */
async function runWithDeadline(context: SessionContext, command: DriverCommand, signal: AbortSignalLike | undefined): Promise<Result> {
  const aborted = fail('aborted', say`${command.name} was stopped.`)
  if (signal?.aborted) return aborted
  const ms = context.timeoutOf(command)
  const controller = new AbortController()
  let unsubscribe = () => {}
  const abortedByCaller = new Promise<Result>(resolve => {
    unsubscribe = onAbort(signal, () => {
      controller.abort()
      resolve(aborted)
    })
  })
  const stopWatching = context.onLost(reason => controller.abort(reason))
  const deadline = { signal: controller.signal, deadline: performance.now() + ms }
  const done = context.activity
    .during(command.name, () => executeCommand(context, command, deadline))
    .then(ok, (error: unknown) => ({ ok: false as const, error: withUrl(context, explainError(context, command, error)) }))
  try {
    return await withTimeout(ms, Promise.race([done, abortedByCaller]), () => {
      controller.abort()
      return timeoutFailure(command, ms)
    })
  } finally {
    unsubscribe()
    stopWatching()
  }
}

function timeoutFailure({ name }: DriverCommand, ms: number): Result {
  // the page may still carry out an action, so it must not be repeated blindly
  return commands[name].risk === 'act' || commands[name].risk === 'power'
    ? fail('outcome_unknown', say`${name} was not done within ${ms} ms; it may still happen.`)
    : fail('timeout', say`${name} was not done within ${ms} ms.`)
}

/** The words of a page come with its URL. */
function withUrl(context: SessionContext, error: Failure): Failure {
  const url = error.page?.url ?? context.activePage()?.url()
  return error.page && url !== undefined ? { ...error, page: { ...error.page, url } } : error
}

function explainError(context: SessionContext, { name }: DriverCommand, error: unknown): Failure {
  const crash = context.takeCrash()
  if (crash) return toFailure(crash)
  if (error instanceof PagehandError) return toFailure(error)
  const message = say`${name} failed with an unexpected error.`
  const page = { error: messageOf(error) }
  if (name === 'screenshot') return failure('screenshot_failed', message, { page })
  const { risk } = commands[name]
  return failure(risk === 'look' ? 'snapshot_failed' : risk === 'leave' ? 'navigation_failed' : 'outcome_unknown', message, { page })
}

/** Returns the function that unsubscribes. A signal without events is polled. */
function onAbort(signal: AbortSignalLike | undefined, listener: () => void): () => void {
  if (!signal) return () => {}
  if (signal.addEventListener) {
    signal.addEventListener('abort', listener)
    return () => signal.removeEventListener?.('abort', listener)
  }
  const timer = setInterval(() => signal.aborted && listener(), 50)
  return () => clearInterval(timer)
}

import { commands, type DriverVerb, type ParsedCommand } from '../../contract/commands.ts'
import { messageOf } from '../../contract/error-message.ts'
import type { Failure } from '../../contract/failures.ts'
import { failure } from '../../contract/failures.ts'
import { parseCommand } from '../../contract/parse-command.ts'
import { createQueue } from '../../contract/queue.ts'
import { type AbortSignalLike, type AnyRun, fail, ok, type Result, type Run, typed } from '../../contract/run.ts'
import { type CommandMethods, createMethods } from '../../layers/command-methods.ts'
import { executeCommand } from './commands.ts'
import { cut } from './cut.ts'
import { PagehandError } from './errors.ts'
import type { SessionOptions } from './options.ts'
import type { ConsoleEntry } from './page/console.ts'
import type { RequestEntry } from './page/network.ts'
import { createSessionContext, type SessionContext } from './session-context.ts'
import type { StorageState } from './storage/storage-state.ts'

/** A browser, or a part of one, that carries out commands one after the other and answers each within its deadline. */
export interface Session extends CommandMethods {
  /** never throws: what goes wrong is a failure with its next step */
  readonly run: Run
  /** what is running and where it is; answers also while a command is under way */
  status(): { readonly running: boolean; readonly [fact: string]: unknown }
  /** the last lines that the page in front, or the browser about it, wrote to the console */
  console(): readonly ConsoleEntry[]
  /** the last requests of the page in front */
  requests(): readonly RequestEntry[]
  /** cookies and stored data, to be given to another session; says for each origin what could be had */
  storageState(): Promise<StorageState>
  /** closes what it opened; of somebody's own browser only its own tabs */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a session. Throws `PagehandError` if the browser cannot be started or reached.
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
  const life = await createSessionContext(options)
  const enqueue = createQueue()
  const run: AnyRun = async (given, signal) => {
    const parsed = parseCommand(given, { accept: commands })
    if (!parsed.ok) return parsed
    const command = parsed.value as DriverCommand
    // answered while another command is running: it reads no state that a command could be changing
    if (command.name === 'status') return ok(life.status())
    return enqueue(() => within(life, command, signal))
  }
  const close = () => life.close()
  return {
    ...createMethods(run),
    run: typed(run),
    status: life.status,
    console: () => life.front()?.console.lines() ?? [],
    requests: () => life.front()?.network.lines() ?? [],
    storageState: () => life.storageState(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A command of the driver, with its arguments checked. */
export type DriverCommand = ParsedCommand<DriverVerb>

/** One command: it ends when it is done, when its time is up, or when the caller stops it, whatever the browser does (F3). */
async function within(life: SessionContext, command: DriverCommand, signal: AbortSignalLike | undefined): Promise<Result> {
  const stopped = fail('aborted', `${command.name} was stopped.`)
  if (signal?.aborted) return stopped
  const ms = life.deadlineOf(command)
  const controller = new AbortController()
  const undo: (() => void)[] = []
  const givenUp = new Promise<Result>(resolve => {
    const giveUp = (result: Result) => {
      controller.abort()
      resolve(result)
    }
    const timer = setTimeout(() => giveUp(late(command, ms)), ms)
    undo.push(
      () => clearTimeout(timer),
      whenAborted(signal, () => giveUp(stopped)),
    )
  })
  const done = executeCommand(life, command, { signal: controller.signal, deadline: performance.now() + ms }).then(
    ok,
    (error: unknown) => ({
      ok: false as const,
      error: explained(life, command, error),
    }),
  )
  try {
    return await Promise.race([done, givenUp])
  } finally {
    for (const step of undo) step()
  }
}

function late({ name }: DriverCommand, ms: number): Result {
  // what was sent may still happen, so nobody may do it again unseen
  return commands[name].risk === 'act' || commands[name].risk === 'power'
    ? fail('outcome_unknown', `${name} was not done within ${ms} ms; it may still happen.`)
    : fail('timeout', `${name} was not done within ${ms} ms.`)
}

function explained(life: SessionContext, { name }: DriverCommand, error: unknown): Failure {
  const crash = life.takeCrash()
  if (crash) return failure(crash.code, crash.message)
  if (error instanceof PagehandError) return failure(error.code, error.message)
  const message = `${name}: ${cut(messageOf(error), 300)}`
  if (name === 'screenshot') return failure('screenshot_failed', message)
  const { risk } = commands[name]
  return failure(risk === 'look' ? 'snapshot_failed' : risk === 'leave' ? 'navigation_failed' : 'outcome_unknown', message)
}

/** a signal that is only a flag is looked at again and again */
function whenAborted(signal: AbortSignalLike | undefined, then: () => void): () => void {
  if (!signal) return () => {}
  if (signal.addEventListener) {
    signal.addEventListener('abort', then)
    return () => signal.removeEventListener?.('abort', then)
  }
  const timer = setInterval(() => signal.aborted && then(), 50)
  return () => clearInterval(timer)
}

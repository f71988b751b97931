import type { Result } from 'pagehand/tools'
import type { DesktopCommand } from 'pagehand/wire'
import { refuse } from './failure.ts'

interface RememberedCommand {
  readonly command: DesktopCommand
  /** the command as it came, to recognize another one under the same id */
  readonly json: string
  readonly controller: AbortController
  readonly result: Promise<Result>
  isDone: boolean
}

const maxRemembered = 1_000

/**
 * The commands that this app has carried out. The page of the studio can be reloaded, and the stream of commands can be cut and resumed, so
 * only the app itself can promise that a command is carried out at most once.
 */
export class CommandMemory {
  readonly #commands = new Map<string, RememberedCommand>()

  /** Calls `run` unless the command is known; a known command has the result that it had. */
  execute(command: DesktopCommand, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const json = JSON.stringify(command)
    const known = this.#commands.get(command.commandId)
    if (known) return known.json === json ? known.result : Promise.resolve(refuse('invalid_input', 'Another command had this id.'))
    const controller = new AbortController()
    const result = run(controller.signal).catch((error: unknown) =>
      refuse('outcome_unknown', 'The desktop app failed; the command may have been carried out.', { error: String(error) }),
    )
    const entry: RememberedCommand = { command, json, controller, result, isDone: false }
    this.#commands.set(command.commandId, entry)
    void result.then(() => {
      entry.isDone = true
      this.#forgetOldest()
    })
    return result
  }

  /** Stops the commands of a chat that are being carried out. */
  stop(sessionId: string): void {
    for (const { command, controller, isDone } of this.#commands.values())
      if (command.sessionId === sessionId && !isDone) controller.abort()
  }

  #forgetOldest(): void {
    for (const [id, { isDone }] of this.#commands) {
      if (this.#commands.size <= maxRemembered) return
      if (isDone) this.#commands.delete(id)
    }
  }
}

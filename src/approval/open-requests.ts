import type { ApprovalRequest, StaleReason } from '../contract/approval.ts'
import { isVerbName, verbs } from '../contract/commands.ts'
import { wholesOf } from '../contract/joint-commands.ts'
import type { RunJournal } from '../contract/journal.ts'
import type { AbortSignalLike, AnyCommand, AnyRun } from '../contract/run.ts'
import { currentPage } from './explain.ts'
import { isAboutUrlOnly } from './request.ts'

interface OpenRequest {
  readonly commandHash: string
  readonly tab: string | undefined
  /** hash of the form or call that the action is a part of */
  readonly whole: string
}

interface Act {
  readonly given: AnyCommand
  readonly command: AnyCommand
  /** the approval that it uses */
  readonly approval: string | undefined
  readonly signal: AbortSignalLike | undefined
}

/**
 * The requests of this process that can still be used. What the run does on a page ends the requests about that page: a script may have
 * changed what their action does.
 */
export class OpenRequests {
  readonly #journal: RunJournal
  readonly #open = new Map<string, OpenRequest>()
  readonly #own = new Set<string>()
  readonly #taken = new Set<string>()
  /** approved requests that an act has ended, by the hash of their command */
  readonly #lost = new Map<string, string>()

  constructor(journal: RunJournal) {
    this.#journal = journal
  }

  async add(
    run: AnyRun,
    { request, whole, signal }: { readonly request: ApprovalRequest; readonly whole: string; readonly signal: AbortSignalLike | undefined },
  ): Promise<void> {
    this.#own.add(request.id)
    const { tab } = await currentPage(run, signal)
    this.#open.set(request.id, { commandHash: request.commandHash, tab, whole })
  }

  isOwn(id: string): boolean {
    return this.#own.has(id)
  }

  delete(id: string): void {
    this.#open.delete(id)
  }

  /** Whether the request can be used; from now on it cannot, so that of two calls only one takes it. */
  take(request: ApprovalRequest): boolean {
    const { id } = request
    if (this.#taken.has(id)) return false
    const isOpen = this.#open.delete(id) || (!this.#own.has(id) && isAboutUrlOnly(request))
    if (isOpen) this.#taken.add(id)
    return isOpen
  }

  /** The approved request for a command that an act has ended, once. */
  takeLost(commandHash: string): string | undefined {
    const id = this.#lost.get(commandHash)
    this.#lost.delete(commandHash)
    return id
  }

  /** Ends the requests about the page that an action operates, except its own and those of the form or call that it is a part of. */
  async endByAct(run: AnyRun, { given, command, approval, signal }: Act): Promise<void> {
    if (this.#open.size === 0 || !isAct(command)) return
    const whole = wholeHash(this.#journal, { given, command })
    const { tab } = await currentPage(run, signal)
    const ended = [...this.#open].filter(
      ([id, each]) => id !== approval && each.whole !== whole && (each.tab === undefined || tab === undefined || each.tab === tab),
    )
    if (ended.length === 0) return
    const records = await this.#journal.approvals()
    for (const [id, { commandHash }] of ended) {
      const state = records.find(({ request }) => request.id === id)?.state
      this.#open.delete(id)
      if (state === 'approved') this.#lost.set(commandHash, id)
      if (state === 'approved' || state === 'pending')
        await this.#journal.append({ type: 'approval.stale', approval: id, because: 'act' satisfies StaleReason })
    }
  }
}

/** `tabs` operates the browser, not the page of a request */
export const isAct = ({ name }: AnyCommand): boolean => isVerbName(name) && name !== 'tabs' && /^(act|leave|power)$/.test(verbs[name].risk)

/** The same for all parts of a form or call, also when a model repeats it. */
export function wholeHash(journal: RunJournal, { given, command }: Pick<Act, 'given' | 'command'>): string {
  const { form, call } = wholesOf(given)
  return journal.hashOf(call ?? form ?? command)
}

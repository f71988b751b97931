import type { AgentUsage } from '../contract/agent-run.ts'
import type { LogEntry, RunJournal } from '../contract/journal.ts'
import type { Layer } from '../contract/run.ts'
import { goalRedacted, shownGoal, wordsRedactedIn } from '../contract/shown-goal.ts'
import { type EvidenceRecord, recordRun } from '../evidence/record.ts'
import type { AgentResult } from '../surfaces/tools/agent-tools.ts'
import type { Toolbox } from '../surfaces/tools/tool.ts'
import type { OutcomeCheck } from './browser-agent.ts'
import type { AgentLimits, PriceTable } from './budget.ts'
import { withoutWords } from './hidden-words.ts'
import type { TurnRecord } from './run-loop.ts'
import type { RunEnd } from './run-state.ts'

/** The journal of an agent's run: what its model said, called and read, and what became of it (S3-41). */
export class AgentRecord {
  readonly journal: RunJournal
  readonly #record: EvidenceRecord

  constructor(journal: RunJournal) {
    this.journal = journal
    this.#record = recordRun(journal)
    journal.redact(wordsRedactedIn(journal.events()))
  }

  /** Keeps what was typed into a field that hides it out of everything that is written from now on, and the goal out of all exports. */
  async hide(words: readonly string[]): Promise<void> {
    this.journal.redact(words)
    const shown = shownGoal(this.events) ?? ''
    const goal = withoutWords(shown, words)
    if (goal !== shown) await this.journal.append({ type: goalRedacted, goal })
  }

  get id(): string {
    return this.journal.id
  }

  /** an action happens at most once, and leaves a screenshot and a snapshot */
  get layer(): Layer {
    return this.#record.layer
  }

  tools(box: Toolbox<AgentResult>): Toolbox<AgentResult> {
    return this.#record.tools(box)
  }

  get events(): readonly LogEntry[] {
    return this.journal.events()
  }

  started(facts: StartFacts): Promise<void> {
    return this.journal.append({ type: 'agent.started', ...facts })
  }

  /** The limits that the run was resumed with: they belong to it from now on. */
  limited(facts: Pick<StartFacts, 'limits' | 'prices'>): Promise<void> {
    return this.journal.append({ type: 'agent.limits', ...facts })
  }

  /** Rejects if it cannot be written: a turn that cannot be read later must not act. */
  turn(turn: TurnRecord): Promise<void> {
    return this.journal.append({ type: 'agent.turn', ...turn })
  }

  /** The call did not reach the tools. */
  async refused(tool: string, text: string): Promise<void> {
    await this.journal.append({ type: 'tool.refused', tool, text }).catch(() => {})
  }

  note(text: string): Promise<void> {
    return this.journal.append({ type: 'agent.note', text })
  }

  /** Actions of this call get unique ids, also after a restart: the number of events only grows. */
  beginCall(): () => void {
    this.journal.beginCall(`c${this.events.length}`)
    return () => this.journal.endCall()
  }

  async checked(checks: readonly OutcomeCheck[]): Promise<void> {
    for (const { says, held } of checks) await this.#record.assert(says, held)
  }

  /** The run waits for a person or for a model that works: another process can take it up. */
  async park(end: RunEnd, usage: AgentUsage): Promise<void> {
    await this.journal
      .append({ type: 'agent.parked', reason: end.reason, need: end.need ?? null, error: end.error ?? null, usage })
      .catch(() => {})
    await this.journal.close()
  }

  /** Returns the path of the report. */
  async end(end: RunEnd, usage: AgentUsage): Promise<string> {
    const { reason, summary, evidence, error } = end
    await this.journal.append({ type: 'agent.ended', reason, summary, evidence, usage, ...(error && { error }) }).catch(() => {})
    return this.complete(end, usage)
  }

  /** Ends the run of an agent whose end is logged. Returns the path of the report. */
  complete({ reason, summary }: RunEnd, { steps, inputTokens, outputTokens }: AgentUsage): Promise<string> {
    return this.#record.end({ reason, text: summary, steps, usage: { input: inputTokens, output: outputTokens } })
  }
}

interface StartFacts {
  readonly model: string
  readonly limits: AgentLimits
  readonly prices?: PriceTable | undefined
  readonly page?: string | undefined
  readonly sites: readonly string[]
}

/** Whether a run that ended like this can be taken up again. */
export const isResumable = ({ reason, need, error }: Pick<RunEnd, 'reason' | 'need' | 'error'>): boolean =>
  (reason === 'needs_approval' && need !== undefined) || (reason === 'error' && !finalErrors.has(error?.code ?? ''))

/** the model has had its say, so that there is nothing to go on with */
const finalErrors: ReadonlySet<string> = new Set(['not_closed', 'not_done'])

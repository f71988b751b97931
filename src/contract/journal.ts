import type { ApprovalDecision, ApprovalRecord, ApprovalRequest, GrantStore } from './approval.ts'
import type { AbortSignalLike, AnyCommand, Result } from './run.ts'

/** An event before it is numbered and chained. */
export type JournalEvent = { readonly type: string; readonly [field: string]: unknown }

/**
 * A line of events.jsonl.
 *
 * @example
 * const isCall = ({ type }: LogEntry) => type === 'tool.call'
 */
export interface LogEntry {
  /** 1, 2, 3, … */
  readonly seq: number
  /** time in ISO 8601 */
  readonly at: string
  /** name of the run */
  readonly run: string
  readonly type: string
  /** SHA-256 of the previous line, '' in the first: changing or removing a line breaks the chain */
  readonly prev: string
  readonly [field: string]: unknown
}

/**
 * The events of a log, up to the first that cannot be trusted.
 *
 * @example
 * const isIntact = ({ damage }: LogContent) => damage === undefined
 */
export interface LogContent {
  readonly events: readonly LogEntry[]
  /** hash of the last event */
  readonly head: string
  /** the last line is incomplete because the writer was stopped; this is not damage */
  readonly torn: boolean
  /** the first line that does not follow from the previous one */
  readonly damage?: { readonly line: number; readonly why: string }
}

/**
 * The place of one action in a run. An action happens at most once: its intent is on disk before it is dispatched, and the same id again
 * returns the recorded result.
 *
 * @example
 * const { actionId, step }: ActionSlot = journal.slotOf(command)
 */
export interface ActionSlot {
  readonly actionId: string
  readonly step: number
  /** hash of the command with all its arguments; without the key of the run it says nothing about them */
  readonly commandHash: string
  /** facts that become part of the intent */
  readonly facts?: ActionFacts
}

export interface ActionFacts {
  readonly origin?: string
  /** hash of role, name and path of the target */
  readonly fingerprint?: string
  /** the approval that this action uses up */
  readonly approval?: string
}

/**
 * The log of one run, which is its evidence and its journal. One process at a time writes to it.
 *
 * @example
 * const journal: RunJournal = await fileRunStore().open(id)
 * journal.beginCall('call_7')
 */
export interface RunJournal {
  /** name of the run */
  readonly id: string
  /** the folder of the run; '' if the store has none */
  readonly folder: string
  /** Resolves when the event is durable. */
  append(event: JournalEvent): Promise<void>
  /** the events so far, oldest first */
  events(): readonly LogEntry[]
  /**
   * The commands that follow belong to this call: the n-th action of it has the id `CALL.n`. Repeating a call after a restart therefore
   * repeats its ids. Without a call, every action gets a new id.
   */
  beginCall(call: string): void
  endCall(): void
  /** Redacts these words in everything that is written from now on. */
  redact(words: readonly string[]): void
  /** A value without secrets, as it may be written. */
  scrub<T>(value: T): T
  /** A hash of a command with all its arguments; without the key of the run it says nothing about them. */
  hashOf(command: AnyCommand): string
  /** The slot of a command; the same object always gets the same one. */
  slotOf(command: AnyCommand): ActionSlot
  /** Gives a command its slot, such as that of an approved request, or more facts. */
  assign(command: AnyCommand, slot: ActionSlot): void
  /** The recorded result of an action; `outcome_unknown` if its intent has none; undefined if it was never begun. */
  action(actionId: string): Result | 'outcome_unknown' | undefined
  /** The requests of this run with what became of them. */
  approvals(): Promise<readonly ApprovalRecord[]>
  /** Makes a request durable, so that any process can show and decide it. */
  request(request: ApprovalRequest): Promise<void>
  /** Records a decision that was made in this process; the first decision wins, and is returned. */
  decide(id: string, decision: ApprovalDecision): Promise<ApprovalDecision>
  /** Ends the run; `outcome` becomes part of its summary. */
  end(outcome?: { readonly [field: string]: unknown }): Promise<void>
  /** Gives the run back without ending it, so that it can be opened again. */
  close(): Promise<void>
}

/**
 * What a list of runs shows about one.
 *
 * @example
 * const line = ({ id, state, goal = '' }: RunInfo) => `${id} ${state} ${goal}`
 */
export interface RunInfo {
  readonly id: string
  readonly label: string
  readonly goal?: string
  readonly startedAt: string
  readonly endedAt?: string
  /** `running`: a process has it; `parked`: no process has it and it has not ended */
  readonly state: 'running' | 'parked' | 'ended' | 'damaged'
  /** why it ended or is parked, such as `closed` or `needs_approval`; absent if it does not say */
  readonly reason?: string
  /** number of requests that wait for a decision */
  readonly pendingApprovals: number
}

/**
 * Where runs are stored. Files are the default; the interface has nothing that a table could not do.
 *
 * @example
 * const store: RunStore = fileRunStore()
 * for (const { request } of await store.approvals({ pending: true })) console.log(request.id, request.classes)
 */
export interface RunStore {
  create(run?: NewRun): Promise<RunJournal>
  /** Verifies the chain, drops a torn last line, and takes the run. Fails with `run_in_use`, `run_not_found` or `run_damaged`. */
  open(id: string, options?: OpenRunOptions): Promise<RunJournal>
  /** Fails with `run_not_found`. */
  read(id: string): Promise<LogContent>
  /** newest first */
  list(): Promise<readonly RunInfo[]>
  approvals(filter?: ApprovalFilter): Promise<readonly ApprovalRecord[]>
  /** Decides a request, from any process. The first decision wins. */
  decide(id: string, decision: ApprovalDecision): Promise<'decided' | 'already_decided' | 'unknown'>
  /** Waits for the decision, however long it takes; fails with `aborted` if the signal is. */
  decision(id: string, signal?: AbortSignalLike): Promise<ApprovalDecision>
  readonly grants: GrantStore
}

export interface NewRun {
  /** becomes a part of the name */
  readonly label?: string
  readonly goal?: string
  /** strings that must never be written; each has at least four characters */
  readonly secrets?: readonly string[]
  /** further fields of the first event */
  readonly [field: string]: unknown
}

export interface OpenRunOptions {
  readonly secrets?: readonly string[]
}

export interface ApprovalFilter {
  readonly run?: string
  readonly pending?: boolean
}

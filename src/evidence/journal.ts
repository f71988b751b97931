import { createHmac, randomBytes } from 'node:crypto'
import type { ApprovalDecision, ApprovalRecord, ApprovalRequest } from '../contract/approval.ts'
import type { ActionSlot, JournalEvent, LogEntry, NewRun, OpenRunOptions, RunJournal } from '../contract/journal.ts'
import { quoted, say, term } from '../contract/message.ts'
import { PagehandError } from '../contract/pagehand-error.ts'
import type { AnyCommand } from '../contract/run.ts'
import { type ApprovalTexts, readDecision, readRequest, recordsOf, writeDecision, writeRequest } from './approval-texts.ts'
import { createLog, type LineSink, type Log, type LogHead, readLog } from './log.ts'
import { RecordedActions } from './recorded-actions.ts'
import { toFileName } from './screenshots.ts'
import { RecordScrubber } from './scrub.ts'
import type { RunOutcome } from './summary.ts'

/**
 * What a run is stored in while a process works on it: files, or the tables of a database.
 *
 * @example
 * const append = (storage: JournalStorage, line: string, entry: LogEntry) => storage.lines.write(line, entry)
 */
export interface JournalStorage {
  /** the folder of the captures and of the report, or '' */
  readonly folder: string
  /** the key of the hashes of commands: without it they say nothing about what was typed */
  readonly key: Uint8Array
  readonly lines: LineSink
  readonly approvals: ApprovalTexts
  /** The run has ended: removes the key, so that nothing can be guessed from the hashes later. */
  removeKey(): Promise<void>
  /** Gives the run back. */
  release(): Promise<void>
  /** Writes the report of a run that has ended. */
  report(): Promise<void>
}

interface JournalParts {
  readonly id: string
  readonly storage: JournalStorage
  readonly log: Log
  readonly scrubber: RecordScrubber
  readonly events: readonly LogEntry[]
}

/** The log of a run, in whichever storage. */
class StoredJournal implements RunJournal {
  readonly #parts: JournalParts
  readonly #events: LogEntry[]
  readonly #actions = new RecordedActions()
  readonly #slots = new WeakMap<object, ActionSlot>()
  #call: { readonly id: string; actions: number } | undefined
  #closed: Promise<void> | undefined

  constructor(parts: JournalParts) {
    this.#parts = parts
    this.#events = [...parts.events]
    for (const entry of parts.events) this.#actions.add(entry)
  }

  get id(): string {
    return this.#parts.id
  }

  get folder(): string {
    return this.#parts.storage.folder
  }

  async append(event: JournalEvent): Promise<void> {
    const entry = await this.#parts.log.append(event)
    this.#events.push(entry)
    this.#actions.add(entry)
  }

  events(): readonly LogEntry[] {
    return this.#events
  }

  redact(words: readonly string[]): void {
    this.#parts.scrubber.add(words)
  }

  scrub<T>(value: T): T {
    return this.#parts.scrubber.value(value) as T
  }

  beginCall(id: string): void {
    this.#call = { id, actions: 0 }
  }

  endCall(): void {
    this.#call = undefined
  }

  hashOf(command: AnyCommand): string {
    return createHmac('sha256', this.#parts.storage.key).update(canonicalJson(command)).digest('hex')
  }

  slotOf(command: AnyCommand): ActionSlot {
    const found = this.#slots.get(command)
    if (found) return found
    const commandHash = this.hashOf(command)
    const slot = this.#call ? this.#slotInCall(this.#call, commandHash) : this.#newSlot(commandHash)
    this.#slots.set(command, slot)
    return slot
  }

  #newSlot(commandHash: string): ActionSlot {
    const step = this.#actions.nextStep()
    return { actionId: `s${step}`, step, commandHash }
  }

  #slotInCall(call: { readonly id: string; actions: number }, commandHash: string): ActionSlot {
    const actionId = `${call.id}.${++call.actions}`
    const recorded = this.#actions.get(actionId)
    if (recorded && recorded.commandHash !== commandHash)
      throw new PagehandError('invalid_input', say`The action ${quoted(actionId)} was another command; an id is for one command.`)
    const asked = this.#events.find(each => each.type === 'approval.requested' && each.actionId === actionId)
    return { actionId, step: recorded?.step ?? (asked ? Number(asked.step) : this.#actions.nextStep()), commandHash }
  }

  assign(command: AnyCommand, slot: ActionSlot): void {
    this.#slots.set(command, slot)
  }

  action(actionId: string) {
    return this.#actions.resultOf(actionId)
  }

  async approvals(): Promise<readonly ApprovalRecord[]> {
    await this.#takeDecisions()
    return recordsOf(this.#texts, this.#events)
  }

  get #texts(): ApprovalTexts {
    return this.#parts.storage.approvals
  }

  /** Records the decisions that other processes have made. */
  async #takeDecisions(): Promise<void> {
    const asked = this.#events.filter(({ type }) => type === 'approval.requested')
    for (const { approval, requestHash } of asked) {
      if (this.#events.some(each => each.type === 'approval.decided' && each.approval === approval)) continue
      const decision = await readDecision(this.#texts, String(approval), String(requestHash))
      if (decision) await this.append(decidedEvent(String(approval), decision))
    }
  }

  async request(request: ApprovalRequest): Promise<void> {
    const clean = this.scrub(request)
    const requestHash = await writeRequest(this.#texts, clean)
    const { id, picture: _, run: __, ...facts } = clean
    await this.append({ type: 'approval.requested', approval: id, requestHash, ...facts })
  }

  async decide(id: string, decision: ApprovalDecision): Promise<ApprovalDecision> {
    const asked = this.#events.find(each => each.type === 'approval.requested' && each.approval === id)
    if (!asked) throw new PagehandError('invalid_input', say`There is no request ${quoted(id)} in this run.`)
    const found = await readRequest(this.#texts, id)
    if (found?.hash !== asked.requestHash)
      throw new PagehandError('run_damaged', say`The request ${quoted(id)} was changed after it was asked.`)
    await writeDecision(this.#texts, id, this.scrub(decision))
    await this.#takeDecisions()
    const record = (await recordsOf(this.#texts, this.#events)).find(({ request }) => request.id === id)
    if (!record?.decision) throw new PagehandError('run_damaged', say`The decision about ${quoted(id)} is not valid.`)
    return record.decision
  }

  async end(outcome: RunOutcome & { readonly [field: string]: unknown } = {}): Promise<void> {
    await this.append({ type: 'run.ended', ...outcome }).catch(() => {
      // the disk may be full; the events before are still worth a report
    })
    await this.#parts.storage.removeKey()
    await this.close()
    await this.#parts.storage.report()
  }

  close(): Promise<void> {
    this.#closed ??= this.#parts.log.close().finally(() => this.#parts.storage.release())
    return this.#closed
  }
}

const decidedEvent = (id: string, { at, ...decision }: ApprovalDecision): JournalEvent => ({
  type: 'approval.decided',
  approval: id,
  ...decision,
  decidedAt: at,
})

/**
 * Starts the journal of a new run in a storage.
 *
 * @param open makes the storage for the name and the key of the run
 * @example
 * const journal = await startJournal((id, key) => tables.create(id, key), { label: 'checkout' })
 */
export async function startJournal(
  open: (id: string, key: Uint8Array) => Promise<JournalStorage>,
  { label = '', secrets = [], ...fields }: NewRun = {},
): Promise<RunJournal> {
  const scrubber = new RecordScrubber(secrets)
  const id = runName(scrubber.text(fields.goal === undefined ? label : firstWords(label)))
  const storage = await open(id, randomBytes(32))
  const log = createLog(storage.lines, { run: id, clean: event => scrubber.value(event) })
  const journal = new StoredJournal({ id, storage, log, scrubber, events: [] })
  await journal.append({ type: 'run.started', ...(label && { label }), ...fields })
  return journal
}

/**
 * Continues the journal of a run that this process has taken and that has not ended. Verifies its chain first; if that fails, the caller
 * gives the run back.
 *
 * @param given the name of the run, its storage, and the text of its log
 * @example
 * const journal = await continueJournal({ id, storage, text: lines.join('') })
 */
export async function continueJournal({ id, storage, text, known }: StoredRun, { secrets = [] }: OpenRunOptions = {}): Promise<RunJournal> {
  const scrubber = new RecordScrubber(secrets)
  const { events, head, damage } = readLog(text, known)
  if (damage) throw new PagehandError('run_damaged', say`Line ${damage.line} of the log of ${quoted(id)} is wrong: ${term(damage.why)}.`)
  if (events.some(({ type }) => type === 'run.ended')) throw new PagehandError('invalid_input', say`The run ${quoted(id)} has ended.`)
  if (storage.key.length === 0) throw new PagehandError('run_damaged', say`The key of ${quoted(id)} is missing.`)
  const log = createLog(storage.lines, { run: id, clean: event => scrubber.value(event) }, { events, head })
  const journal = new StoredJournal({ id, storage, log, scrubber, events })
  await journal.append({ type: 'run.resumed' })
  return journal
}

interface StoredRun {
  readonly id: string
  readonly storage: JournalStorage
  readonly text: string
  /** what was known about the log when the run ended */
  readonly known?: LogHead
}

/** The same command has the same text, whatever the order of its fields. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

/** The beginning of a goal, without numbers and secrets: a name cannot be redacted later. Not every language separates words by spaces. */
const firstWords = (goal: string): string =>
  (goal.split(/pass|pwd|secret|token|\u5bc6\u7801|\u53e3\u4ee4/i)[0] as string)
    .replace(/\S*\d\S*/g, '')
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .join(' ')
    .slice(0, 24)

/** Sorts by time, contains the label, and is unique. */
function runName(label: string): string {
  const time = new Date().toISOString().replace(/[-:.]/g, '')
  return [time, ...(label ? [toFileName(label)] : []), randomBytes(2).toString('hex')].join('-')
}

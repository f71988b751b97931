import { createHmac, randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApprovalDecision, ApprovalRecord, ApprovalRequest } from '../contract/approval.ts'
import type { ActionSlot, JournalEvent, LogEntry, NewRun, OpenRunOptions, RunJournal } from '../contract/journal.ts'
import { quoted, say, term } from '../contract/message.ts'
import { PagehandError } from '../contract/pagehand-error.ts'
import type { AnyCommand } from '../contract/run.ts'
import { readDecision, readRequest, recordsOf, writeDecision, writeRequest } from './approval-files.ts'
import { completeBytes, type Log, openLog, readLog, reopenLog } from './log.ts'
import { RecordedActions } from './recorded-actions.ts'
import { claimRun } from './run-owner.ts'
import { readSummary, writeIndex, writeReport } from './runs.ts'
import { toFileName } from './screenshots.ts'
import { RecordScrubber } from './scrub.ts'
import type { RunOutcome } from './summary.ts'

const logFile = (folder: string) => join(folder, 'events.jsonl')
/** the key of the hashes of commands; removed at the end of a run, so that nothing can be guessed from them later */
const keyFile = (folder: string) => join(folder, 'run.key')

interface JournalParts {
  readonly runsFolder: string
  readonly folder: string
  readonly id: string
  readonly log: Log
  readonly key: Buffer
  readonly scrubber: RecordScrubber
  readonly events: readonly LogEntry[]
  release(): Promise<void>
}

/** The log of a run in a folder. */
export class FileJournal implements RunJournal {
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
    return this.#parts.folder
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
    return createHmac('sha256', this.#parts.key).update(canonicalJson(command)).digest('hex')
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
    return recordsOf(this.folder, this.#events)
  }

  /** Records the decisions that other processes have made. */
  async #takeDecisions(): Promise<void> {
    const asked = this.#events.filter(({ type }) => type === 'approval.requested')
    for (const { approval, requestHash } of asked) {
      if (this.#events.some(each => each.type === 'approval.decided' && each.approval === approval)) continue
      const decision = await readDecision(this.folder, String(approval), String(requestHash))
      if (decision) await this.append(decidedEvent(String(approval), decision))
    }
  }

  async request(request: ApprovalRequest): Promise<void> {
    const clean = this.scrub(request)
    const requestHash = await writeRequest(this.folder, clean)
    const { id, picture: _, run: __, ...facts } = clean
    await this.append({ type: 'approval.requested', approval: id, requestHash, ...facts })
  }

  async decide(id: string, decision: ApprovalDecision): Promise<ApprovalDecision> {
    const asked = this.#events.find(each => each.type === 'approval.requested' && each.approval === id)
    if (!asked) throw new PagehandError('invalid_input', say`There is no request ${quoted(id)} in this run.`)
    const found = await readRequest(this.folder, id)
    if (found?.hash !== asked.requestHash)
      throw new PagehandError('run_damaged', say`The request ${quoted(id)} was changed after it was asked.`)
    await writeDecision(this.folder, id, this.scrub(decision))
    await this.#takeDecisions()
    const record = (await recordsOf(this.folder, this.#events)).find(({ request }) => request.id === id)
    if (!record?.decision) throw new PagehandError('run_damaged', say`The decision about ${quoted(id)} is not valid.`)
    return record.decision
  }

  async end(outcome: RunOutcome & { readonly [field: string]: unknown } = {}): Promise<void> {
    await this.append({ type: 'run.ended', ...outcome }).catch(() => {
      // the disk may be full; the events before are still worth a report
    })
    await rm(keyFile(this.folder), { force: true })
    await this.close()
    await writeReport(this.folder)
    await writeIndex(this.#parts.runsFolder).catch(() => {
      // the report does not depend on the other runs
    })
  }

  close(): Promise<void> {
    this.#closed ??= this.#parts.log.close().finally(() => this.#parts.release())
    return this.#closed
  }
}

const decidedEvent = (id: string, { at, ...decision }: ApprovalDecision): JournalEvent => ({
  type: 'approval.decided',
  approval: id,
  ...decision,
  decidedAt: at,
})

/** Starts a run in a new folder inside `runsFolder`. */
export async function createJournal(runsFolder: string, { label = '', secrets = [], ...fields }: NewRun = {}): Promise<FileJournal> {
  const scrubber = new RecordScrubber(secrets)
  const id = runName(scrubber.text(label))
  const folder = join(runsFolder, id)
  for (const each of [folder, join(folder, 'frames'), join(folder, 'snapshots')]) await mkdir(each, { recursive: true, mode: 0o700 })
  const release = await claimRun(folder)
  const key = randomBytes(32)
  await writeFile(keyFile(folder), key, { mode: 0o600, flag: 'wx', flush: true })
  const log = await openLog(logFile(folder), { run: id, clean: event => scrubber.value(event) })
  const journal = new FileJournal({ runsFolder, folder, id, log, key, scrubber, events: [], release })
  await journal.append({ type: 'run.started', ...(label && { label }), ...fields })
  return journal
}

/** Opens a run that has not ended: verifies its chain, drops a torn last line and takes it for this process. */
export async function openJournal(runsFolder: string, id: string, { secrets = [] }: OpenRunOptions = {}): Promise<FileJournal> {
  const folder = runFolder(runsFolder, id)
  const scrubber = new RecordScrubber(secrets)
  await readText(folder, id)
  const release = await claimRun(folder)
  try {
    // read after the run was taken: the last owner may have written until then
    const text = await readText(folder, id)
    const content = readLog(text, (await readSummary(folder))?.log)
    if (content.damage)
      throw new PagehandError(
        'run_damaged',
        say`Line ${content.damage.line} of the log of ${quoted(id)} is wrong: ${term(content.damage.why)}.`,
      )
    if (content.events.some(({ type }) => type === 'run.ended'))
      throw new PagehandError('invalid_input', say`The run ${quoted(id)} has ended.`)
    const key = await readFile(keyFile(folder))
    const log = await reopenLog(
      logFile(folder),
      { ...content, bytes: completeBytes(text) },
      { run: id, clean: event => scrubber.value(event) },
    )
    const journal = new FileJournal({ runsFolder, folder, id, log, key, scrubber, events: content.events, release })
    await journal.append({ type: 'run.resumed' })
    return journal
  } catch (error) {
    await release()
    throw error
  }
}

/** The folder of a run; fails with `run_not_found` if the name could not be that of one. */
export function runFolder(runsFolder: string, id: string): string {
  if (!/^[\p{L}\p{N}_-]{1,120}$/u.test(id)) throw notFound(id)
  return join(runsFolder, id)
}

const notFound = (id: string) => new PagehandError('run_not_found', say`There is no run ${quoted(id)}.`)

export const readText = (folder: string, id: string): Promise<string> =>
  readFile(logFile(folder), 'utf8').catch(() => {
    throw notFound(id)
  })

/** The same command has the same text, whatever the order of its fields. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

/** Sorts by time, contains the label, and is unique. */
function runName(label: string): string {
  const time = new Date().toISOString().replace(/[-:.]/g, '')
  return [time, ...(label ? [toFileName(label)] : []), randomBytes(2).toString('hex')].join('-')
}

import type { AgentEvent, AgentNeed, StopReason } from '../contract/agent-run.ts'
import { type Failure, failure } from '../contract/failures.ts'
import { say, term } from '../contract/message.ts'
import { inline } from '../contract/quote.ts'
import type { AbortSignalLike } from '../contract/run.ts'
import { cut } from '../contract/text.ts'
import { shownArguments } from '../evidence/tools.ts'
import type { AgentData, AgentResult } from '../surfaces/tools/agent-tools.ts'
import type { Toolbox } from '../surfaces/tools/tool.ts'
import type { AgentBudget } from './budget.ts'
import { maxTextChars } from './compaction.ts'
import { LoopDetector } from './loop-detector.ts'
import type { AgentRecord } from './run-record.ts'
import type { AgentSpans } from './telemetry.ts'
import { describeCall, type TranscriptCall, type Turn } from './transcript.ts'

/** Asks a person to do something in the browser. `pending`: there is no answer now; the run ends and can be resumed. */
export type Handoff = (reason: string, signal: AbortSignalLike) => Promise<'done' | 'pending'>

/** Why and how a run ended. */
export interface RunEnd {
  readonly reason: StopReason
  readonly summary: string
  readonly evidence: readonly string[]
  readonly need?: AgentNeed
  readonly error?: { readonly code: string; readonly message: string }
}

interface RunStateOptions {
  readonly toolbox: Toolbox<AgentResult>
  readonly budget: AgentBudget
  /** the steps before the run was resumed */
  readonly turns?: Turn[] | undefined
  readonly emit: (event: AgentEvent) => void
  readonly handoff?: Handoff | undefined
  /** reads the page again */
  readonly look: (signal: AbortSignalLike | undefined) => Promise<AgentResult>
  readonly spans: AgentSpans
  readonly record: Pick<AgentRecord, 'beginCall' | 'refused'>
}

/** A run ends when this many actions in a row were denied; a page with a few traps must not end the task of the user. */
const maxDenials = 8

/** The state of one run, and the guard through which every call of its model goes. */
export class RunState {
  readonly turns: Turn[]
  readonly budget: AgentBudget
  readonly #options: RunStateOptions
  readonly #loops = new LoopDetector()
  #end: RunEnd | undefined
  #callsInStep = 0
  #denials = 0
  #mustLook = false
  #need: AgentNeed | undefined
  /** the page that the run began with, as the model read it */
  #opened: Turn = { calls: [] }
  #current: { readonly call: TranscriptCall; readonly done: Promise<AgentResult> } | undefined

  constructor(options: RunStateOptions) {
    this.#options = options
    this.budget = options.budget
    this.turns = options.turns ?? []
  }

  get end(): RunEnd | undefined {
    return this.#end
  }

  /** What a person was asked for last. */
  get need(): AgentNeed | undefined {
    return this.#need
  }

  /** The call that is being carried out. */
  get current(): { readonly call: TranscriptCall; readonly done: Promise<AgentResult> } | undefined {
    return this.#current
  }

  /** The first reason counts. */
  stop(reason: StopReason, details: Partial<Omit<RunEnd, 'reason'>> = {}): void {
    this.#end ??= { reason, summary: '', evidence: [], ...details }
  }

  /** The model has read this page in its first message. */
  setOpenedPage(text: string): void {
    this.#opened = { calls: [{ id: '', tool: 'open-url', input: {}, answer: { ok: true, text } }] }
  }

  /** What is known about the page is old: actions are refused until the model has read it. */
  requireLook(): void {
    this.#mustLook = true
  }

  /** Asks a person for an approval; the clock of the run stops. Without an answer the run is parked when the action fails. */
  async ask<Answer>(need: AgentNeed, answer: (() => Promise<Answer | 'pending'>) | undefined): Promise<Answer | 'pending'> {
    this.#options.emit({ type: 'waiting', need })
    this.#need = need
    return answer ? this.budget.whileParked(answer) : 'pending'
  }

  beginStep(): void {
    this.#callsInStep = 0
  }

  /** Counts a turn of the model, before its calls are carried out. */
  beginTurn(text: string, invalidCalls: readonly TranscriptCall[]): void {
    this.turns.push({ ...(text && { text }), calls: [...invalidCalls] })
    if (text) this.#options.emit({ type: 'text', step: this.step, text })
    for (const { tool, input, answer } of invalidCalls) this.#observe(tool, input, answer?.text ?? '')
  }

  get step(): number {
    return this.budget.used.steps
  }

  /** Carries out a call; never throws. */
  async call(tool: string, input: unknown, { id, signal }: { id: string; signal?: AbortSignalLike | undefined }): Promise<AgentResult> {
    const refusal = this.#refusal(tool)
    const call: TranscriptCall = { id, tool, input }
    if (this.turns.length === 0) this.turns.push({ calls: [] })
    this.turns.at(-1)?.calls.push(call)
    const { emit, record, spans } = this.#options
    if (refusal) {
      const refused = this.#answered(call, { ok: false, data: null, error: refusal })
      await record.refused(tool, call.answer?.text ?? '')
      return refused
    }
    emit({
      type: 'call',
      step: this.step,
      tool,
      arguments: shownArguments(tool, input),
      ...describeCall(tool, input, [this.#opened, ...this.turns]),
    })
    const startedMs = this.budget.used.activeMs
    const endCall = record.beginCall()
    const endSpan = spans.beginTool(tool, id)
    const done = this.#options.toolbox.execute(tool, withinTextLimit(tool, input), { signal }).finally(endCall)
    this.#current = { call, done }
    const result = this.#answered(call, await done)
    this.#current = undefined
    endSpan(result.ok, result.error?.code)
    const { ok, text } = call.answer ?? { ok: false, text: '' }
    // without the time in which a person was asked
    const ms = this.budget.used.activeMs - startedMs
    emit({
      type: 'answer',
      step: this.step,
      tool,
      ok,
      text: inline(text.split('\n', 1)[0] ?? '', 200),
      ...effectIn(text),
      ...(result.error && { error: { code: result.error.code, message: result.error.message } }),
      ms,
      usage: this.budget.used,
    })
    return result
  }

  #refusal(tool: string): Failure | undefined {
    if (this.#end) return failure('aborted', 'the run has ended. Nothing was done.')
    if (++this.#callsInStep > 1)
      return failure('one_call_per_step', say`${term(tool)} was not carried out: only the first call of a step is.`)
    if (this.#mustLook && acting.has(tool))
      return failure(
        'outcome_unknown',
        'nothing was done: the page may have changed. Look at it first, with browser-observe or browser-snapshot.',
      )
    return undefined
  }

  /** Waits for a person without using up time, and goes on from the page as it is afterwards. */
  async handOff(input: unknown, signal: AbortSignalLike | undefined): Promise<AgentResult> {
    const reason = String((input as { reason?: unknown } | null)?.reason ?? '').trim()
    if (reason === '') return { ok: false, data: null, error: failure('invalid_input', 'reason is empty: say what the person should do.') }
    const need: AgentNeed = { kind: 'handoff', reason: cut(reason, 500) }
    if ((await this.waitForPerson(need, signal)) === 'pending')
      return this.#end?.reason === 'needs_approval'
        ? { ok: true, data: { text: 'parked: a person has been asked. The run goes on once they are done.' } }
        : { ok: false, data: null, error: failure('aborted', 'the wait for the person was stopped.') }
    const page = await this.#options.look(signal)
    return page.ok && page.data ? { ...page, data: { ...page.data, text: `the person is done.\n${page.data.text}` } } : page
  }

  /** Asks a person to do something in the browser; without an answer the run is parked. */
  async waitForPerson(need: AgentNeed, signal: AbortSignalLike | undefined): Promise<'done' | 'pending'> {
    const { handoff, emit } = this.#options
    emit({ type: 'waiting', need })
    const outcome = handoff ? await this.budget.whileParked(() => handoff(need.reason, signal ?? neverAborted)) : 'pending'
    if (outcome === 'pending') this.stop('needs_approval', { need, summary: `A person must do this in the browser: ${need.reason}` })
    return outcome
  }

  /** Whether a person can be asked to do something in the browser. */
  get hasPerson(): boolean {
    return this.#options.handoff !== undefined
  }

  /** Counts an answer, adds warnings to it, and notices what ends the run. */
  #answered(call: TranscriptCall, given: AgentResult): AgentResult {
    const { toolbox, emit } = this.#options
    if (given.ok && looking.has(call.tool)) this.#mustLook = false
    if (given.error?.code === 'outcome_unknown') this.#mustLook = true
    this.budget.addCharacters(toolbox.toModel(given).text.length)
    const notes = this.budget.warnings()
    for (const text of notes) emit({ type: 'warning', text })
    if (this.#observe(call.tool, call.input, toolbox.toModel(given).text))
      notes.push('this call was made three times with the same answer; once more ends the run. Try another way, or close.')
    const result = withNotes(given, notes)
    call.answer = toolbox.toModel(result)
    if (given.data?.summary !== undefined) this.#close({ ...given.data, summary: given.data.summary })
    this.parkIfAsked(given)
    this.#denials = given.error?.code === 'approval_denied' ? this.#denials + 1 : given.ok && acting.has(call.tool) ? 0 : this.#denials
    if (this.#denials >= maxDenials) this.stop('denied', { summary: 'The user denied what the run asked for.' })
    return result
  }

  /** Ends the run, so that it can be resumed, if a person was asked and has not answered. */
  parkIfAsked({ error }: AgentResult): void {
    if (error?.code === 'approval_required')
      this.stop('needs_approval', { ...(this.#need && { need: this.#need }), summary: 'A person must approve what the run wants to do.' })
  }

  /** The model has ended the run. `closed` means that it says the goal is reached; a limit that made it stop is the reason otherwise. */
  #close({ summary, evidence = [], done = true }: Pick<AgentData, 'evidence' | 'done'> & { readonly summary: string }): void {
    const limit = done ? undefined : this.budget.exhausted()
    const error = { code: 'not_done', message: 'The model says that the goal was not reached.' }
    if (done) this.stop('closed', { summary, evidence })
    else if (limit) this.stop(limit, { summary, evidence })
    else this.stop('error', { summary, evidence, error })
  }

  /** Whether one more repetition ends the run. */
  #observe(tool: string, input: unknown, answer: string): boolean {
    const verdict = this.#loops.add(tool, input, answer)
    if (verdict === 'loop') this.stop('loop', { summary: 'The run repeated the same calls without any change.' })
    return verdict === 'warn'
  }
}

const neverAborted: AbortSignalLike = { aborted: false }
const looking: ReadonlySet<string> = new Set(['browser-observe', 'browser-snapshot', 'browser-extract', 'open-url', 'browser-handoff'])
const acting: ReadonlySet<string> = new Set(['browser-act'])

/** The line about the effect of an action, without its label. */
function effectIn(text: string): { readonly effect?: string } {
  const [, effect] = /^effect: (.*)$/m.exec(text) ?? []
  return effect === undefined ? {} : { effect: inline(effect, 200) }
}

/** Longer answers would lose their middle in the next step. */
function withinTextLimit(tool: string, input: unknown): unknown {
  if (!budgeted.has(tool) || typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const { maxChars } = input as { maxChars?: unknown }
  if (maxChars === undefined ? tool !== 'browser-snapshot' : typeof maxChars !== 'number' || maxChars <= maxTextChars) return input
  return { ...input, maxChars: maxTextChars }
}
const budgeted: ReadonlySet<string> = new Set(['browser-observe', 'browser-snapshot', 'browser-extract'])

function withNotes(result: AgentResult, notes: readonly string[]): AgentResult {
  if (notes.length === 0) return result
  const lines = notes.map(note => `note: ${note}`).join('\n')
  if (result.error) return { ...result, error: { ...result.error, hint: `${result.error.hint} ${notes.join(' ')}` } }
  return result.data ? { ...result, data: { ...result.data, text: `${result.data.text}\n${lines}` } } : result
}

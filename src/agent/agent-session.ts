import { createUIMessageStream, readUIMessageStream } from 'ai'
import { approvalLayer } from '../approval/layer.ts'
import { approvePlan } from '../approval/plan.ts'
import { retireRequests } from '../approval/retire-requests.ts'
import type { AgentEvent, AgentUsage } from '../contract/agent-run.ts'
import type { ApprovalRequest, Approve } from '../contract/approval.ts'
import { messageOf } from '../contract/error-message.ts'
import { verbsOf } from '../contract/joint-commands.ts'
import { type AbortSignalLike, type AnyRun, type Layer, wrap } from '../contract/run.ts'
import { fileSize } from '../evidence/file-size.ts'
import { agentTools } from '../surfaces/tools/agent-tools.ts'
import { guardedTools, withHandoff } from './agent-tools.ts'
import type {
  AgentMessage,
  AgentMetadata,
  AgentRunResult,
  AgentStream,
  BrowserAgent,
  BrowserAgentOptions,
  OutcomeCheck,
  RunSignals,
} from './browser-agent.ts'
import { AgentBudget, strictestLimits } from './budget.ts'
import { RunParts } from './data-parts.ts'
import { firstMessage } from './first-message.ts'
import { type ModelObject, modelName } from './model.ts'
import { browserAgentPrompt } from './prompt.ts'
import { recordedEvent } from './recording.ts'
import { createRecorder } from './recording-layer.ts'
import { type RestoredRun, resumeNote } from './resume.ts'
import { spanLayer, stopLayer } from './run-layers.ts'
import { RunLoop } from './run-loop.ts'
import { type AgentRecord, isResumable } from './run-record.ts'
import { currentUrl, driverOf, namedSites } from './run-sites.ts'
import { type RunEnd, RunState } from './run-state.ts'
import { type AgentSpans, loadSpans } from './telemetry.ts'

interface SessionParts {
  readonly model: ModelObject
  readonly record: AgentRecord
  readonly restored?: RestoredRun
  /** Who named the first page. @default the user */
  readonly pageBy?: 'user' | 'model'
}

type Outcome = Omit<AgentRunResult, 'message'>
type Writer = Parameters<Parameters<typeof createUIMessageStream<AgentMessage>>[0]['execute']>[0]['writer']

/** One run of an agent in this process. */
export class AgentSession implements BrowserAgent {
  readonly #options: BrowserAgentOptions
  readonly #parts: SessionParts
  readonly #spans: AgentSpans
  readonly #state: RunState
  readonly #loop: RunLoop
  readonly #run: AnyRun
  readonly #listeners = new Set<(event: AgentEvent) => void>()
  readonly #openUrl: (url: string, signal: AbortSignal) => Promise<{ readonly ok: boolean; readonly text: string }>
  #isUsed = false
  #isOpening = false

  /** Throws if something is missing, before anything is written. */
  static check(options: Omit<BrowserAgentOptions, 'goal'>, model: ModelObject): void {
    if (!driverOf(options)) throw new TypeError('an agent needs a session or a run')
    new AgentBudget({ limits: options.limits, prices: options.prices }).assertPriced(modelName(model))
  }

  static async open(options: BrowserAgentOptions, parts: SessionParts): Promise<AgentSession> {
    const spans = await loadSpans()
    const { record, model, restored } = parts
    const page = typeof options.page === 'string' ? options.page : options.page?.url
    const plan = options.approvals?.plan
    const sites =
      options.sites ?? restored?.sites ?? plan?.sites ?? (await namedSites(options.goal, async () => page ?? currentUrl(driverOf(options))))
    const session = new AgentSession({ ...options, sites, limits: strictestLimits(options.limits, plan?.limits) }, parts, spans)
    // a page that nobody has approved is not opened when the run is resumed
    const given = parts.pageBy === 'model' ? undefined : page
    if (!restored)
      await record.started({ model: modelName(model), limits: session.#state.budget.limits, prices: options.prices, page: given, sites })
    else if (!restored.end) {
      await retireRequests(record.journal)
      await record.note(resumeNote(restored, await record.journal.approvals()))
    }
    return session
  }

  private constructor(options: BrowserAgentOptions, parts: SessionParts, spans: AgentSpans) {
    this.#options = options
    this.#parts = parts
    this.#spans = spans
    const { goal, policy, tabs = true, secrets = [], onEvent, limits, prices, handoff, guard } = options
    const { model, record, restored } = parts
    if (onEvent) this.#listeners.add(onEvent)
    const emit = (event: AgentEvent) => this.#emit(event)
    const budget = new AgentBudget({ limits, prices, used: restored?.usage })
    const stopped = stopLayer(() => this.#state.end !== undefined)
    // inside the journal, so that an action whose recorded result is returned again is not recorded twice
    const recorder = createRecorder(
      action => record.journal.append({ type: recordedEvent, action }),
      words => record.hide(words),
    )
    // the user named the first page, so it needs no approval
    const approvals = this.#unlessOpening(this.#approvals(options, record))
    // the page of a run that goes on in another browser is opened again, which is not a step of its task
    const hasRecording = record.events.some(({ type }) => type === recordedEvent)
    const recording = hasRecording ? this.#unlessOpening(recorder.layer) : recorder.layer
    const guards = guard ? [guard] : []
    const run = wrap(driverOf(options) as AnyRun, stopped, ...guards, approvals, record.layer, recording, stopped, spanLayer(spans))
    this.#run = run
    const pageTools = agentTools(run, { tabs, task: goal, ...(policy && { policy }) })
    const look = (signal: AbortSignalLike | undefined) => pageTools.execute('browser-snapshot', {}, { signal })
    const toolbox = record.tools(withHandoff(pageTools, (input, signal) => this.#state.handOff(input, signal)))
    this.#state = new RunState({ toolbox, budget, emit, handoff, spans, record, look, turns: restored?.turns })
    // nothing reaches the page any more, also if a program has its own loop
    if (restored?.end) this.#state.stop(restored.end.reason, restored.end)
    // the same tools as those of the model, so that the first action is compared with this page
    const opener = policy?.denied.has('open') ? agentTools(run) : pageTools
    this.#openUrl = async (url, signal) => {
      // from the first command on, downloads wait for a decision: also those that the first page starts
      await run({ name: 'status' }, signal)
      this.#isOpening = parts.pageBy !== 'model'
      const opened = await opener.execute('open-url', { url }, { signal }).finally(() => {
        this.#isOpening = false
      })
      this.#state.parkIfAsked(opened)
      return opener.toModel(opened)
    }
    const page =
      typeof options.page === 'string' ? { url: options.page } : (options.page ?? (restored?.url ? { url: restored.url } : undefined))
    const instructions = browserAgentPrompt({ goal, tools: toolbox.tools, maxSteps: budget.limits.steps, secrets, ...(page && { page }) })
    const tools = guardedTools(toolbox, this.#state)
    this.#loop = new RunLoop({ model, instructions, tools, state: this.#state, spans, emit, onTurn: turn => record.turn(turn) })
  }

  /** A layer for everything but the opening of the first page. */
  #unlessOpening(layer: Layer): Layer {
    return next => {
      const wrapped = layer(next)
      return (command, signal) => (this.#isOpening ? next : wrapped)(command, signal)
    }
  }

  /** Inside the run: the AI SDK knows no approvals in sub-agents, and the model must neither see nor answer one. */
  #approvals({ approvals: { approve, policy, grants } = {}, sites = [] }: BrowserAgentOptions, { journal }: AgentRecord): Layer {
    return approvalLayer({
      journal,
      sites,
      ...(policy && { policy }),
      ...(grants && { grants }),
      fileSize,
      approve: (request, signal) => this.#ask(approve, request, signal),
    })
  }

  #ask(approve: Approve | undefined, request: ApprovalRequest, signal: AbortSignalLike): ReturnType<Approve> {
    const need = { kind: 'approval', id: request.id, reason: `${verbsOf(request.command)} (${request.classes.join(', ')})` } as const
    return this.#state.ask(need, approve && (() => approve(request, signal)))
  }

  /** Asks for the plan of the run, which is also that of a run that was parked before it was approved. */
  async #approvePlan(signal: AbortSignal): Promise<void> {
    const { journal } = this.#parts.record
    const { approve, plan = (await journal.approvals()).find(({ request }) => request.kind === 'plan')?.request.plan } =
      this.#options.approvals ?? {}
    if (!plan) return
    const answer = await approvePlan(plan, { journal, signal, approve: (request, stop) => this.#ask(approve, request, stop) })
    const { need } = this.#state
    if (answer === 'pending')
      this.#state.stop('needs_approval', { ...(need && { need }), summary: 'A person must approve the plan of the run.' })
    else if (!answer.approved)
      this.#state.stop('denied', { summary: `The user did not approve the plan${answer.reason ? `: ${answer.reason}` : ''}.` })
  }

  get id(): string {
    return this.#parts.record.id
  }

  get model(): string {
    return modelName(this.#parts.model)
  }

  get agent(): BrowserAgent['agent'] {
    return this.#loop.agent
  }

  async run(options?: RunSignals): Promise<AgentRunResult> {
    const { stream, result } = this.stream(options)
    let message: AgentMessage = { id: this.id, role: 'assistant', parts: [] }
    for await (const each of readUIMessageStream<AgentMessage>({ stream })) message = each
    return { ...(await result), message }
  }

  stream(signals: RunSignals = {}): AgentStream {
    if (this.#isUsed) throw new TypeError('this run has begun already: create another agent, or resume it')
    this.#isUsed = true
    let begin: (writer: Writer) => void = () => {}
    const writer = new Promise<Writer>(resolve => {
      begin = resolve
    })
    const result = writer.then(each => this.#perform(each, signals))
    const stream = createUIMessageStream<AgentMessage>({
      execute: async context => {
        begin(context.writer)
        await result
      },
      generateId: () => this.id,
    })
    return { stream, result }
  }

  #emit(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  async #perform(writer: Writer, signals: RunSignals): Promise<Outcome> {
    const { goal } = this.#options
    const { restored } = this.#parts
    const write = (chunk: unknown) => writer.write(chunk as never)
    const parts = new RunParts(this.id, goal, this.#state.budget.limits)
    this.#listeners.add(event => {
      for (const part of parts.partsOf(event)) write(part)
    })
    this.#spans.beginRun(this.id, this.model)
    write({ type: 'start', messageId: this.id, messageMetadata: { run: this.id } })
    this.#emit({ type: 'started', run: this.id, goal, model: this.model, resumed: restored !== undefined })
    if (!restored?.end) await this.#work(write, signals)
    return this.#finish(this.#state.end ?? { reason: 'error', summary: '', evidence: [] }, writer)
  }

  /** Works until the run ends or is interrupted. */
  async #work(write: (chunk: unknown) => void, { signal, park }: RunSignals): Promise<void> {
    const { budget } = this.#state
    const controller = new AbortController()
    const onAbort = () => {
      this.#state.stop('aborted', { summary: 'The user stopped the run.' })
      controller.abort()
    }
    const onPark = () => {
      const error = { code: 'interrupted', message: 'The process that worked on the run was closed.' }
      this.#state.stop('error', { error, summary: 'The run was interrupted and can be resumed.' })
      controller.abort()
    }
    if (signal?.aborted) onAbort()
    if (park?.aborted) onPark()
    signal?.addEventListener('abort', onAbort)
    park?.addEventListener('abort', onPark)
    const clock = limitTime(this.#state, controller)
    try {
      budget.start()
      await this.#approvePlan(controller.signal)
      await this.#loop.perform(await this.#firstMessage(controller.signal), { signal: controller.signal, write })
    } finally {
      clearInterval(clock)
      budget.pause()
      signal?.removeEventListener('abort', onAbort)
      park?.removeEventListener('abort', onPark)
    }
  }

  #firstMessage(signal: AbortSignal): Promise<string> {
    const { restored, record } = this.#parts
    const context = { options: this.#options, state: this.#state, run: this.#run, openUrl: this.#openUrl, record }
    return firstMessage({ ...context, ...(restored && { restored }) }, signal)
  }

  async #finish(end: RunEnd, writer: Writer): Promise<Outcome> {
    const { id } = this
    const { used: usage } = this.#state.budget
    const write = (chunk: unknown) => writer.write(chunk as never)
    const { reason, summary, need, error } = end
    const settled = await this.#settle(end, usage)
    this.#emit({ type: 'ended', run: id, reason, summary, usage, ...(need && { need }), ...(error && { error }) })
    if (reason === 'aborted')
      write({ type: 'data-manual-stop', id: `${id}-stop`, data: { runId: id, at: new Date().toISOString(), by: 'user' } })
    if (error) write({ type: 'data-agent-error', id: `${id}-error`, data: error })
    const messageMetadata: AgentMetadata = { run: id, reason, usage, ...(need && { need }), ...(error && { error }) }
    write(reason === 'aborted' ? { type: 'message-metadata', messageMetadata } : { type: 'finish', messageMetadata })
    if (reason === 'aborted') write({ type: 'abort', reason: 'stopped by the user' })
    writer.setOutcome({ status: reason === 'aborted' ? 'aborted' : reason === 'error' ? 'failed' : 'completed' })
    this.#spans.endRun(reason, error?.code)
    return { ...end, run: id, usage, ...settled }
  }

  /** Parks the run, or checks its outcome and ends it; what is in the log already is neither checked nor logged again. */
  async #settle(end: RunEnd, usage: AgentUsage): Promise<Partial<Pick<Outcome, 'checks' | 'report'>>> {
    const { record, restored } = this.#parts
    if (isResumable(end)) {
      await record.park(end, usage)
      return {}
    }
    const checks = restored?.end ? restored.end.checks : await this.#check(end)
    const report = await (restored?.end ? record.complete(end, usage) : record.end(end, usage))
    return { report, ...(checks && { checks }) }
  }

  /** A check that fails is not met: the run did what it did. */
  async #check({ reason, summary, evidence }: RunEnd): Promise<readonly OutcomeCheck[] | undefined> {
    const { check } = this.#options
    if (!check) return undefined
    const checks = await check({ reason, summary, evidence }).catch(error => [
      { says: `the outcome can be checked (${messageOf(error)})`, held: false },
    ])
    await this.#parts.record.checked(checks).catch(() => {})
    return checks
  }
}

/** Ends a run whose time is used up. The clock stops while the run waits for a person, so it is read repeatedly. */
function limitTime(state: RunState, controller: AbortController): NodeJS.Timeout | undefined {
  if (state.budget.limits.timeMs === undefined) return undefined
  return setInterval(() => {
    if (state.budget.msLeft > 0) return
    state.stop('max_time', { summary: 'The time of the run is used up.' })
    controller.abort()
  }, 50)
}

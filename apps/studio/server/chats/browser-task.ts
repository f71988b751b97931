import type { LanguageModel, UIMessageChunk } from 'ai'
import { type AgentLimits, type BrowserAgent, createBrowserAgent, resumeBrowserAgent } from 'pagehand/agent'
import type { LiveFrame } from 'pagehand/browser'
import { type AnyRun, wrap } from 'pagehand/tools'
import type { BrowserPlace, HandoffPart, RunUsageLimits, StoredFilePart, StudioSettings } from 'pagehand/wire'
import { type RunParts, RunWriter } from './agent-run.ts'
import type { Approvals } from './approvals.ts'
import type { Broadcast } from './broadcast.ts'
import type { ChatBrowser } from './chat-browser.ts'
import type { ChatFiles } from './chat-files.ts'
import { hostsIn } from './named-hosts.ts'

export interface TaskOptions {
  readonly chatId: string
  readonly broadcast: Broadcast
  readonly approvals: Approvals
  readonly settings: StudioSettings
  readonly model: LanguageModel
  /** the browser of this machine; undefined if `run` goes to a window */
  readonly browser: ChatBrowser | undefined
  readonly run: AnyRun
  /** the tab of a window that carries the commands out */
  readonly place: BrowserPlace | undefined
  /** the files of the chat; undefined if the browser can neither take nor give any */
  readonly files: TaskFiles | undefined
  savePicture(runId: string, step: number, picture: Uint8Array): Promise<string | undefined>
  onChange(): void
}

export interface TaskFiles {
  /** what the user attached to messages */
  readonly attached: readonly StoredFilePart[]
  readonly uploads: ReturnType<ChatFiles['uploads']>
  /** Moves the files that pages have given since the last time to the run. */
  takeDownloads(run: string): Promise<readonly StoredFilePart[]>
}

/** What the master intends, for the user to approve once before the run begins. */
export interface TaskPlan {
  readonly steps: readonly string[]
  readonly classes: readonly ('submit' | 'pay' | 'delete' | 'upload' | 'download')[]
}

export interface BeginOptions extends TaskOptions {
  /** what the user wrote: going to the hosts in it needs no question. The words of the master may come from a page */
  readonly named: string
  readonly plan?: TaskPlan | undefined
}

export interface TaskSignals {
  readonly signal: AbortSignal
  /** the studio closes: the run is continued by the next one */
  readonly park: AbortSignal
}

export interface TaskOutcome {
  readonly run: string
  readonly reason: string
  readonly summary: string
  readonly evidence: readonly string[]
}

/** One run of the browser agent, as a part of the message that is being written. */
export class BrowserTask {
  readonly goal: string
  readonly #agent: BrowserAgent
  readonly #writer: RunWriter
  readonly #options: TaskOptions
  readonly #frames: ReturnType<typeof followFrames> | undefined
  #handoff: { readonly part: HandoffPart; readonly resolve: () => void } | undefined

  private constructor(agent: BrowserAgent, goal: string, options: TaskOptions, before?: RunParts) {
    this.#agent = agent
    this.goal = goal
    this.#options = options
    const { chatId, browser, broadcast, settings, place, savePicture, onChange } = options
    this.#frames = browser && followFrames(browser)
    this.#writer = new RunWriter(broadcast, {
      runId: agent.id,
      goal,
      limits: settings.limits,
      place: place ?? { tabId: 't1', viewKey: chatId },
      ...(before && { before }),
      savePicture: async (step, since) => {
        const picture = this.#frames?.newerThan(since)
        return picture && savePicture(agent.id, step, picture)
      },
      takeDownloads: async () => (await options.files?.takeDownloads(agent.id)) ?? [],
      questions: () => options.approvals.records(agent.id),
      onChange,
    })
  }

  /** @param goal the task in the words of the user or of the master */
  static async begin(goal: string, { named, plan, ...options }: BeginOptions): Promise<BrowserTask> {
    let task: BrowserTask | undefined
    const url = options.browser ? await options.browser.url() : await selectedUrl(options.run)
    const sites = hostsIn(`${named}\n${url ?? ''}`)
    const shared = agentOptions(options, () => task)
    const agent = await createBrowserAgent({
      ...shared,
      goal,
      sites,
      ...(plan &&
        sites.length > 0 && { approvals: { ...shared.approvals, plan: { sites, classes: plan.classes, text: plan.steps.join('\n') } } }),
      ...(url !== undefined && { page: { url } }),
    })
    task = new BrowserTask(agent, goal, options)
    return task
  }

  /** Continues a run that the last studio left open. */
  static async resume(runId: string, before: RunParts, options: TaskOptions): Promise<BrowserTask> {
    let task: BrowserTask | undefined
    const agent = await resumeBrowserAgent(
      runId,
      agentOptions(options, () => task),
    )
    task = new BrowserTask(agent, before.run.goal, options, before)
    return task
  }

  get runId(): string {
    return this.#agent.id
  }

  get parts(): RunParts {
    const { place } = this.#options
    return { ...this.#writer.parts, ...(place && { place }) }
  }

  /** What a person has to do in the browser before the run goes on. */
  get handoff(): HandoffPart | undefined {
    return this.#handoff?.part
  }

  handBack(): void {
    this.#handoff?.resolve()
  }

  /** Works until the run ends. */
  async perform({ signal, park }: TaskSignals): Promise<TaskOutcome> {
    const { browser } = this.#options
    browser?.setAgentWorking(true)
    this.#writer.begin()
    park.addEventListener('abort', () => this.#writer.freeze(), { once: true })
    try {
      const { stream, result } = this.#agent.stream({ signal, park })
      for await (const chunk of stream as unknown as AsyncIterable<UIMessageChunk>) this.#writer.add(chunk)
      const { reason, summary, evidence } = await result
      await this.#writer.settled()
      if (!park.aborted) this.#writer.end({ reason, summary })
      return { run: this.runId, reason, summary, evidence }
    } catch (error) {
      // the store may be what failed
      await this.#writer.settled().catch(() => {})
      this.#writer.end({ reason: 'error', summary: error instanceof Error ? error.message : String(error) })
      throw error
    } finally {
      this.#frames?.stop()
      browser?.setAgentWorking(false)
    }
  }

  askHandoff(reason: string, signal: { addEventListener?(type: 'abort', listener: () => void): void }): Promise<'done' | 'pending'> {
    return new Promise(resolve => {
      const end = (outcome: 'done' | 'pending') => {
        this.#handoff = undefined
        if (outcome === 'done') this.#writer.writeHandoff({ ...part, state: 'done' })
        resolve(outcome)
      }
      const part: HandoffPart = { runId: this.runId, reason, state: 'waiting' }
      this.#handoff = { part, resolve: () => end('done') }
      this.#writer.writeHandoff(part)
      signal.addEventListener?.('abort', () => end('pending'))
    })
  }

  noteFrame(file: string): void {
    this.#writer.noteFrame(file)
  }

  get results(): RunWriter['results'] {
    return this.#writer.results
  }

  writeApproval(...given: Parameters<RunWriter['writeApproval']>): void {
    this.#writer.writeApproval(...given)
  }

  onEvent(...given: Parameters<RunWriter['onEvent']>): void {
    this.#writer.onEvent(...given)
  }
}

/** The URL of the tab in which a window carries out the commands; undefined if nothing is open there. */
async function selectedUrl(run: AnyRun): Promise<string | undefined> {
  const listed = await run({ name: 'tabs', operation: 'list' })
  if (!listed.ok) return undefined
  const { tabs } = listed.data as { readonly tabs: readonly { readonly url: string; readonly selected: boolean }[] }
  const { url } = tabs.find(({ selected }) => selected) ?? {}
  return url === undefined || url === '' || url === 'about:blank' ? undefined : url
}

/** What new and resumed runs have in common. Their first events come before there is a task. */
const agentOptions = (
  { chatId, approvals, settings, model, browser, run, files }: TaskOptions,
  task: () => BrowserTask | undefined,
): Omit<Parameters<typeof createBrowserAgent>[0], 'goal'> => ({
  model,
  run: wrap(
    run,
    ...(browser ? [browser.gate] : []),
    next => (command, signal) => (task()?.results(next) ?? next)(command, signal),
    ...(files ? [files.uploads.locate] : []),
  ),
  ...(files && { guard: files.uploads.check }),
  limits: toLimits(settings.limits),
  ...approvals.forRun({ chatId, settings, files: files?.attached, onApproval: part => task()?.writeApproval(part) }),
  onEvent: event => task()?.onEvent(event),
  handoff: async (reason, signal) => (await task()?.askHandoff(reason, signal)) ?? 'pending',
})

/** The newest picture of a tab. */
function followFrames(browser: ChatBrowser): { newerThan(since: string): Uint8Array | undefined; stop(): void } {
  let newest: LiveFrame | undefined
  const watcher = browser.watch(frame => {
    newest = frame
    queueMicrotask(() => watcher.ready())
  })
  return {
    newerThan: since => (newest && newest.at > since ? Buffer.from(newest.base64, 'base64') : undefined),
    stop: () => watcher.stop(),
  }
}

/** A limit of money needs the prices of models, which the studio does not know. */
const toLimits = ({ steps, tokens, characters, timeMs }: RunUsageLimits): AgentLimits => ({
  ...(steps !== undefined && { steps }),
  ...(tokens !== undefined && { tokens }),
  ...(characters !== undefined && { characters }),
  ...(timeMs !== undefined && { timeMs }),
})

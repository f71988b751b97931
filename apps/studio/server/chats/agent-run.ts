import type { UIMessageChunk } from 'ai'
import type { AgentEvent, AgentUsage } from 'pagehand/agent'
import type { ApprovalPart, BrowserEventPart, RunUsageLimits, SubAgentRunPart } from 'pagehand/wire'
import type { Broadcast } from './broadcast.ts'

export interface RunParts {
  readonly run: SubAgentRunPart
  readonly events: readonly BrowserEventPart[]
}

export interface RunWriterOptions {
  readonly runId: string
  readonly goal: string
  readonly limits: RunUsageLimits
  /** whether the words of the model are for the person; the built-in rules only talk to themselves */
  readonly showsWords: boolean
  /** the tab in which the run works */
  readonly place: { readonly tabId: string; readonly viewKey: string }
  /** Stores the picture of a step; returns its file name. */
  savePicture(step: number): Promise<string | undefined>
  /** Called when something changed that should survive a restart. */
  onChange(): void
}

/** Turns the events of a run into the parts that the page shows. */
export class RunWriter {
  readonly #broadcast: Broadcast
  readonly #options: RunWriterOptions
  readonly #events = new Map<number, BrowserEventPart>()
  #run: SubAgentRunPart
  readonly #pictures: Promise<void>[] = []
  #step = 0
  #tokensBefore = 0

  constructor(broadcast: Broadcast, options: RunWriterOptions) {
    this.#broadcast = broadcast
    this.#options = options
    const { runId, goal, limits } = options
    this.#run = { runId, goal, state: 'running', usage: { steps: 0, tokens: 0, characters: 0, costUsd: 0, timeMs: 0 }, limits }
  }

  get parts(): RunParts {
    return { run: this.#run, events: [...this.#events.values()] }
  }

  begin(): void {
    this.#setRun({})
  }

  /** Takes a chunk of the agent's own stream: the words of the model, and what it got for a call. */
  add(chunk: UIMessageChunk): void {
    const isText = chunk.type === 'text-start' || chunk.type === 'text-delta' || chunk.type === 'text-end'
    if (isText && this.#options.showsWords) this.#broadcast.write(chunk)
    if (chunk.type !== 'tool-output-available') return
    const text = textOf(chunk.output)
    const event = this.#events.get(this.#step)
    if (event && text !== undefined) this.#setEvent({ ...event, text, ...(event.state === 'done' && { effect: firstLine(text) }) })
  }

  /** Takes an event of the run. */
  onEvent(event: AgentEvent): void {
    if (event.type === 'call') {
      const { step, tool, target } = event
      const verb = toolVerbs[tool] ?? event.verb
      this.#step = step
      this.#setEvent({ runId: this.#options.runId, step, tool, verb, ...(target && { target }), state: 'running', startedAt: now() })
      if (tool === 'open-url') this.#announceUrl(event.arguments)
    }
    if (event.type === 'answer') this.#onAnswer(event)
  }

  writeApproval(approval: ApprovalPart): void {
    this.#broadcast.write({ type: 'data-approval', id: approval.id, data: approval })
    this.#setRun({ state: approval.state === 'pending' ? 'waiting' : 'running' })
  }

  writeHandoff(reason: string, state: 'waiting' | 'done'): void {
    const { runId } = this.#options
    this.#broadcast.write({ type: 'data-handoff', id: runId, data: { runId, reason, state } })
    this.#setRun({ state: state === 'waiting' ? 'handoff' : 'running' })
  }

  /** Resolves when the pictures of all steps are stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#pictures)
  }

  /** Steps that were running when the run ended did not finish. */
  end({ reason, summary }: { readonly reason: string; readonly summary: string }): void {
    for (const event of this.#events.values())
      if (event.state === 'running')
        this.#setEvent({ ...event, state: 'failed', error: { code: 'aborted', message: 'the run ended before this step was done' } })
    this.#setRun({ state: 'ended', stopReason: reason, summary })
  }

  #onAnswer({ step, ok, text, error, ms, usage: used }: Extract<AgentEvent, { type: 'answer' }>): void {
    const begun = this.#events.get(step)
    if (!begun) return
    const usage = toUsage(used)
    this.#setEvent({
      ...begun,
      state: ok ? 'done' : error?.code === 'approval_denied' ? 'denied' : 'failed',
      durationMs: ms,
      tokens: usage.tokens - this.#tokensBefore,
      ...(ok && { effect: firstLine(text) }),
      ...(error && { error }),
    })
    this.#tokensBefore = usage.tokens
    this.#setRun({ usage, state: 'running' })
    this.#pictures.push(this.#addPicture(step))
  }

  async #addPicture(step: number): Promise<void> {
    const frame = await this.#options.savePicture(step).catch(() => undefined)
    const event = this.#events.get(step)
    if (event && frame !== undefined) this.#setEvent({ ...event, frame })
  }

  #announceUrl(given: unknown): void {
    const { url } = given as { readonly url?: unknown }
    const { tabId, viewKey } = this.#options.place
    if (typeof url === 'string') this.#broadcast.write({ type: 'data-open-browser', id: 'browser', data: { tabId, viewKey, url } })
  }

  #setRun(change: Partial<SubAgentRunPart>): void {
    this.#run = { ...this.#run, ...change }
    this.#broadcast.write({ type: 'data-sub-agent-run', id: this.#run.runId, data: this.#run })
    this.#options.onChange()
  }

  #setEvent(event: BrowserEventPart): void {
    this.#events.set(event.step, event)
    this.#broadcast.write({ type: 'data-browser-event', id: `${event.runId}-${event.step}`, data: event })
  }
}

/** what tools do whose names say something else */
const toolVerbs: { readonly [tool: string]: string } = { 'open-url': 'open', close: 'finish' }

/** The first line that is not the fence around the words of a page. */
const firstLine = (text: string): string => text.split('\n').find(line => !/^<\/?page\b/.test(line)) ?? ''

const now = (): string => new Date().toISOString()

export const toUsage = ({ steps, inputTokens, outputTokens, characters, cost, activeMs }: AgentUsage): SubAgentRunPart['usage'] => ({
  steps,
  tokens: inputTokens + outputTokens,
  characters,
  costUsd: cost,
  timeMs: activeMs,
})

function textOf(output: unknown): string | undefined {
  const { data, error } = (output ?? {}) as { readonly data?: { readonly text?: unknown }; readonly error?: { readonly message?: unknown } }
  if (typeof data?.text === 'string') return data.text
  if (typeof error?.message === 'string') return error.message
  return typeof output === 'string' ? output : undefined
}

import type { UIMessageChunk } from 'ai'
import type { AgentEvent, AgentUsage } from 'pagehand/agent'
import type { AnyCommand, Layer, Result } from 'pagehand/tools'
import {
  type ApprovalPart,
  type BrowserEventPart,
  type BrowserPlace,
  type HandoffPart,
  type RunUsageLimits,
  type StepElement,
  type StoredFilePart,
  type StudioProblemCode,
  type SubAgentRunPart,
  studioProblem,
} from 'pagehand/wire'
import { type ApprovalRecord, overBecause } from './approvals.ts'
import type { Broadcast } from './broadcast.ts'
import { StepFacts } from './step-facts.ts'

export interface RunParts {
  readonly run: SubAgentRunPart
  readonly events: readonly BrowserEventPart[]
  /** the tab of a window that carries its commands out */
  readonly place?: BrowserPlace
}

export interface RunWriterOptions {
  readonly runId: string
  readonly goal: string
  readonly limits: RunUsageLimits
  /** the tab in which the run works */
  readonly place: { readonly tabId: string; readonly viewKey: string }
  /** what was shown before the run was interrupted */
  readonly before?: RunParts
  /** Stores the live picture of a step, if it is newer than a time; returns its file name. */
  savePicture(step: number, since: string): Promise<string | undefined>
  /** The files that pages have given since the last time. */
  takeDownloads(): Promise<readonly StoredFilePart[]>
  /** What became of the questions of the run, by id. */
  questions(): Promise<ReadonlyMap<string, ApprovalRecord>>
  /** Called when something changed that should survive a restart. */
  onChange(): void
}

/** Turns the events of a run into the parts that the page shows. */
export class RunWriter {
  readonly #broadcast: Broadcast
  readonly #options: RunWriterOptions
  readonly #events = new Map<number, BrowserEventPart>()
  #run: SubAgentRunPart
  /** what is added to the steps after their answers */
  readonly #pictures: Promise<void>[] = []
  readonly #questions = new Map<string, ApprovalPart>()
  #step = 0
  #facts = new StepFacts()
  /** the last screenshot after an action, and its time */
  #frame: { readonly file: string; readonly at: string } | undefined
  #isFrozen = false
  #tokensBefore = 0

  constructor(broadcast: Broadcast, options: RunWriterOptions) {
    this.#broadcast = broadcast
    this.#options = options
    const { runId, goal, limits, before } = options
    const usage = before?.run.usage ?? { steps: 0, tokens: 0, characters: 0, costUsd: 0, timeMs: 0 }
    this.#run = { runId, goal, state: 'running', usage, limits }
    this.#tokensBefore = usage.tokens
    for (const event of before?.events ?? []) this.#events.set(event.step, event)
  }

  get parts(): RunParts {
    return { run: this.#run, events: [...this.#events.values()] }
  }

  begin(): void {
    for (const event of this.#events.values()) this.#endStep(event, 'step_interrupted')
    this.#setRun({})
  }

  /** The run is interrupted and goes on later: what is shown stays as it is. */
  freeze(): void {
    this.#isFrozen = true
  }

  /** Takes a chunk of the agent's own stream: what its model got for a call. */
  add(chunk: UIMessageChunk): void {
    if (this.#isFrozen) return
    if (chunk.type !== 'tool-output-available') return
    const text = textOf(chunk.output)
    const event = this.#events.get(this.#step)
    if (!event || text === undefined) return
    this.#facts.addText(event.tool, text)
    this.#setEvent({ ...event, text, ...(event.state === 'done' && { effect: effectIn(text), outcome: this.#facts.outcome }) })
  }

  /** Takes the results of the commands that a step consists of. */
  readonly results: Layer = next => async (command: AnyCommand, signal) => {
    const result: Result = await next(command, signal)
    if (!this.#isFrozen) this.#facts.addResult(command.name, result)
    return result
  }

  /** Takes the screenshot that was taken after an action of the current step. */
  noteFrame(file: string): void {
    this.#frame = { file, at: now() }
    this.#facts.frame = file
  }

  /** Takes an event of the run. */
  onEvent(event: AgentEvent): void {
    if (this.#isFrozen) return
    if (event.type === 'call') {
      const { step, tool, target = subjectOf(event.arguments) } = event
      const verb = toolVerbs[tool] ?? event.verb
      const element = event.target === undefined ? undefined : elementIn(event.target)
      this.#step = step
      this.#facts = new StepFacts()
      this.#setEvent({
        runId: this.#options.runId,
        step,
        tool,
        verb,
        ...(target && { target }),
        ...(element && { element }),
        state: 'running',
        startedAt: now(),
      })
      if (tool === 'open-url') this.#announceUrl(event.arguments)
    }
    if (event.type === 'answer') this.#onAnswer(event)
  }

  writeApproval(approval: ApprovalPart): void {
    this.#showQuestion(approval)
    this.#setRun({ state: approval.state === 'pending' ? 'waiting' : 'running' })
  }

  writeHandoff(handoff: HandoffPart): void {
    this.#broadcast.write({ type: 'data-handoff', id: handoff.runId, data: handoff })
    this.#setRun({ state: handoff.state === 'waiting' ? 'handoff' : 'running' })
  }

  /** Resolves when the pictures of all steps are stored, and what became of the questions is known. */
  async settled(): Promise<void> {
    await Promise.all(this.#pictures)
    await this.#checkApprovals()
    await this.#addDownloads()
  }

  /** Steps that were running when the run ended did not finish, and its questions need no answer any more. */
  end({ reason, summary }: { readonly reason: string; readonly summary: string }): void {
    for (const event of this.#events.values()) this.#endStep(event, 'step_unfinished')
    for (const question of this.#questions.values()) {
      const isUnused = question.state === 'approved' && question.kind === 'action' && question.decision?.scope === 'once'
      if (question.state === 'pending' || isUnused) this.#showQuestion(overBecause(question, 'run'))
    }
    this.#setRun({ state: 'ended', stopReason: reason, summary })
  }

  /** An approval that was refused when it was used must not look as if the action had been done. */
  async #checkApprovals(): Promise<void> {
    const approved = [...this.#questions.values()].filter(({ kind, state }) => kind === 'action' && state === 'approved')
    if (approved.length === 0) return
    const records = await this.#options.questions()
    for (const question of approved) {
      const { state, staleBecause = 'page' } = records.get(question.id) ?? {}
      if (state === 'used') this.#questions.delete(question.id)
      if (state === 'stale') this.#showQuestion(overBecause(question, staleBecause))
    }
  }

  async #addDownloads(): Promise<void> {
    for (const file of await this.#options.takeDownloads())
      this.#broadcast.write({ type: 'data-stored-file', id: `${this.#options.runId}-${file.name}`, data: file })
  }

  #showQuestion(question: ApprovalPart): void {
    this.#questions.set(question.id, question)
    this.#broadcast.write({ type: 'data-approval', id: question.id, data: question })
  }

  #endStep(event: BrowserEventPart, code: StudioProblemCode): void {
    if (event.state === 'running') this.#setEvent({ ...event, state: 'failed', error: studioProblem(code) })
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
      ...(ok && { effect: effectIn(text), outcome: this.#facts.outcome }),
      ...(error && { error }),
    })
    this.#tokensBefore = usage.tokens
    this.#setRun({ usage, state: 'running' })
    this.#pictures.push(this.#addPicture(step, this.#facts.frame), this.#checkApprovals(), this.#addDownloads())
  }

  /** The page after an action is in the screenshot of the action; after another step, in the live picture, unless that is older. */
  async #addPicture(step: number, taken: string | undefined): Promise<void> {
    const { file, at = '' } = this.#frame ?? {}
    const frame = taken ?? (await this.#options.savePicture(step, at).catch(() => undefined)) ?? file
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

/** The element in a target such as: button "Pay now". */
export function elementIn(target: string): StepElement {
  const [, role = '', quoted = ''] = /^(\w+)\s*(.*)$/s.exec(target) ?? []
  try {
    return { role, name: quoted === '' ? '' : String(JSON.parse(quoted)) }
  } catch {
    // a long name is cut, and its last quote with it
    return { role, name: quoted.replace(/^"/, '') }
  }
}

/** What a call without an element is about: the page that it opens, the words that it looks for. */
function subjectOf(given: unknown): string | undefined {
  const { url, task } = (given ?? {}) as { readonly url?: unknown; readonly task?: unknown }
  const subject = url ?? task
  return typeof subject === 'string' ? subject.slice(0, 200) : undefined
}

/** What an answer says in one line: what changed, the title of the page that was opened, or its first line. */
export function effectIn(text: string): string {
  const lines = text.split('\n')
  const changed = lines.find(line => line.startsWith('effect: '))?.slice('effect: '.length)
  const added = lines.find(line => line.startsWith('new text: '))
  if (changed !== undefined) return [changed, added].filter(Boolean).join('; ')
  // the lines that say where a text comes from are no effect
  const first = lines.find(line => !/^(<\/?page\b|\[\w+\] url=)/.test(line)) ?? ''
  const title = /^<page .*? title="([^"]+)"/m.exec(text)?.[1]
  return first === 'ok: open' && title ? title : first.replace(/^ok: /, '')
}

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

import type { AgentEvent, AgentUsage } from '../contract/agent-run.ts'
import type { BrowserEventPart, HandoffPart, ManualStopPart, SubAgentRunPart } from '../wire/parts.ts'
import type { AgentLimits } from './budget.ts'

/**
 * The data parts of a run. None of them contains the text of a page, except for the name of an element.
 *
 * @example
 * const stoppedAt = (part: AgentDataParts['manual-stop']) => part.at
 */
export type AgentDataParts = {
  /** one step of the run; the part of a call is replaced by that of its answer */
  'browser-event': BrowserEventPart
  /** the state of the run */
  'sub-agent-run': SubAgentRunPart
  /** a person has to do something in the browser */
  handoff: HandoffPart
  /** the user stopped the run */
  'manual-stop': ManualStopPart
  /** the model failed; the run can be resumed */
  'agent-error': { readonly code: string; readonly message: string }
}

interface DataPart {
  readonly type: `data-${keyof AgentDataParts}`
  readonly id: string
  readonly data: AgentDataParts[keyof AgentDataParts]
}

/** Turns the events of a run into parts of its message. */
export class RunParts {
  readonly #run: string
  readonly #goal: string
  readonly #limits: AgentLimits
  #step: BrowserEventPart | undefined
  #handoff: HandoffPart | undefined

  constructor(run: string, goal: string, limits: AgentLimits) {
    this.#run = run
    this.#goal = goal
    this.#limits = limits
  }

  partsOf(event: AgentEvent): DataPart[] {
    if (event.type === 'started') return [this.#runPart('running')]
    if (event.type === 'call') {
      const { step, tool, verb, target } = event
      const data = {
        runId: this.#run,
        step,
        tool,
        verb,
        ...(target && { target }),
        state: 'running',
        startedAt: new Date().toISOString(),
      } as const
      return [this.#stepPart(data)]
    }
    if (event.type === 'answer') return [...this.#endOfHandoff(), ...this.#answerPart(event)]
    if (event.type === 'waiting') return this.#waitingParts(event)
    if (event.type !== 'ended') return []
    const { reason, summary, usage, need } = event
    const state = need ? (need.kind === 'handoff' ? 'handoff' : 'waiting') : 'ended'
    return [this.#runPart(state, { stopReason: reason, summary, usage: usageOf(usage) })]
  }

  #runPart(state: SubAgentRunPart['state'], more: Partial<SubAgentRunPart> = {}): DataPart {
    const limits = limitsOf(this.#limits)
    return { type: 'data-sub-agent-run', id: this.#run, data: { runId: this.#run, goal: this.#goal, state, usage: none, limits, ...more } }
  }

  #stepPart(data: BrowserEventPart): DataPart {
    this.#step = data
    return { type: 'data-browser-event', id: `${this.#run}-${data.step}`, data }
  }

  #answerPart({ ok, text, error, ms, usage }: Extract<AgentEvent, { type: 'answer' }>): DataPart[] {
    if (!this.#step) return []
    const state = ok ? 'done' : error?.code === 'approval_denied' ? 'denied' : 'failed'
    const tokens = usage.inputTokens + usage.outputTokens
    return [this.#stepPart({ ...this.#step, state, ...(ok ? { effect: text } : error && { error }), durationMs: ms, tokens })]
  }

  #waitingParts({ need }: Extract<AgentEvent, { type: 'waiting' }>): DataPart[] {
    if (need.kind !== 'handoff') return [this.#runPart('waiting')]
    this.#handoff = { runId: this.#run, reason: need.reason, state: 'waiting' }
    return [{ type: 'data-handoff', id: `${this.#run}-handoff`, data: this.#handoff }, this.#runPart('handoff')]
  }

  #endOfHandoff(): DataPart[] {
    if (!this.#handoff) return []
    const data: HandoffPart = { ...this.#handoff, state: 'done' }
    this.#handoff = undefined
    return [{ type: 'data-handoff', id: `${this.#run}-handoff`, data }]
  }
}

const none = { steps: 0, tokens: 0, characters: 0, costUsd: 0, timeMs: 0 }

const usageOf = ({ steps, inputTokens, outputTokens, characters, cost, activeMs }: AgentUsage): SubAgentRunPart['usage'] => ({
  steps,
  tokens: inputTokens + outputTokens,
  characters,
  costUsd: cost,
  timeMs: activeMs,
})

const limitsOf = ({ cost, ...limits }: AgentLimits): SubAgentRunPart['limits'] => ({
  ...limits,
  ...(cost !== undefined && { costUsd: cost }),
})

/**
 * Why a run of the agent ended. The list is closed.
 *
 * @example
 * const isFinished = (reason: StopReason) => reason === 'closed'
 */
export type StopReason = (typeof stopReasons)[number]

/** `max_cost` covers tokens, money and characters; `needs_approval` is a run that waits for a person and can be resumed. */
export const stopReasons = ['closed', 'max_steps', 'max_cost', 'max_time', 'loop', 'aborted', 'denied', 'needs_approval', 'error'] as const

/**
 * What a run has used up so far. It belongs to the run: approvals, hand-offs and restarts do not reset it.
 *
 * @example
 * const { steps, tokens }: AgentUsage = result.usage
 */
export interface AgentUsage {
  /** turns of the model */
  readonly steps: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** of the input tokens, those that the provider read from its cache */
  readonly cachedTokens: number
  /** in the currency of the price table; 0 without prices */
  readonly cost: number
  /** time in which the run was not waiting for a person */
  readonly activeMs: number
  /** characters of all answers of tools */
  readonly characters: number
}

/** What a run needs from a person before it can go on. */
export type AgentNeed =
  | { readonly kind: 'approval'; readonly id: string; readonly reason: string }
  | { readonly kind: 'handoff'; readonly reason: string }

/**
 * What happens in a run, in order. The words of a page are only in `target` and `effect`, and in what the model writes.
 *
 * @example
 * const line = (event: AgentEvent) => (event.type === 'call' ? `${event.step} ${event.tool}` : '')
 */
export type AgentEvent =
  | { readonly type: 'started'; readonly run: string; readonly goal: string; readonly model: string; readonly resumed: boolean }
  | {
      readonly type: 'call'
      readonly step: number
      readonly tool: string
      /** the action in the words of the tool, such as click */
      readonly verb: string
      /** role and name of the element, as a snapshot showed them: the words of the page */
      readonly target?: string
      /** without typed text, which may be a secret */
      readonly arguments: unknown
    }
  | {
      readonly type: 'answer'
      readonly step: number
      readonly tool: string
      readonly ok: boolean
      /** the first line of the answer */
      readonly text: string
      /** what an action led to, such as a new URL or value: the words of the page */
      readonly effect?: string
      readonly error?: { readonly code: string; readonly message: string }
      readonly ms: number
      readonly usage: AgentUsage
    }
  | { readonly type: 'text'; readonly step: number; readonly text: string }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'waiting'; readonly need: AgentNeed }
  | { readonly type: 'retry'; readonly attempt: number; readonly error: string }
  | {
      readonly type: 'ended'
      readonly run: string
      readonly reason: StopReason
      readonly summary: string
      readonly usage: AgentUsage
      readonly need?: AgentNeed
      readonly error?: { readonly code: string; readonly message: string }
    }

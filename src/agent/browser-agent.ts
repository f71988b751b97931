import type { createUIMessageStream, LanguageModel, ToolLoopAgent, ToolSet, UIMessage } from 'ai'
import type { ApprovalPolicy } from '../approval/approval-policy.ts'
import type { AgentEvent, AgentNeed, AgentUsage, StopReason } from '../contract/agent-run.ts'
import type { Approve, GrantStore, RunPlan } from '../contract/approval.ts'
import type { RunStore } from '../contract/journal.ts'
import { redacted } from '../contract/page-api.ts'
import type { AnyRun, Layer } from '../contract/run.ts'
import { fileRunStore } from '../evidence/run-store.ts'
import type { Policy } from '../policy/command-policy.ts'
import { AgentSession } from './agent-session.ts'
import type { AgentLimits, PriceTable } from './budget.ts'
import type { AgentDataParts } from './data-parts.ts'
import { modelName, resolveModel } from './model.ts'
import type { Recording } from './recording.ts'
import { restoreRun } from './resume.ts'
import { AgentRecord } from './run-record.ts'
import type { Handoff } from './run-state.ts'

/**
 * Options of `createBrowserAgent`.
 *
 * @example
 * const options: BrowserAgentOptions = { session, goal: 'Find the opening hours', page: 'https://example.org/', limits: { steps: 20 } }
 */
export interface BrowserAgentOptions {
  /**
   * A model of the AI SDK, or a name such as openai/gpt-5-mini.
   * @default OpenAI's Responses API if OPENAI_API_KEY or OPENAI_BASE_URL is set, otherwise rulesModel
   */
  readonly model?: LanguageModel
  /** The session that the agent works in. */
  readonly session?: { readonly run: AnyRun }
  /** What executes the commands, instead of `session`. */
  readonly run?: AnyRun
  /** What the agent should achieve, in the words of the user. */
  readonly goal: string
  /** A URL to open first, or the page that is open already. */
  readonly page?: string | { readonly url?: string; readonly tab?: string }
  /** How much the run may use. @default 15 steps */
  readonly limits?: AgentLimits
  /** Prices of models, which `limits.cost` needs. @default none */
  readonly prices?: PriceTable
  /** Refuses the commands that it denies; their tools are not offered. */
  readonly policy?: Policy
  /** A layer above the approvals: it can refuse what is not possible before a person is asked about it. @default none */
  readonly guard?: Layer
  /** Which actions need an approval, and who gives it. @default risky actions need one; without `approve`, the run ends with needs_approval */
  readonly approvals?: AgentApprovals
  /** The hosts that the run is for, such as shop.example; what happens elsewhere asks. @default the host of the page it begins with */
  readonly sites?: readonly string[]
  /** Names of the secrets that the session can type as {{secret:NAME}}. @default none */
  readonly secrets?: readonly string[]
  /** Whether the agent may list, open, select and close tabs. @default true */
  readonly tabs?: boolean
  /** Asks a person to log in, enter a code or solve a captcha. @default the run ends with needs_approval and can be resumed */
  readonly handoff?: Handoff
  /** A recording of the same task: it is repeated first, and the model only goes on where it breaks. */
  readonly recording?: Recording
  /** Values of the parameters and secrets of `recording`. @default those in the recording */
  readonly recordingValues?: { readonly [parameter: string]: string }
  /** Checks the outcome while the page is still open; its statements are part of the evidence. @default nothing is checked */
  readonly check?: (outcome: Pick<AgentRunResult, 'reason' | 'summary' | 'evidence'>) => Promise<readonly OutcomeCheck[]>
  /** Called for everything that happens, in order. */
  readonly onEvent?: (event: AgentEvent) => void
  /**
   * Where the run is recorded: its log, screenshots and snapshots. A string is a folder for runs.
   * @default `runs` in the folder of the user
   */
  readonly evidence?: string | RunStore
  /** Strings that must never be written, such as a password in the goal. Each has at least four characters. @default none */
  readonly redact?: readonly string[]
}

/**
 * A statement about the outcome of a run, and whether it holds.
 *
 * @example
 * const isEmpty: OutcomeCheck = { says: 'the cart is empty', held: items.length === 0 }
 */
export interface OutcomeCheck {
  readonly says: string
  readonly held: boolean
}

/**
 * How actions of a run are approved.
 *
 * @example
 * const approvals: AgentApprovals = { approve: async request => ({ approved: await ask(request), scope: 'once' }) }
 */
export interface AgentApprovals {
  /** Asks a person. The run waits for the answer with its clock stopped. @default no answer */
  readonly approve?: Approve
  /** What is allowed, asked or denied, by class of action and site. @default what stays on the run's sites and is not risky is allowed */
  readonly policy?: ApprovalPolicy
  /** Stored permissions of the user. @default none */
  readonly grants?: GrantStore
  /** What the run intends to do: asked once, before it begins. Its limits are limits of the run. @default every action asks for itself */
  readonly plan?: RunPlan
}

/**
 * The outcome of a run.
 *
 * @example
 * const { reason, summary, evidence }: AgentRunResult = await agent.run()
 */
export interface AgentRunResult {
  /** name of the run */
  readonly run: string
  readonly reason: StopReason
  /** what was done and found, in the words of the model; the text that explains the end otherwise */
  readonly summary: string
  /** what the page showed, as the model quotes it */
  readonly evidence: readonly string[]
  readonly usage: AgentUsage
  /** the whole run as one message of the AI SDK, for histories */
  readonly message: AgentMessage
  /** what a person has to do before the run can go on */
  readonly need?: AgentNeed
  readonly error?: { readonly code: string; readonly message: string }
  /** what `check` said */
  readonly checks?: readonly OutcomeCheck[]
  /** path of the report; absent while the run can be resumed */
  readonly report?: string
}

/**
 * A run as a message of the AI SDK. Its metadata says how the run ended.
 *
 * @example
 * const reason = (message: AgentMessage) => message.metadata?.reason
 */
export type AgentMessage = UIMessage<AgentMetadata, AgentDataParts>

/**
 * The metadata of an `AgentMessage`.
 *
 * @example
 * const { reason, usage }: AgentMetadata = message.metadata ?? { run: '' }
 */
export interface AgentMetadata {
  readonly run: string
  readonly reason?: StopReason
  readonly usage?: AgentUsage
  readonly need?: AgentNeed
  readonly error?: { readonly code: string; readonly message: string }
}

/**
 * An agent for one goal.
 *
 * @example
 * const agent: BrowserAgent = await createBrowserAgent({ session, goal: 'Find the opening hours' })
 * const { summary } = await agent.run()
 */
export interface BrowserAgent {
  /** name of the run */
  readonly id: string
  readonly model: string
  /** the agent of the AI SDK, for programs that have their own loop */
  readonly agent: ToolLoopAgent<never, ToolSet>
  /** Works until the run ends. Never rejects because of the page or the model. */
  run(options?: RunSignals): Promise<AgentRunResult>
  /** Like `run`, as a stream of UI message chunks; `result` resolves at its end. */
  stream(options?: RunSignals): AgentStream
}

/**
 * How a run is interrupted from outside.
 *
 * @example
 * const signals: RunSignals = { signal: stopped.signal, park: closing.signal }
 */
export interface RunSignals {
  /** Stops the run for good. */
  readonly signal?: AbortSignal
  /** Interrupts the run so that it can be resumed, such as when the process is closed. */
  readonly park?: AbortSignal
}

/**
 * A run as a stream, for `createUIMessageStreamResponse` of the AI SDK.
 *
 * @example
 * const { stream, result }: AgentStream = agent.stream()
 */
export interface AgentStream {
  readonly stream: ReturnType<typeof createUIMessageStream<AgentMessage>>
  readonly result: Promise<Omit<AgentRunResult, 'message'>>
}

/**
 * Creates an agent that reaches a goal in a browser session: it looks, acts, and ends with a summary, within its limits.
 *
 * @example
 * await using session = await openSession()
 * const agent = await createBrowserAgent({ session, goal: 'What does the page say?', page: 'https://example.org/' })
 * const { reason, summary } = await agent.run()
 */
export const createBrowserAgent = (options: BrowserAgentOptions): Promise<BrowserAgent> => startAgent(options, 'user')

/** Starts an agent whose first page was named by the user, or by a model: then opening it needs an approval like any other page. */
export async function startAgent(options: BrowserAgentOptions, pageBy: 'user' | 'model'): Promise<BrowserAgent> {
  const { goal } = options
  if (goal.trim() === '') throw new TypeError('createBrowserAgent needs a goal')
  const model = await resolveModel(options.model)
  AgentSession.check(options, model)
  const journal = await storeOf(options).create({ label: goal, goal, model: modelName(model), secrets: redactedStrings(options) })
  return AgentSession.open(options, { model, record: new AgentRecord(journal), pageBy })
}

/**
 * Options of `resumeBrowserAgent`.
 *
 * @example
 * const options: ResumeOptions = { session, limits: { steps: 30 } }
 */
export interface ResumeOptions extends Omit<BrowserAgentOptions, 'goal'> {
  /** The goal; only needed if it contains something that `redact` keeps out of the log. @default the goal of the run */
  readonly goal?: string
}

/**
 * Takes up a run that waits for a person, or whose process or model failed. Its model learns what was interrupted and must look at the page
 * before it acts; nothing that was begun is done again. Its limits hold, except for those that are given here, and what it has used counts.
 * If the process died after the agent had ended, the model is not called: `run` completes the run and returns the recorded outcome.
 *
 * @example
 * const agent = await resumeBrowserAgent('20260101T120000000Z-Buy-tea-1a2b', { session })
 * const { reason } = await agent.run()
 */
export async function resumeBrowserAgent(run: string, options: ResumeOptions): Promise<BrowserAgent> {
  const model = await resolveModel(options.model)
  AgentSession.check({ ...options, limits: {} }, model)
  const journal = await storeOf(options).open(run, { secrets: redactedStrings(options) })
  try {
    const record = new AgentRecord(journal)
    const restored = restoreRun(record.events)
    const limits = { ...restored.limits, ...options.limits }
    const prices = { ...restored.prices, ...options.prices }
    const { goal = restored.goal } = options
    // a run whose agent has ended only has to be completed
    if (restored.end) return await AgentSession.open({ ...options, limits, prices, goal }, { model, record, restored })
    AgentSession.check({ ...options, limits, prices }, model)
    // a model would type the mark in place of a password
    if (goal.includes(redacted))
      throw new TypeError(
        `the goal of the run ${run} was redacted in its log: give it as goal, or with --goal and --redact on the command line`,
      )
    if (Object.keys({ ...options.limits, ...options.prices }).length > 0) await record.limited({ limits, prices })
    return await AgentSession.open({ ...options, limits, prices, goal }, { model, record, restored })
  } catch (error) {
    await journal.close()
    throw error
  }
}

const storeOf = ({ evidence }: Pick<BrowserAgentOptions, 'evidence'>): RunStore =>
  typeof evidence === 'object' ? evidence : fileRunStore(evidence === undefined ? {} : { folder: evidence })

/** The key and the URL of the model's API are never written (S2-61). */
function redactedStrings({ redact = [] }: Pick<BrowserAgentOptions, 'redact'>): readonly string[] {
  const { OPENAI_API_KEY, OPENAI_BASE_URL } = process.env
  return [...redact, ...[OPENAI_API_KEY, OPENAI_BASE_URL].filter(each => each !== undefined && each.length >= 4)] as string[]
}

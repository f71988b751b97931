import { type Tool, tool, type UIMessageStreamWriter } from 'ai'
import * as z from 'zod'
import type { AgentEvent, StopReason } from '../contract/agent-run.ts'
import { messageOf } from '../contract/error-message.ts'
import { cut } from '../contract/text.ts'
import { type AgentMessage, type BrowserAgentOptions, startAgent } from './browser-agent.ts'
import { RunParts } from './data-parts.ts'
import { driverOf, sitesOfUser } from './run-sites.ts'

/**
 * Options of `subAgentTool`: those of the agent that it starts for every task, and where its progress is written.
 *
 * @example
 * const options: SubAgentToolOptions = { session, writer }
 */
export interface SubAgentToolOptions extends Omit<BrowserAgentOptions, 'goal' | 'page'> {
  /** Gets the progress as data parts: data-browser-event, data-sub-agent-run, data-handoff, data-manual-stop. */
  readonly writer?: Pick<UIMessageStreamWriter<AgentMessage>, 'write'>
}

/**
 * What the tool `sub-agent` returns: the outcome, never the text of a page.
 *
 * @example
 * const { ok, data }: SubAgentResult = output
 */
export interface SubAgentResult {
  readonly ok: boolean
  readonly data: {
    readonly summary: string
    /** what the page showed, as the model of the sub-agent quotes it */
    readonly evidence: readonly string[]
    /** name of the run, whose evidence can be shown */
    readonly run: string
    readonly reason: StopReason
    readonly steps: number
  } | null
  readonly error?: { readonly code: string; readonly message: string }
}

const input = z.strictObject({
  task: z.string().min(1).describe('what to do on the page, with everything that is needed for it'),
  url: z.string().optional().describe('page to begin with; default: the one that is open'),
})
type SubAgentInput = z.infer<typeof input>

/** The longest summary and quote that the calling agent reads. */
const maxSummaryChars = 2_000
const maxQuotes = 10
const maxQuoteChars = 300

/**
 * The tool `sub-agent`: another agent gives it a task, and gets a summary with the name of the run. It takes one task at a time; its approvals
 * are asked for inside the run, since the AI SDK has none in tools of tools.
 *
 * @example
 * const master = new ToolLoopAgent({ model, tools: { 'sub-agent': subAgentTool({ session, model }) } })
 */
export function subAgentTool({ writer, onEvent: listen, ...options }: SubAgentToolOptions): Tool<SubAgentInput, SubAgentResult> {
  let isBusy = false
  return tool({
    description: 'Let a browser agent do one task on a web page. It returns a summary of what it did and found.',
    inputSchema: input,
    async execute({ task, url }: SubAgentInput, { abortSignal, messages }): Promise<SubAgentResult> {
      if (isBusy) return failed('one_call_per_step', 'the browser agent is busy: give it one task at a time.')
      isBusy = true
      try {
        const listeners = [...(listen ? [listen] : [])]
        // the task and its URL are the words of a model: they add no site to those of the user
        const sites = options.sites ?? (await sitesOfUser(messages, driverOf(options)))
        const onEvent = (event: AgentEvent) => {
          for (const listener of listeners) listener(event)
        }
        const agent = await startAgent({ ...options, sites, goal: task, ...(url !== undefined && { page: url }), onEvent }, 'model')
        if (writer) listeners.push(relayTo(writer, agent.id, { task, limits: options.limits ?? {} }))
        const { reason, summary, evidence, run, usage, error } = await agent.run(abortSignal ? { signal: abortSignal } : {})
        if (reason === 'aborted')
          writer?.write({
            type: 'data-manual-stop',
            id: `${run}-stop`,
            data: { runId: run, at: new Date().toISOString(), by: 'user' },
          })
        const quotes = evidence.slice(0, maxQuotes).map(quote => cut(quote, maxQuoteChars))
        const data = { summary: cut(summary, maxSummaryChars), evidence: quotes, run, reason, steps: usage.steps }
        return { ok: reason === 'closed', data, ...(reason !== 'closed' && { error: error ?? { code: reason, message: ends[reason] } }) }
      } catch (error) {
        return failed('error', cut(messageOf(error), 300))
      } finally {
        isBusy = false
      }
    },
    toModelOutput: ({ output }) => ({ type: 'json', value: output as never }),
  }) as Tool<SubAgentInput, SubAgentResult>
}

const failed = (code: string, message: string): SubAgentResult => ({ ok: false, data: null, error: { code, message } })

function relayTo(
  writer: Pick<UIMessageStreamWriter<AgentMessage>, 'write'>,
  run: string,
  { task, limits }: { readonly task: string; readonly limits: NonNullable<BrowserAgentOptions['limits']> },
): (event: AgentEvent) => void {
  const parts = new RunParts(run, task, limits)
  return event => {
    for (const part of parts.partsOf(event)) writer.write(part as never)
  }
}

/** What each end means for the agent that gave the task. */
const ends: { readonly [reason in StopReason]: string } = {
  closed: 'the task is done.',
  max_steps: 'the browser agent used up its steps. Give it a smaller task, or tell the user.',
  max_cost: 'the browser agent used up its budget. Tell the user what is done.',
  max_time: 'the browser agent used up its time. Tell the user what is done.',
  loop: 'the browser agent went in circles. Describe the task in another way, or tell the user.',
  aborted: 'the user stopped the run. Do not go on by yourself.',
  denied: 'the user denied what the run asked for. Do not try it another way.',
  needs_approval: 'the run waits for a person. Tell the user; it goes on when they have decided.',
  error: 'the browser agent failed.',
}

import { type ExplainOptions, type Explanation, explain } from '../../approval/explain.ts'
import { isSame, subjectOf } from '../../approval/request.ts'
import { isVerbName, verbs } from '../../contract/commands.ts'
import { say, term } from '../../contract/message.ts'
import { PagehandError, toFailure } from '../../contract/pagehand-error.ts'
import { type AnyCommand, type AnyRun, fail, type Layer, ok } from '../../contract/run.ts'
import type { Toolbox } from './tool.ts'

/**
 * The answer of `toolApproval` in the AI SDK; undefined: the call needs no approval.
 *
 * @example
 * const status: ToolApprovalStatus = { type: 'user-approval', reason: 'click button "Pay": pay' }
 */
export type ToolApprovalStatus = { readonly type: 'user-approval' | 'denied'; readonly reason: string } | undefined

/**
 * Approvals by the AI SDK itself, for agents that a person talks to.
 *
 * @example
 * const { toolApproval, layer }: ToolApprovals = createToolApprovals(session.run, run => webTools(run))
 */
export interface ToolApprovals {
  /** `toolApproval` of `ToolLoopAgent`, `generateText` and `streamText`. It acts on nothing, so it may be called again. */
  readonly toolApproval: (given: {
    readonly toolCall: { readonly toolName: string; readonly input: unknown }
  }) => Promise<ToolApprovalStatus>
  /** Refuses what a person should have been asked about and was not, and what has changed since: `wrap(session.run, layer)`. */
  readonly layer: Layer
}

/**
 * Decides by the policy which tool calls the AI SDK shows to a person. For sub-agents and unattended runs, use `approvalLayer`: the AI SDK
 * has no approvals there, and its approvals are not durable.
 *
 * @param createTools the same tools as those of the agent
 * @example
 * const { toolApproval, layer } = createToolApprovals(session.run, run => webTools(run), { sites: ['shop.example'] })
 * const agent = new ToolLoopAgent({ model, tools: toAiSdk(webTools(wrap(session.run, layer))), toolApproval })
 */
export function createToolApprovals(
  run: AnyRun,
  createTools: (run: AnyRun) => Toolbox<unknown>,
  options: ExplainOptions = {},
): ToolApprovals {
  /** what a person was asked about, by command; each is used once */
  const asked: { readonly command: string; readonly verdict: Explanation }[] = []

  const toolApproval: ToolApprovals['toolApproval'] = async ({ toolCall: { toolName, input } }) => {
    const found = await commandsOf(run, createTools, { toolName, input, options })
    const denied = found.find(({ verdict }) => verdict.rule === 'deny')
    if (denied) return { type: 'denied', reason: denied.verdict.why }
    const asks = found.filter(({ verdict }) => verdict.rule === 'ask')
    if (asks.length === 0) return undefined
    asked.push(...asks.map(({ command, verdict }) => ({ command: JSON.stringify(command), verdict })))
    asked.splice(0, asked.length - maxAsked)
    return { type: 'user-approval', reason: asks.map(({ command, verdict }) => describe(command, verdict)).join('; ') }
  }

  const layer: Layer = next => async (command, signal) => {
    if (isLook(command)) return next(command, signal)
    try {
      const verdict = await explain(next, command, { ...options, signal })
      if (verdict.rule === 'allow') return next(command, signal)
      if (verdict.rule === 'deny') return fail('approval_denied', say`${term(verdict.why)} The action was not performed.`)
      const same = asked.filter(each => each.command === JSON.stringify(command))
      const approved = same.find(each => isSame(subjectOf(each.verdict), subjectOf(verdict)))
      for (const each of approved ? [approved] : same) asked.splice(asked.indexOf(each), 1)
      if (approved) return next(command, signal)
      return same.length > 0
        ? fail('approval_stale', say`The page has changed since the person was asked. The action was not performed.`)
        : fail('approval_required', say`A person must approve this first. The action was not performed.`)
    } catch (error) {
      if (error instanceof PagehandError) return { ok: false, error: toFailure(error) }
      throw error
    }
  }
  return { toolApproval, layer }
}

/** questions that are remembered; a model that asks for more without an answer starts over */
const maxAsked = 200

const isLook = ({ name }: AnyCommand): boolean => isVerbName(name) && verbs[name].risk === 'look'

/** The commands that a call would carry out, with what the policy says about each: the call is carried out on a page that does nothing. */
async function commandsOf(
  run: AnyRun,
  createTools: (run: AnyRun) => Toolbox<unknown>,
  { toolName, input, options }: { readonly toolName: string; readonly input: unknown; readonly options: ExplainOptions },
): Promise<readonly { readonly command: AnyCommand; readonly verdict: Explanation }[]> {
  const found: { command: AnyCommand; verdict: Explanation }[] = []
  const dry: AnyRun = async (command, signal) => {
    if (isLook(command)) return run(command, signal)
    try {
      found.push({ command, verdict: await explain(run, command, options) })
    } catch (error) {
      // an element that is not there cannot be acted on: the call itself fails, and says why
      if (error instanceof PagehandError) return { ok: false, error: toFailure(error) }
      throw error
    }
    return ok({ page: blankPage, effect: {}, settled: true, trusted: true, notes: [], tabs: [] })
  }
  await createTools(dry).execute(toolName, input)
  return found
}

const blankPage = { url: '', title: '', readyState: 'complete', viewport: { width: 0, height: 0 }, scroll: { x: 0, y: 0, height: 0 } }

const describe = ({ name }: AnyCommand, { target, asks, destination }: Explanation): string =>
  `${name}${target ? ` ${target.role} ${JSON.stringify(target.name)}` : ''}${destination ? ` to ${destination}` : ''}: ${asks.join(', ')}`

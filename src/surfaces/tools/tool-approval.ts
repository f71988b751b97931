import { requirePolicy } from '../../approval/approval-policy.ts'
import { currentPage, type ExplainOptions, type Explanation, explain } from '../../approval/explain.ts'
import { HeldDownloads, nameOf } from '../../approval/held-downloads.ts'
import { uniqueFields } from '../../approval/joint-verdict.ts'
import { isAct } from '../../approval/open-requests.ts'
import { dataWords } from '../../approval/question-words.ts'
import { isSame, subjectOf } from '../../approval/request.ts'
import { fieldsOf } from '../../approval/sent-by.ts'
import { isVerbName, verbs } from '../../contract/commands.ts'
import { fieldsSetBy } from '../../contract/joint-commands.ts'
import { say, term } from '../../contract/message.ts'
import { PagehandError, toFailure } from '../../contract/pagehand-error.ts'
import { quote } from '../../contract/quote.ts'
import { type AbortSignalLike, type AnyCommand, type AnyRun, fail, type Layer, ok, type Result } from '../../contract/run.ts'
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
  const asked: AskedAction[] = []

  const toolApproval: ToolApprovals['toolApproval'] = async ({ toolCall: { toolName, input } }) => {
    const found = await commandsOf(run, createTools, { toolName, input, options })
    const denied = found.find(({ verdict }) => verdict.rule === 'deny')
    if (denied) return { type: 'denied', reason: denied.verdict.why }
    const asks = found.filter(({ verdict }) => verdict.rule === 'ask')
    if (asks.length === 0) return undefined
    const { tab } = await currentPage(run)
    const parts = new Set(found.map(({ command }) => JSON.stringify(command)))
    for (const { command, verdict, except } of asks)
      asked.push({ command: JSON.stringify(command), verdict, except, parts, tab, isOver: false })
    asked.splice(0, asked.length - maxAsked)
    return { type: 'user-approval', reason: asks.map(each => describe(each, found)).join('; ') }
  }

  const downloads = new HeldDownloads({
    rules: async () => ({ ...options, policy: requirePolicy(options.policy) }),
    // the AI SDK asks before a call, and this call has been made
    ask: async ({ download }) => ({
      outcome: 'discard',
      note: `approval_denied: the policy asks before downloads, and nobody was asked about ${nameOf(download)}. The file was deleted.`,
    }),
  })

  const layer: Layer = next => (command, signal) => {
    const act = () => decide(next, command, signal)
    return downloads.around(next, command, { act, isLook: isLook(command), signal })
  }

  async function decide(next: AnyRun, command: AnyCommand, signal: AbortSignalLike | undefined): Promise<Result> {
    if (isLook(command)) return next(command, signal)
    try {
      const verdict = await explain(next, command, { ...options, signal })
      const perform = async () => {
        await endByAct(next, command)
        const act = () => next(command, signal)
        return verdict.classes.includes('download') ? downloads.allow(next, act) : act()
      }
      if (verdict.rule === 'deny') return fail('approval_denied', say`${term(verdict.why)} The action was not performed.`)
      if (verdict.rule === 'allow') return await perform()
      const same = asked.filter(each => each.command === JSON.stringify(command))
      const approved = await firstSame(next, command, same)
      for (const each of approved ? [approved] : same) asked.splice(asked.indexOf(each), 1)
      if (approved) return await perform()
      return same.length > 0
        ? fail(
            'approval_stale',
            say`The page, or the data that would be sent, has changed since the person was asked. The action was not performed.`,
          )
        : fail('approval_required', say`A person must approve this first. The action was not performed.`)
    } catch (error) {
      if (error instanceof PagehandError) return { ok: false, error: toFailure(error) }
      throw error
    }
  }
  return { toolApproval, layer }

  /** What is done on a page ends the questions about it, except those of the same call. */
  async function endByAct(next: AnyRun, command: AnyCommand): Promise<void> {
    const others = isAct(command) ? asked.filter(each => !each.isOver && !each.parts.has(JSON.stringify(command))) : []
    if (others.length === 0) return
    const { tab } = await currentPage(next)
    for (const each of others) if (each.tab === tab) each.isOver = true
  }

  async function firstSame(next: AnyRun, command: AnyCommand, same: readonly AskedAction[]): Promise<AskedAction | undefined> {
    for (const each of same) {
      if (each.isOver) continue
      const now = await explain(next, command, { ...options, except: each.except })
      if (isSame(subjectOf(each.verdict), subjectOf(now))) return each
    }
    return undefined
  }
}

/** What a person was asked about. */
interface AskedAction {
  readonly command: string
  readonly verdict: Explanation
  /** the fields that the same call sets before */
  readonly except: readonly string[]
  /** the actions of the same call */
  readonly parts: ReadonlySet<string>
  readonly tab: string | undefined
  isOver: boolean
}

/** questions that are remembered; a model that asks for more without an answer starts over */
const maxAsked = 200

const isLook = ({ name }: AnyCommand): boolean => isVerbName(name) && verbs[name].risk === 'look'

/** The commands that a call would carry out, with what the policy says about each: the call is carried out on a page that does nothing. */
async function commandsOf(
  run: AnyRun,
  createTools: (run: AnyRun) => Toolbox<unknown>,
  { toolName, input, options }: { readonly toolName: string; readonly input: unknown; readonly options: ExplainOptions },
): Promise<readonly FoundCommand[]> {
  const found: FoundCommand[] = []
  const dry: AnyRun = async (command, signal) => {
    if (isLook(command)) return run(command, signal)
    try {
      const except = found.flatMap(each => fieldsSetBy(each.command))
      found.push({ command, verdict: await explain(run, command, { ...options, except }), except })
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

interface FoundCommand extends Pick<AskedAction, 'verdict' | 'except'> {
  readonly command: AnyCommand
}

function describe(asking: FoundCommand, found: readonly FoundCommand[]): string {
  const { name } = asking.command
  const { target, asks, destination, data } = asking.verdict
  // what the call sets before is not on the page yet
  const typed = found.slice(0, found.indexOf(asking)).flatMap(({ command, verdict }) => fieldsOf(command, verdict.targets))
  const fields = uniqueFields([...typed, ...(data?.fields ?? [])])
  const words = dataWords({ ...data, fields })
  const element = target ? ` ${target.role} ${quote(target.name)}` : ''
  return `${name}${element}${destination ? ` to ${destination}` : ''}: ${asks.join(', ')}${words && ` (with ${words})`}`
}

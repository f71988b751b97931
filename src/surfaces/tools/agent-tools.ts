import type { ParsedCommand, VerbName } from '../../contract/commands.ts'
import { type Failure, failure } from '../../contract/failures.ts'
import { joinCommands } from '../../contract/joint-commands.ts'
import { say } from '../../contract/message.ts'
import { parseCommand, parseFields } from '../../contract/parse-command.ts'
import type { AnyCommand, AnyRun } from '../../contract/run.ts'
import { denialOf, findDenied } from '../../policy/command-policy.ts'
import { createDialect } from '../../render/text/dialect.ts'
import { type Answer, failureAnswer, type SavedScreenshot } from '../respond/answer.ts'
import type { ResponderOptions } from '../respond/context.ts'
import { createResponder } from '../respond/responder.ts'
import { type AgentTool, acts, allTools, type Fields, spellField, tabsTool, withoutUndefined } from './agent-tool-list.ts'
import { noSuchTool, type Tool, type Toolbox } from './tool.ts'

/**
 * The result of every tool of the sub-agent.
 *
 * @example
 * const { ok, data }: AgentResult = await tools.execute('browser-observe', { task: 'log in' })
 */
export interface AgentResult {
  readonly ok: boolean
  /** null if the call failed */
  readonly data: AgentData | null
  readonly error?: Failure
}

/**
 * The data of a successful call of a sub-agent tool.
 *
 * @example
 * const { text, refs = [] }: AgentData = data
 */
export interface AgentData {
  /** text for the model, within its budget */
  readonly text: string
  readonly refs?: readonly string[]
  /** the offset at which observe, extract and read continue; null at the end */
  readonly nextOffset?: number | null
  /** set by `close`: the outcome of the task */
  readonly summary?: string
  /** set by `close`: what the page showed, as the model quotes it */
  readonly evidence?: readonly string[]
  /** set by `close`: false if the model says that the goal was not reached */
  readonly done?: boolean
  readonly picture?: SavedScreenshot
}

const knownFields = new Set([...allTools, tabsTool].flatMap(({ input }) => Object.keys(input.shape)))

const dialect = createDialect({
  spell: field => (knownFields.has(field) ? field : undefined),
  instead: () => 'give a scope',
  // no tool of this set answers a dialog
  hints: { dialog_open: 'open-url dismisses the dialog; where it needs an answer, close and say so.' },
})

/**
 * Options of `agentTools`.
 *
 * @example
 * const tools = agentTools(session.run, { tabs: true } satisfies AgentToolsOptions)
 */
export interface AgentToolsOptions extends Omit<ResponderOptions, 'dialect'> {
  /** Adds the tool browser-tabs, which lists, opens, selects and closes tabs. @default false */
  readonly tabs?: boolean
}

/**
 * The seven tools of the browser sub-agent on a page; fewer under a policy.
 *
 * @example
 * const tools = agentTools(session.run)
 * await tools.execute('open-url', { url: 'https://example.org/' })
 */
export function agentTools(run: AnyRun, { policy, tabs = false, ...options }: AgentToolsOptions = {}): Toolbox<AgentResult> {
  const respond = createResponder(run, { ...options, dialect })
  const isDenied = (verb: VerbName | undefined) => verb !== undefined && policy?.denied.has(verb) === true
  const known = tabs ? [...allTools.slice(0, -1), tabsTool, ...allTools.slice(-1)] : allTools
  const tools = known.filter(({ verb }) => !isDenied(verb))
  let isClosed = false
  return {
    tools,
    images: false,
    toModel: ({ ok, data, error }) => ({
      ok,
      text: data?.text ?? (error ? failureAnswer(error).text : ''),
      ...(error && { error }),
      ...(data?.picture && { picture: data.picture }),
    }),
    async execute(name, args = {}, { signal } = {}) {
      const tool = known.find(each => each.name === name)
      if (!tool) return failed(noSuchTool(name, tools))
      if (isDenied(tool.verb)) return failed(denialOf(name, namesOf(tools), policy))
      const input = parseFields(tool.input, args, { label: name })
      if (!input.ok) return failed(input.error)
      if (isClosed && tool.verb !== 'open') return failed(taskIsClosed(tools))
      const given = tool.toCommand(input.value)
      if (!given) {
        const result = closeTask(input.value as unknown as Outcome, tools)
        isClosed = result.ok
        return result
      }
      const { next = [], ...first } = input.value as Fields & { readonly next?: readonly Fields[] }
      const parsed = [first, ...next].map(each => toParsedCommand(tool, each))
      const wrong = parsed.find(each => !each.ok)
      if (wrong && !wrong.ok) return failed(wrong.error)
      isClosed = false
      const commands = parsed.flatMap(each => (each.ok ? [each.value] : []))
      // so that a person is asked about the call, not about each of its actions
      if (commands.length > 1) joinCommands(commands)
      return inOrder(commands, command => respond(command, { signal }))
    },
  }

  /** The command of a tool, if the policy allows it; the verb decides which of the fields of browser-act an action needs and takes. */
  function toParsedCommand(tool: AgentTool, given: Fields): ReturnType<typeof parseCommand> {
    const { action } = given
    const label = action === undefined ? tool.name : `${tool.name} ${action}`
    const command = withoutUndefined(tool.toCommand(given) ?? {}) as AnyCommand
    if (action !== undefined && policy && findDenied(command, policy.denied))
      return { ok: false, error: denialOf(label, actionsWithout(isDenied), policy) }
    return parseCommand(command, { label, spell: spellField })
  }
}

/** Carries out commands until one fails or leads to a page, a view or a dialog for which the next one was not meant. */
async function inOrder(commands: readonly ParsedCommand[], respond: (command: ParsedCommand) => Promise<Answer>): Promise<AgentResult> {
  const texts: string[] = []
  let last: Answer = { ok: true, text: '' }
  for (const [index, command] of commands.entries()) {
    last = await respond(command)
    if (last.error) return failed(withProgress(last.error, index, commands.length))
    texts.push(last.text)
    const open = commands.length - index - 1
    if (last.isNewPage && open > 0) {
      texts.push(`note: stopped after ${index + 1} of ${commands.length} actions, because the page changed. ${open} not carried out.`)
      break
    }
  }
  return toAgentResult({ ...last, text: texts.join('\n') })
}

/** Says how many actions were carried out before the one that failed. */
const withProgress = (error: Failure, done: number, total: number): Failure =>
  done === 0
    ? error
    : {
        ...error,
        ...failure(error.code, say`${error.parts ?? [error.message]} ${done} of ${total} actions were carried out before.`),
        hint: error.hint,
      }

const failed = (error: Failure): AgentResult => ({ ok: false, data: null, error })

const namesOf = (tools: readonly Tool[]): readonly string[] => tools.map(({ name }) => name)
const actionsWithout = (isDenied: (verb: VerbName) => boolean): readonly string[] =>
  Object.entries(acts).flatMap(([action, verb]) => (isDenied(verb) ? [] : [action]))

type Outcome = Pick<Required<AgentData>, 'summary'> & Pick<AgentData, 'evidence' | 'done'>

function closeTask({ summary, evidence, done }: Outcome, tools: readonly Tool[]): AgentResult {
  if (summary.trim() === '') return failed(failure('invalid_input', 'summary is empty: say what was done and found.'))
  const text = `the task is closed; the page stays as it is. ${nextStep(tools)}`
  return { ok: true, data: { text, summary, ...(evidence && { evidence }), ...(done !== undefined && { done }) } }
}

/** After `close`, only opening a page begins another task. */
const taskIsClosed = (tools: readonly Tool[]): Failure => ({ ...failure('not_running', 'the task is closed.'), hint: nextStep(tools) })
const nextStep = (tools: readonly Tool[]): string =>
  tools.some(({ verb }) => verb === 'open') ? 'open-url begins another task.' : 'Nothing more can be done here: tell the user its summary.'

function toAgentResult({ ok, text, error, refs, nextOffset, picture }: Answer): AgentResult {
  if (error || !ok) return failed(error ?? failure('outcome_unknown', 'the call failed.', { page: { error: text } }))
  return {
    ok,
    data: { text, ...(refs && { refs }), ...(nextOffset !== undefined && { nextOffset }), ...(picture && { picture }) },
  }
}

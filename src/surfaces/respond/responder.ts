import { type ParsedCommand, verbs } from '../../contract/commands.ts'
import { messageOf } from '../../contract/error-message.ts'
import { failure } from '../../contract/failures.ts'
import { minFencedChars } from '../../contract/limits.ts'
import { say, term } from '../../contract/message.ts'
import { createQueue } from '../../contract/queue.ts'
import type { CommandData } from '../../contract/results.ts'
import { type AnyCommand, type AnyRun, fail, ok, type Result, wrap } from '../../contract/run.ts'
import { derivedCommandsLayer } from '../../layers/derived-commands.ts'
import { fillFormLayer } from '../../layers/fill-form.ts'
import { RunBudget } from '../../layers/limits.ts'
import { commandDialect, type Dialect, numberedRefs } from '../../render/text/dialect.ts'
import { localizeFailure } from '../../render/text/failure.ts'
import { createFenceWord } from '../../render/text/fence.ts'
import { type Answer, failureAnswer } from './answer.ts'
import type { FormattedAnswer, ResponderOptions, RespondOptions, ResponseContext } from './context.ts'
import { Conversation } from './conversation.ts'
import { formatFailure } from './format-failure.ts'
import { formatResult } from './format-result.ts'
import { programData } from './program-data.ts'

/**
 * Carries out a command and answers with text for the model.
 *
 * @example
 * const respond: Responder = createResponder(session.run)
 */
export type Responder = (call: ParsedCommand, request?: RespondOptions) => Promise<Answer>

/**
 * Answers the calls of one model on one page. It remembers the last snapshot and the last call, so that an answer states the difference
 * and a repeated call is noticed.
 *
 * @example
 * const respond = createResponder(session.run)
 * const { text } = await respond({ name: 'click', ref: 'e12' })
 */
export function createResponder(driver: AnyRun, options: ResponderOptions = {}): Responder {
  const dialect = dialectOf(options)
  const { format = 'tree', policy } = options
  // the policy comes first: it judges `observe`, `extract` and `read`, not the snapshots they take
  const run = catchErrors(wrap(driver, ...(policy ? [policy] : []), derivedCommandsLayer({ format, dialect }), fillFormLayer))
  const budget = options.limits && new RunBudget(options.limits)
  const conversation = new Conversation()
  // the conversation belongs to one call at a time
  const enqueue = createQueue()
  return (call, request = {}) => {
    const context = { run, conversation, options, request, dialect }
    // the status is readable while another call is running, and is no part of the conversation
    return call.name === 'status' ? answerStatus(call, context, budget) : enqueue(() => withinBudget(budget, () => respond(call, context)))
  }
}

/** Counts a call and the characters of its answer, and refuses it if a limit of the session is used up (TRUST E3). */
async function withinBudget(budget: RunBudget | undefined, respondToCall: () => Promise<Answer>): Promise<Answer> {
  const error = budget?.take()
  if (error) return failureAnswer(error)
  const answer = await respondToCall()
  budget?.addCharacters(answer.text.length)
  const warnings = budget?.warnings() ?? []
  return warnings.length > 0 ? { ...answer, text: [answer.text, ...warnings.map(each => `note: ${each}`)].join('\n') } : answer
}

async function answerStatus(
  call: ParsedCommand<'status'>,
  context: Omit<ResponseContext, 'fenceWord'>,
  budget: RunBudget | undefined,
): Promise<Answer> {
  const status = await context.run(call, context.request.signal)
  // first, because the text lists only some facts
  const result = status.ok && budget ? ok({ limits: budget.status(), ...(status.data as object) }) : status
  const { answer } = await format(call, result, context)
  return context.request.forProgram && result.ok ? { ...answer, data: result.data } : answer
}

/** The flat format numbers the elements, so the sentences around it do too. */
function dialectOf({ dialect = commandDialect, format }: ResponderOptions): Dialect {
  return format === 'flat' ? { ...dialect, refs: numberedRefs } : dialect
}

async function respond(call: ParsedCommand, context: Omit<ResponseContext, 'fenceWord'>): Promise<Answer> {
  const { run, conversation, options, request } = context
  const { loopGuard = true } = options
  if (call.name === 'evaluate' && !options.allowEval) return failureAnswer(failure('disabled', 'running JavaScript is not allowed here.'))
  if (call.name === 'snapshot' && call.changes && (call.scope ?? call.after) !== undefined)
    return failureAnswer(
      failure('invalid_input', 'changes are reported for the whole page: leave out scope and after.', { field: 'changes' }),
    )
  const startedAt = performance.now()
  if (loopGuard && verbs[call.name].risk !== 'look' && (await conversation.isStuck(call, limited(run, minLookMs))))
    return failureAnswer(
      failure('no_progress', say`${call.name} was not carried out again: the last two calls with these arguments changed nothing.`),
    )
  const result = await run(toDriverCommand(call, conversation), request.signal)
  // what is read for the answer has the rest of the time: a page that hangs must not delay the answer beyond the deadline (TRUST F3)
  const rest = startedAt + verbs[call.name].deadlineMs - performance.now()
  const formatted = await format(call, result, { ...context, run: limited(run, Math.max(minLookMs, rest)) })
  const answer = loopGuard ? conversation.record(call, formatted) : formatted.answer
  return request.forProgram && result.ok ? { ...answer, data: programData(call, result.data) } : answer
}

/** the time to read the page for an answer, even if the command has used up its own: a page that works needs less */
const minLookMs = 2_000

const limited =
  (run: AnyRun, ms: number): AnyRun =>
  command =>
    run(command, AbortSignal.timeout(Math.round(ms)))

async function format(call: ParsedCommand, result: Result, context: Omit<ResponseContext, 'fenceWord'>): Promise<FormattedAnswer> {
  const fenceWord = (context.options.word ?? createFenceWord)()
  if (!result.ok) return formatFailure(call, localizeFailure(result.error, context.dialect), { ...context, fenceWord })
  return formatResult(call, result.data as CommandData[keyof CommandData], { ...context, fenceWord })
}

/** The budget of a snapshot is not the driver's business; `observe`, `extract` and `read` leave room for the fence. */
function toDriverCommand(call: ParsedCommand, { comparable }: Conversation): AnyCommand {
  if (call.name === 'observe' || call.name === 'extract' || call.name === 'read')
    return { ...call, maxChars: Math.max(minFencedChars, call.maxChars) - fenceRoom }
  if (call.name !== 'snapshot') return call
  const { maxChars: _, changes, ...command } = call
  // two snapshots can be compared only if they were taken alike
  return changes ? { ...command, ...comparable } : command
}

const fenceRoom = 130

/** Nothing is thrown across a tool boundary. */
const catchErrors =
  (run: AnyRun): AnyRun =>
  async (command, signal): Promise<Result> => {
    try {
      return await run(command, signal)
    } catch (error) {
      return fail('outcome_unknown', say`${term(command.name)} failed with an unexpected error.`, { page: { error: messageOf(error) } })
    }
  }

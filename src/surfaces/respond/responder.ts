import { type ParsedCommand, verbs } from '../../contract/commands.ts'
import { messageOf } from '../../contract/error-message.ts'
import { type Failure, type FailureCode, failure } from '../../contract/failures.ts'
import { minChars, type SnapshotFormat } from '../../contract/limits.ts'
import { createQueue } from '../../contract/queue.ts'
import type { CommandData, ScreenshotData } from '../../contract/results.ts'
import { type AbortSignalLike, type AnyCommand, type AnyRun, fail, type Result, wrap } from '../../contract/run.ts'
import { derivedCommandsLayer } from '../../layers/derived-commands.ts'
import type { Policy } from '../../policy/command-policy.ts'
import { fenceWord } from '../../render/text/fence.ts'
import { renderFailure } from '../../render/text/render.ts'
import { type Conversation, createConversation } from './conversation.ts'
import { toFlatRefs } from './flat-refs.ts'
import { formatResult } from './format-result.ts'

/** What the model reads, and what else a surface may make of it. */
export interface Answer {
  readonly ok: boolean
  /** at most the characters that the call allows */
  readonly text: string
  readonly error?: Failure
  readonly picture?: SavedScreenshot
  /** refs that stand in the text of a snapshot or a reading */
  readonly refs?: readonly string[]
  /** where observe and extract go on; null at the end */
  readonly nextOffset?: number | null
}

/** A picture, and where it was kept as evidence. */
export type SavedScreenshot = Omit<ScreenshotData, 'page' | 'notes'> & { readonly path?: string }

export interface ResponderOptions {
  /** `evaluate` runs code of the model in the page: off unless it is switched on */
  readonly allowEval?: boolean
  /** refuses what it denies, and nothing of that is offered */
  readonly policy?: Policy
  /** keeps a picture as evidence and says where */
  readonly saveScreenshot?: (picture: SavedScreenshot, label: string | undefined) => Promise<string>
  /** false: no difference after an action, so no second look at the page */
  readonly diff?: boolean
  /** of snapshots and of what `observe` finds */
  readonly format?: SnapshotFormat
  /** how the caller writes a field of a command, for the notes that name one; undefined where it has no such field */
  readonly spell?: (field: string) => string | undefined
  /** what to do where a note would name a field that the caller has not */
  readonly instead?: (field: string, value: string) => string
  /** next steps in the words of the caller, where those of the table name what it has not */
  readonly hints?: Hints
  /** the word of each fence; random unless given */
  readonly word?: () => string
}

export type Hints = { readonly [code in FailureCode]?: string }

export interface RespondOptions {
  readonly signal?: AbortSignalLike | undefined
  readonly format?: SnapshotFormat
  readonly maxNodes?: number
  /** false: the caller has a place of its own for the picture */
  readonly saveScreenshot?: false
}

export type Responder = (call: ParsedCommand, saying?: RespondOptions) => Promise<Answer>

/** One model and one page: what was seen is remembered, so that an answer tells what is different and a repeated call is noticed. */
export function createResponder(driver: AnyRun, talking: ResponderOptions = {}): Responder {
  // above the readings: they look at the page in a name of their own
  const run = unthrown(wrap(driver, ...(talking.policy ? [talking.policy] : []), derivedCommandsLayer(talking.format)))
  const memory = createConversation()
  // the conversation belongs to one call at a time
  const enqueue = createQueue()
  return (call, saying = {}) => enqueue(() => reply(call, { run, memory, talking, saying }))
}

export interface ResponseContext {
  readonly run: AnyRun
  readonly memory: Conversation
  readonly talking: ResponderOptions
  readonly saying: RespondOptions
}

async function reply(call: ParsedCommand, turn: ResponseContext): Promise<Answer> {
  const { run, memory, talking, saying } = turn
  if (call.name === 'evaluate' && !talking.allowEval) return failureAnswer(failure('disabled', 'running JavaScript is not allowed here.'))
  if (verbs[call.name].risk !== 'look' && (await memory.isStuck(call, run)))
    return failureAnswer(failure('no_progress', `${call.name} was called twice with these arguments, and the page is as it was.`))
  const result = await run(toDriver(call), saying.signal)
  const word = (talking.word ?? fenceWord)()
  const answer = result.ok
    ? await formatResult(call, result.data as CommandData[keyof CommandData], { ...turn, word })
    : failureAnswer(inWordsOf(talking, result.error), verbs[call.name].chars)
  return memory.heard(call, answer, word)
}

const inWordsOf = ({ format, hints = {} }: ResponderOptions, error: Failure): Failure => ({
  ...error,
  message: format === 'flat' ? toFlatRefs(error.message) : error.message,
  hint: hints[error.code] ?? error.hint,
})

export const failureAnswer = (error: Failure, maxChars = 1_500): Answer => ({ ok: false, text: renderFailure(error, maxChars), error })

/** how much text it becomes is not the driver's business; a reading leaves room for the fence around it */
function toDriver(call: ParsedCommand): AnyCommand {
  if (call.name === 'observe' || call.name === 'extract') return { ...call, maxChars: Math.max(minChars, call.maxChars - fenceRoom) }
  if (call.name !== 'snapshot') return call
  const { maxChars: _, ...command } = call
  return command
}

const fenceRoom = 130

/** nothing is thrown across a tool boundary */
const unthrown =
  (run: AnyRun): AnyRun =>
  async (command, signal): Promise<Result> => {
    try {
      return await run(command, signal)
    } catch (error) {
      return fail('outcome_unknown', `${command.name} ended with an error of its own: ${messageOf(error)}`)
    }
  }

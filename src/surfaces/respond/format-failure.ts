import { type ParsedCommand, verbs } from '../../contract/commands.ts'
import type { Failure } from '../../contract/failures.ts'
import { failureAnswer } from './answer.ts'
import type { FormattedAnswer, ResponseContext } from './context.ts'

/** A failure; the fence around what the page said names the page. */
export function formatFailure(
  call: ParsedCommand,
  error: Failure,
  { conversation, fenceWord }: Pick<ResponseContext, 'conversation' | 'fenceWord'>,
): FormattedAnswer {
  const url = error.page?.url ?? conversation.page?.url
  const named: Failure = error.page && url !== undefined ? { ...error, page: { ...error.page, url } } : error
  const answer = failureAnswer(named, { maxChars: verbs[call.name].chars, word: fenceWord })
  return { answer, fingerprint: JSON.stringify(error) }
}

import type { Failure } from '../../contract/failures.ts'
import { renderDefaults } from '../../contract/limits.ts'
import { textOf } from '../../contract/message.ts'
import type { Dialect } from './dialect.ts'
import { inline } from './quote.ts'

/** A failure as the model reads it: the code, what happened, and the next step. */
export function renderFailure({ code, message, hint }: Failure, maxChars: number = renderDefaults.maxCharsTotal): string {
  const frame = code.length + hint.length + 4
  const sentence = inline(message, Math.max(20, maxChars - frame))
  return inline(`${code}: ${sentence}${/[.!?…]$/.test(sentence) ? '' : '.'} ${hint}`, maxChars)
}

/** A failure of a driver in the words of the caller. */
export const localizeFailure = ({ parts, ...error }: Failure, { refs, hints = {} }: Dialect): Failure => ({
  ...error,
  message: parts ? textOf(parts, refs.ref) : error.message,
  hint: hints[error.code] ?? error.hint,
})

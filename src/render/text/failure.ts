import type { Failure } from '../../contract/failures.ts'
import { renderDefaults } from '../../contract/limits.ts'
import type { Dialect, RefStyle } from './dialect.ts'
import { inline } from './quote.ts'

/** A failure as the model reads it: the code, what happened, and the next step. */
export function renderFailure({ code, message, hint }: Failure, maxChars: number = renderDefaults.maxCharsTotal): string {
  const frame = code.length + hint.length + 4
  const sentence = inline(message, Math.max(20, maxChars - frame))
  return inline(`${code}: ${sentence}${/[.!?…]$/.test(sentence) ? '' : '.'} ${hint}`, maxChars)
}

/** A failure of a driver in the words of the caller. */
export const localizeFailure = (error: Failure, { refs, hints = {} }: Dialect): Failure => ({
  ...error,
  message: spellRefs(error.message, refs),
  hint: hints[error.code] ?? error.hint,
})

/** A driver writes refs in its messages as e15. Quoted text is the page's own and stays as it is. */
const spellRefs = (message: string, refs: RefStyle): string =>
  message.replace(/"(?:[^"\\]|\\.)*"|\[ref=(\w+)\]|\b((?:f\d+)?e\d+)\b(?!\])/g, (found, marked?: string, bare?: string) => {
    const ref = marked ?? bare
    return ref === undefined || refs.ref(ref) === ref ? found : refs.ref(ref)
  })

import { type ParsedCommand, verbs } from '../../contract/commands.ts'
import type { PageInfo } from '../../contract/page-api.ts'
import { fence, pageIdentity } from '../../render/text/fence.ts'
import type { FormattedAnswer } from './context.ts'

export interface PageLines {
  readonly page?: PageInfo
  readonly lines: readonly string[]
  /** the lines that tell this answer from others; default: all */
  readonly compared?: readonly string[]
}

/** A status line, and below it what the page says, together within the budget of the verb. */
export function statusAnswer(
  status: string,
  { page, lines, compared = lines }: PageLines,
  { call, fenceWord }: { readonly call: ParsedCommand; readonly fenceWord: string },
): FormattedAnswer {
  const room = verbs[call.name].chars - status.length - 1
  return {
    answer: { ok: true, text: `${status}\n${fence(page, lines, { word: fenceWord, maxChars: room })}` },
    fingerprint: JSON.stringify([status, page && pageIdentity(page), compared]),
  }
}

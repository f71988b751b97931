import type { StudioProblem } from '../../../../src/wire/problems.ts'
import type { Messages } from '../messages/en.ts'
import { problemWords } from '../messages/fact-words.ts'

/** What an error of a request means: the problem that the server reports, that it cannot be reached, or the error's own words. */
export const errorWords = (error: unknown, messages: Messages): string => {
  const { message, data, shape } = (error ?? {}) as { readonly message?: string; readonly data?: unknown; readonly shape?: unknown }
  const problem = problemIn(message)
  if (problem !== undefined) return problemWords(problem, messages)
  // an error of the API, whose text is for developers
  if (data !== undefined && data !== null) return messages.app.rejected
  if (error instanceof TypeError || shape !== undefined) return messages.app.unreachable
  return message ?? String(error)
}

/** The server answers a request that it refuses with { error: { code, message } }. */
const problemIn = (text = ''): StudioProblem | undefined => {
  try {
    const { error } = JSON.parse(text) as { readonly error?: Partial<StudioProblem> }
    return typeof error?.code === 'string' && typeof error.message === 'string' ? { code: error.code, message: error.message } : undefined
  } catch {
    return undefined
  }
}

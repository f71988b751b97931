import type { Layer, Result } from './run.ts'

export const notesOf = (result: Result): readonly string[] =>
  result.ok ? ((result.data as { readonly notes?: readonly string[] } | null)?.notes ?? []) : []

/** Adds notes to a result, each once. Undefined if it cannot have any: it is a failure, or its data is no object. */
export function addNotes(result: Result, notes: Iterable<string>): Result | undefined {
  if (!result.ok || typeof result.data !== 'object' || result.data === null) return undefined
  return { ok: true, data: { ...result.data, notes: [...new Set([...notesOf(result), ...notes])] } }
}

/**
 * Hands on the notes that a layer received for calls of its own, such as an inspection before an action. A note is reported only once, so the
 * caller must get it with the result of its command, or with the next one if that has failed.
 */
export const keepNotes =
  (layer: Layer): Layer =>
  next => {
    const unread = new Set<string>()
    const run = layer(async (command, signal) => {
      const result = await next(command, signal)
      for (const note of notesOf(result)) unread.add(note)
      return result
    })
    return async (command, signal) => {
      const result = await run(command, signal)
      if (command.name === 'status' || unread.size === 0) return result
      const noted = addNotes(result, unread)
      if (noted) unread.clear()
      return noted ?? result
    }
  }

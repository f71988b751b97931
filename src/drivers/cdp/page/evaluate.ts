import { Failed } from '../errors.ts'
import type { Wire } from '../input/context.ts'
import type { World } from './isolated-worlds.ts'

/** An expression in a world; its value comes back through JSON, and a promise is awaited. */
export async function ask<T>({ wire, contextId }: World, expression: string): Promise<T> {
  const { result } = await evaluate(wire, { expression, uniqueContextId: contextId, returnByValue: true, awaitPromise: true })
  return result.value as T
}

/** The objectId of what an expression gives, or null where it gives nothing. */
export async function askObject({ wire, contextId }: World, expression: string): Promise<string | null> {
  const { result } = await evaluate(wire, { expression, uniqueContextId: contextId })
  return result.objectId ?? null
}

/** In the world of the page's own scripts; what it gives, as JSON text. */
export async function askPage(wire: Wire, expression: string): Promise<string> {
  const { result } = await evaluate(wire, { expression, returnByValue: true, awaitPromise: true, userGesture: false })
  return result.unserializableValue ?? JSON.stringify(result.value) ?? 'undefined'
}

type Evaluate = Parameters<typeof evaluateOf>[1]
const evaluateOf = (wire: Wire, params: { expression: string; [more: string]: unknown }) => wire.send('Runtime.evaluate', params)

async function evaluate(wire: Wire, params: Evaluate) {
  const answer = await evaluateOf(wire, params).catch((error: Error) => {
    // "Cannot find context", "uniqueContextId not found", "Execution context was destroyed", "Inspected target navigated or closed"
    if (!(error instanceof Failed) && /context|navigated/i.test(error.message))
      throw new Failed('target_closed', 'The document is gone; the page went on while it was asked.')
    throw error
  })
  const thrown = answer.exceptionDetails
  // a thrown Error is described by its stack, anything else by its value alone
  if (thrown) throw new Error(thrown.exception?.description ?? `${thrown.text} ${thrown.exception?.value ?? ''}`)
  return answer
}

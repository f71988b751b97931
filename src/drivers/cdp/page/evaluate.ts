import type { CdpSession } from '../connection/cdp-session.ts'
import { PagehandError } from '../errors.ts'
import type { IsolatedWorld } from './isolated-worlds.ts'

/** An expression in a world; its value comes back through JSON, and a promise is awaited. */
export async function evaluate<T>({ session: wire, contextId }: IsolatedWorld, expression: string): Promise<T> {
  const { result } = await evaluateRaw(wire, { expression, uniqueContextId: contextId, returnByValue: true, awaitPromise: true })
  return result.value as T
}

/** The objectId of what an expression gives, or null where it gives nothing. */
export async function evaluateHandle({ session: wire, contextId }: IsolatedWorld, expression: string): Promise<string | null> {
  const { result } = await evaluateRaw(wire, { expression, uniqueContextId: contextId })
  return result.objectId ?? null
}

/** In the world of the page's own scripts; what it gives, as JSON text. */
export async function evaluateInPage(wire: CdpSession, expression: string): Promise<string> {
  const { result } = await evaluateRaw(wire, { expression, returnByValue: true, awaitPromise: true, userGesture: false })
  return result.unserializableValue ?? JSON.stringify(result.value) ?? 'undefined'
}

type Evaluate = Parameters<typeof evaluateOf>[1]
const evaluateOf = (wire: CdpSession, params: { expression: string; [more: string]: unknown }) => wire.send('Runtime.evaluate', params)

async function evaluateRaw(wire: CdpSession, params: Evaluate) {
  const answer = await evaluateOf(wire, params).catch((error: Error) => {
    // "Cannot find context", "uniqueContextId not found", "Execution context was destroyed", "Inspected target navigated or closed"
    if (!(error instanceof PagehandError) && /context|navigated/i.test(error.message))
      throw new PagehandError('target_closed', 'The document is gone; the page went on while it was asked.')
    throw error
  })
  const thrown = answer.exceptionDetails
  // a thrown Error is described by its stack, anything else by its value alone
  if (thrown) throw new Error(thrown.exception?.description ?? `${thrown.text} ${thrown.exception?.value ?? ''}`)
  return answer
}

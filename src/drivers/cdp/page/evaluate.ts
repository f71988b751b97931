import type { CdpSession } from '../connection/cdp-session.ts'
import type { Params } from '../connection/protocol.ts'
import { DocumentGoneError, PagehandError } from '../errors.ts'
import type { IsolatedWorld } from './isolated-worlds.ts'

/** Evaluates an expression in an isolated world; awaits a promise and returns the value as JSON carries it. */
export async function evaluate<T>({ session, contextId }: IsolatedWorld, expression: string): Promise<T> {
  const { result } = await send(session, { expression, uniqueContextId: contextId, returnByValue: true, awaitPromise: true })
  return result.value as T
}

/** The objectId of the value of an expression; null for a primitive value. */
export async function evaluateHandle({ session, contextId }: IsolatedWorld, expression: string): Promise<string | null> {
  const { result } = await send(session, { expression, uniqueContextId: contextId })
  return result.objectId ?? null
}

/** Evaluates an expression in the main world; returns JSON text. */
export async function evaluateInPage(session: CdpSession, expression: string): Promise<string> {
  const { result } = await send(session, { expression, returnByValue: true, awaitPromise: true, userGesture: false })
  return result.unserializableValue ?? JSON.stringify(result.value) ?? 'undefined'
}

async function send(session: CdpSession, params: Params<'Runtime.evaluate'>) {
  const answer = await session.send('Runtime.evaluate', params).catch((error: Error) => {
    // "Cannot find context", "uniqueContextId not found", "Execution context was destroyed", "Inspected target navigated or closed"
    if (!(error instanceof PagehandError) && /context|navigated/i.test(error.message)) throw new DocumentGoneError()
    throw error
  })
  const thrown = answer.exceptionDetails
  // the description of an Error is its stack; other values have none
  if (thrown) throw new Error(thrown.exception?.description ?? `${thrown.text} ${thrown.exception?.value ?? ''}`)
  return answer
}

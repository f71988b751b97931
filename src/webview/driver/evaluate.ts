import { getScript, type SealOptions } from '../expressions.ts'
import { now, pause, type TimeLimit, withinLimit } from './clock.ts'
import type { ScriptHost } from './host.ts'

type Response = { readonly ok: boolean; readonly error?: { readonly code: string } }
type Evaluate = <T extends Response>(
  expression: (options: SealOptions) => string,
  parse: (json: unknown) => T,
  limit: TimeLimit,
) => Promise<T>

/** Evaluates expressions in the page, and injects the script into a document that does not have it yet. */
export interface PageEvaluator {
  /** for actions: an expression that fails is not evaluated again */
  readonly once: Evaluate
  /** for reads: evaluating fails during a navigation, so it is repeated until the time is up */
  readonly untilAnswered: Evaluate
}

export function createEvaluator(host: ScriptHost, pollMs: number, options: SealOptions): PageEvaluator {
  const once: Evaluate = async (expression, parse, total) => {
    const limit = { ...total, deadline: Math.min(total.deadline, now() + (total.evaluateMs ?? Infinity)) }
    const evaluate = async () => parse(await withinLimit(host.evaluate(expression(options)), limit))
    const response = await evaluate()
    if (response.ok || response.error?.code !== 'not_injected') return response
    // if the page has locked its own object there, the second response is not_injected again
    await withinLimit(host.evaluate(`${getScript(options)};0`), limit)
    return evaluate()
  }
  const untilAnswered: Evaluate = async (expression, parse, limit) => {
    for (;;)
      try {
        return await once(expression, parse, limit)
      } catch (error) {
        if (!(error instanceof Error)) throw error // interrupted
        await pause(pollMs, limit)
      }
  }
  return { once, untilAnswered }
}

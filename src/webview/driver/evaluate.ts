import { getScript, type Sealed } from '../expressions.ts'
import { type Limits, pause, within } from './clock.ts'
import type { ScriptHost } from './host.ts'

type Answer = { readonly ok: boolean; readonly error?: { readonly code: string } }
type Asking = <T extends Answer>(expression: (sealed: Sealed) => string, parse: (json: unknown) => T, limits: Limits) => Promise<T>

/** Asks the page; the script is put into a new document when it is first missed there. */
export interface Ask {
  /** for what acts: it is never tried twice */
  readonly once: Asking
  /** for what only looks: while one page makes way for the next, evaluating fails, so it is tried again until time is up */
  readonly patiently: Asking
}

export function createAsk(host: ScriptHost, pollMs: number, sealed: Sealed): Ask {
  const once: Asking = async (expression, parse, limits) => {
    const ask = async () => parse(await within(host.evaluate(expression(sealed)), limits))
    const answer = await ask()
    if (answer.ok || answer.error?.code !== 'not_injected') return answer
    // a page that makes its own object there has it locked; then the second answer says so again
    await within(host.evaluate(`${getScript(sealed)};0`), limits)
    return ask()
  }
  const patiently: Asking = async (expression, parse, limits) => {
    for (;;)
      try {
        return await once(expression, parse, limits)
      } catch (error) {
        if (!(error instanceof Error)) throw error // time is up, or the caller said stop
        await pause(pollMs, limits)
      }
  }
  return { once, patiently }
}

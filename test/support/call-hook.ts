import type { Chromium } from '../../src/drivers/cdp/browser/launch.ts'
import type { CdpConnection } from '../../src/drivers/cdp/connection/connection.ts'

/** A call that a session sends to the browser. */
export interface HookedCall {
  readonly method: string
  readonly sessionId: string | undefined
  /** of all calls since the hook was set, starting with 1 */
  readonly number: number
}

export interface HookedBrowser {
  readonly browser: Chromium
  /** the connection without the hook */
  readonly connection: CdpConnection
  /** Runs before each call from now on; what it throws is the answer. Returns the number of calls so far when it is called. */
  hook(before: (call: HookedCall) => unknown): () => number
}

/** A browser whose calls can be held up, or answered with an error. */
export function hookCalls(browser: Chromium): HookedBrowser {
  const { connection } = browser
  let before: (call: HookedCall) => unknown = () => {}
  let count = 0
  const send: CdpConnection['send'] = async (method, params, sessionId) => {
    await before({ method, sessionId, number: ++count })
    return connection.send(method, params, sessionId)
  }
  return {
    browser: { ...browser, connection: { ...connection, send } },
    connection,
    hook(given) {
      count = 0
      before = given
      return () => count
    },
  }
}

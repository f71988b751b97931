import type { AnyRun } from '../src/contract/run.ts'
import { type ActionKind, AgentBrowser } from '../src/index.ts'
import { openCdpPage } from '../test/support/cdp-page.ts'
import { openPage } from '../test/support/open-page.ts'
import { scriptActions } from '../test/support/script-actions.ts'

/** An open page and a way to act on it. */
export interface AppPage {
  ref(query: string): Promise<string>
  /** the error code of a failed action, '' for success */
  act(ref: string, kind: ActionKind, payload?: object): Promise<string>
  /** evaluates in the main world of the page */
  evaluate(expression: string): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

export type Driver = 'script' | 'cdp'
type Files = Readonly<Record<string, string>>

/** Synthetic input of the script in any WebView, and trusted input of a browser session. */
export const drivers: { readonly [driver in Driver]: (html: string, files: Files) => Promise<AppPage> } = {
  async script(html, files) {
    const page = await openPage({ html, files, atDocumentStart: AgentBrowser.getScript() })
    const actions = scriptActions(expression => page.evaluate<string>(expression))
    await actions.settle()
    return {
      ref: actions.ref,
      async act(ref, kind, payload) {
        let result = await actions.act(ref, kind, payload as never)
        // the first call opens a closed list and says so
        if (!result.ok && kind === 'select' && result.error.opened) result = await actions.act(ref, kind, payload as never)
        if (!result.ok) return result.error.code
        return result.settle?.committed === false ? 'not_committed' : ''
      },
      evaluate: expression => page.evaluate<string>(expression),
      [Symbol.asyncDispose]: () => page.close(),
    }
  },
  async cdp(html, files) {
    const page = await openCdpPage(html, { files })
    return {
      ref: page.ref,
      async act(ref, kind, payload) {
        const name = kind === 'scroll_into_view' ? 'scrollIntoView' : kind
        const run: AnyRun = page.session.run
        const result = await run({ name, ref, ...payload })
        return result.ok ? '' : result.error.code
      },
      evaluate: expression => page.evaluate<string>(expression),
      [Symbol.asyncDispose]: () => page[Symbol.asyncDispose](),
    }
  },
}

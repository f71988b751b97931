import { openSession } from '../src/browser.ts'
import { type ActionKind, AgentBrowser } from '../src/index.ts'
import { ground, openPage } from '../test/support/chromium.ts'
import { hands, refOf } from '../test/support/hands.ts'

/** A page and hands on it. */
export interface Opened {
  find(what: string): Promise<string>
  /** why it was not done; '' when it was */
  act(ref: string, kind: ActionKind, payload?: object): Promise<string>
  /** in the page's own world */
  evaluate(expression: string): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

export type Way = 'injected' | 'trusted'
type Files = Readonly<Record<string, string>>

/** The two kinds of hands: those of the script in any WebView, and those of the browser itself. */
export const ways: { readonly [way in Way]: (html: string, files: Files) => Promise<Opened> } = {
  async injected(html, files) {
    const page = await openPage({ html, files, atDocumentStart: AgentBrowser.getScript() })
    const on = hands(expression => page.evaluate<string>(expression))
    await on.rest()
    return {
      find: on.find,
      async act(ref, kind, payload) {
        let answer = await on.act(ref, kind, payload as never)
        // a closed list is opened by the first call, which says so
        if (!answer.ok && kind === 'select' && /choose again/.test(answer.error.message)) answer = await on.act(ref, kind, payload as never)
        if (!answer.ok) return answer.error.code
        return answer.rest?.committed === false ? 'not_committed' : ''
      },
      evaluate: expression => page.evaluate<string>(expression),
      [Symbol.asyncDispose]: () => page.close(),
    }
  },
  async trusted(html, files) {
    const { chromium, site } = await ground()
    const folder = site.add({ '': html, ...files })
    const session = await openSession({ browser: chromium, allowEval: true })
    const run = async (name: string, args: object = {}) => {
      const result = await session.run({ name, ...args })
      if (!result.ok) throw new Error(`${name}: ${result.error.code}`)
      return result.data
    }
    await run('open', { url: folder.url })
    return {
      async find(what) {
        const snapshot = AgentBrowser.parseSnapshot(JSON.stringify(await run('snapshot')))
        if (!snapshot.ok) throw new Error(snapshot.error.code)
        return refOf(snapshot, what)
      },
      async act(ref, kind, payload) {
        const result = await session.run({ name: kind === 'scroll_into_view' ? 'scrollIntoView' : kind, ref, ...payload })
        return result.ok ? '' : result.error.code
      },
      evaluate: async js => JSON.parse(((await run('evaluate', { js, limitChars: 100_000 })) as { value: string }).value),
      async [Symbol.asyncDispose]() {
        folder.remove()
        await session.close()
      },
    }
  },
}

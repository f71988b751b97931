import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSession, type Session, type SessionOptions } from '../../src/browser.ts'
import { relayFolder } from '../../src/home/relay-address.ts'
import { type RelayServer, startRelay } from '../../src/relay/server.ts'
import { type ExtensionBrowser, type ExtensionBrowserOptions, startExtensionBrowser, type UserTab } from './extension-browser.ts'
import { sendHtml, serve } from './http-server.ts'
import { until } from './processes.ts'
import type { TestSession } from './test-session.ts'

/** how long a tab is idle before the debugger is detached from it */
const idleMs = 400

/** A user who lends tabs of a browser with the extension, a relay, and the sessions that use it. */
export interface Lending {
  readonly env: { readonly PAGEHAND_HOME: string }
  browser: ExtensionBrowser
  relay: RelayServer
  /** the site of the tabs */
  readonly url: string
  /** Opens a session through the relay. */
  open(client?: string, options?: SessionOptions): Promise<Session>
  /** Opens a tab as the user does, and lends it. */
  lend(path: string): Promise<UserTab>
  find(tab: UserTab): Promise<UserTab | undefined>
  /** the paths of the tabs that a session lists */
  listed(session: TestSession): Promise<string[]>
  restartRelay(): Promise<void>
  /** Closes all sessions, and takes all tabs back. */
  end(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

interface LendingOptions extends ExtensionBrowserOptions {
  /** all pages of the site */
  readonly html?: string
}

export async function startLending({ html, ...options }: LendingOptions = {}): Promise<Lending> {
  const env = { PAGEHAND_HOME: await mkdtemp(join(tmpdir(), 'pagehand-relay-')) }
  const server = await serve((request, response) => {
    const port = (request.headers.host ?? '').split(':')[1]
    if (request.url?.startsWith('/never')) return // no answer
    if (html !== undefined) return sendHtml(html)(request, response)
    // each frame is of another site than the page around it
    const inner = { '/frames': 'localhost', '/nested': 'localhost', '/inner-of-/nested': '127.0.0.1' }[request.url ?? '']
    const frame = inner ? `<iframe src="http://${inner}:${port}/inner-of-${request.url}"></iframe>` : ''
    const late = request.url?.startsWith('/slow') ? `<button onclick="fetch('/never')">Wait</button>` : ''
    sendHtml(`<title>page ${request.url}</title><button onclick="document.title += ' clicked'">Go</button>
      <button onclick="window.open('/popup')">Pop up</button><a href="http://localhost:${port}/other-site">Other site</a>
      <button onclick="document.title += ' counted'">Count</button><form action="/sent"><button>Send order</button></form>${late}${frame}`)(
      request,
      response,
    )
  })
  const relay = await startRelay({ port: 0, idleMs, env })
  const browser = await startExtensionBrowser(options)
  await browser.pair(relay.status().code, relay.port)
  const sessions: Session[] = []

  const open: Lending['open'] = async (client = 'test', given = {}) => {
    const attach = { endpoint: relayFolder(env), client, env }
    const session = await openSession({ profile: 'chrome', attach, allowEval: true, ...given })
    sessions.push(session)
    return session
  }
  const lending: Lending = {
    env,
    browser,
    relay,
    url: server.url,
    open,
    async lend(path) {
      const tab = await lending.browser.openTab(`${server.url}${path}`)
      await lending.browser.lend(tab)
      await until(() => lending.relay.status().tabs.some(({ url }) => url === tab.url), { what: 'the lent tab' })
      return tab
    },
    find: async ({ targetId }) => (await lending.browser.tabs()).find(tab => tab.targetId === targetId),
    listed: async session => (await session.do('tabs', { operation: 'list' })).tabs.map(({ url }) => url.replace(server.url, '')),
    async restartRelay() {
      const { port } = lending.relay
      await lending.relay.close()
      lending.relay = await startRelay({ port, idleMs, env })
    },
    async end() {
      for (const session of sessions.splice(0)) await session.close()
      // a tab that is still lent is given back by the session that uses it
      if (lending.relay.status().tabs.length > 0) await (await open()).close()
      sessions.length = 0
      await until(() => lending.relay.status().tabs.length === 0, { what: 'the end of all lending' })
    },
    async [Symbol.asyncDispose]() {
      await lending.browser[Symbol.asyncDispose]()
      await lending.relay.close()
      await server[Symbol.asyncDispose]()
    },
  }
  return lending
}

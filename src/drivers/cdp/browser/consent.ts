// Chrome 144 and newer ask their user about every new connection. Sessions of one process therefore share one, and a question is never repeated.
import { quoted, say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import { withTimeout } from '../timeout.ts'
import { type ConnectedBrowser, connectTo } from './connect.ts'
import { type BrowserEndpoint, type ConnectOptions, findEndpoint } from './endpoint.ts'

interface SharedConnection {
  /** rejects if the user denies it */
  readonly opening: Promise<ConnectedBrowser>
  users: number
}
/** by endpoint, which is another one after the browser was started again */
const connections = new Map<string, SharedConnection>()

/** A connection for one session; `close` ends it unless another session uses it, or it is kept. */
export async function connectForSession(options: ConnectOptions): Promise<ConnectedBrowser> {
  const endpoint = await findEndpoint(options)
  return endpoint.asksUser ? share(endpoint, options) : connectTo(endpoint, options)
}

async function share(endpoint: BrowserEndpoint, options: ConnectOptions): Promise<ConnectedBrowser> {
  const { consentMs = 120_000, keepConnection = false } = options
  const { url } = endpoint
  const shared = connections.get(url) ?? ask(endpoint, options)
  connections.set(url, shared)
  shared.users++
  const release = () => {
    shared.users--
    if (shared.users > 0 || keepConnection) return
    if (connections.get(url) === shared) connections.delete(url)
    shared.opening.then(browser => browser.close()).catch(() => {}) // it was denied
  }
  try {
    const browser = await withTimeout(consentMs, shared.opening, () => {
      throw noAnswerError(url)
    })
    let isOpen = true
    const close = () => {
      if (isOpen) release()
      isOpen = false
    }
    return { ...browser, close, [Symbol.dispose]: close }
  } catch (error) {
    release()
    throw error
  }
}

/** Shows the dialog of the browser. A connection that is kept waits as long as the dialog is open: a second attempt would show another one. */
function ask(endpoint: BrowserEndpoint, options: ConnectOptions): SharedConnection {
  const opening = connectTo(endpoint, options.keepConnection ? { ...options, consentMs: 0 } : options)
  opening.then(
    ({ connection }) => connection.onDisconnect(() => connections.delete(endpoint.url)),
    () => {}, // reported to those who wait for it
  )
  return { opening, users: 0 }
}

const noAnswerError = (url: string) =>
  new PagehandError(
    'not_running',
    say`The browser at ${quoted(new URL(url).host)} asks its user to allow the connection, and there is no answer yet. Click Allow in its dialog, then try again.`,
  )

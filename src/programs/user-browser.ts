import { fileURLToPath } from 'node:url'
import { quoted, say } from '../contract/message.ts'
import { type ConnectOptions, findEndpoint } from '../drivers/cdp/browser/endpoint.ts'
import { PagehandError } from '../drivers/cdp/errors.ts'
import { relayFolder } from '../home/relay-address.ts'
import { findRelay, type RunningRelay, startRelayProcess } from '../relay/find-relay.ts'

/** Chrome starts a stopped extension at most every 30 s */
const extensionMs = 40_000

/**
 * How to reach the browser of the user for `--profile chrome`: through the extension, or through the default debugging port if the extension
 * was never paired and a browser listens there. Starts the relay if none is running.
 */
export async function userBrowser(client: string): Promise<ConnectOptions> {
  const running = await findRelay()
  if (!running?.status.isPaired && (await hasDebuggingPort())) return {}
  const relay = running ?? (await startRelayProcess(fileURLToPath(new URL('./cli-relay.js', import.meta.url))))
  if (!relay.status.isPaired) throw notPairedError(relay)
  await waitForExtension()
  return { endpoint: relayFolder(), client }
}

const hasDebuggingPort = (): Promise<boolean> =>
  findEndpoint({ timeoutMs: 1_000 }).then(
    () => true,
    () => false,
  )

async function waitForExtension(): Promise<void> {
  const start = performance.now()
  while ((await findRelay())?.status.browser === undefined) {
    if (performance.now() - start > extensionMs)
      throw new PagehandError(
        'browser_not_connected',
        say`Chrome does not answer. Start Chrome, or click the pagehand icon in its toolbar, and try again.`,
      )
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

const notPairedError = ({ status }: RunningRelay): PagehandError => {
  const folder = fileURLToPath(new URL('./extension/', import.meta.url))
  return new PagehandError(
    'browser_not_connected',
    say`Chrome is not paired with pagehand yet. In Chrome, open chrome://extensions, switch on Developer mode, choose Load unpacked and select ${quoted(folder, 500)}. Then click the pagehand icon, enter the code ${quoted(status.code)}, and try again.`,
  )
}

import { createCommandClient } from '../../../../src/wire/command-client.ts'
import type { BrowserCommandPart } from '../../../../src/wire/parts.ts'
import { client } from '../api/client.ts'
import { desktopBridge } from './desktop.ts'

const clients = new Map<string, (part: BrowserCommandPart) => Promise<void>>()

/**
 * Executes a command in the desktop app and reports its result; again if a resumed stream repeats the command. The app executes a command at
 * most once, also if this page was reloaded in between. A browser without the app ignores it.
 */
export const runBrowserCommand = async (sessionId: string, part: BrowserCommandPart): Promise<void> => {
  const desktop = await desktopBridge()
  if (desktop === undefined) return
  const execute =
    clients.get(sessionId) ??
    createCommandClient({
      sessionId,
      clientId: desktop.clientId,
      run: command => desktop.runBrowserCommand({ ...command, sessionId }),
      report: report => client.tab.reportBrowserCommandResult.mutate(report),
    })
  clients.set(sessionId, execute)
  // a result that cannot be reported now is reported when the stream is resumed: the server repeats commands without a result
  await execute(part).catch(() => undefined)
}

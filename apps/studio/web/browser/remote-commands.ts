import type { Result } from '../../../../src/contract/run.ts'
import { createCommandClient } from '../../../../src/wire/command-client.ts'
import type { BrowserCommandPart } from '../../../../src/wire/parts.ts'
import { client } from '../api/client.ts'
import { windowId } from '../api/window-id.ts'

/** What the desktop app offers to the page: it owns the tabs and executes commands in them. */
export interface DesktopBridge {
  readonly clientId: string
  runBrowserCommand(part: BrowserCommandPart): Promise<Result>
}

const key = 'pagehand-commands'
/** commands that this window received before it was reloaded: whatever became of them, they are not executed again */
const before: ReadonlySet<string> = new Set(JSON.parse(sessionStorage.getItem(key) ?? '[]'))
const received = new Set(before)
const clients = new Map<string, (part: BrowserCommandPart) => Promise<void>>()

/**
 * Executes a command in the desktop app, at most once, and reports its result; again if a resumed stream repeats the command. A browser
 * without the app ignores it, and so does a window that did not send the message.
 */
export const runBrowserCommand = async (sessionId: string, part: BrowserCommandPart): Promise<void> => {
  const desktop = window.pagehandDesktop
  if (desktop === undefined || part.viewKey !== windowId || before.has(part.commandId)) return
  received.add(part.commandId)
  sessionStorage.setItem(key, JSON.stringify([...received].slice(-500)))
  const execute =
    clients.get(sessionId) ??
    createCommandClient({
      sessionId,
      clientId: windowId,
      run: command => desktop.runBrowserCommand(command),
      report: report => client.tab.reportBrowserCommandResult.mutate(report),
    })
  clients.set(sessionId, execute)
  await execute(part)
}

import type { Result } from '../../../../src/contract/run.ts'
import type { BrowserCommandPart } from '../../../../src/wire/parts.ts'
import { client } from '../api/client.ts'

/** What the desktop app offers to the page: it owns the tabs and executes commands in them. */
interface DesktopBridge {
  readonly clientId: string
  runBrowserCommand(part: BrowserCommandPart): Promise<Result>
}
declare global {
  interface Window {
    readonly pagehandDesktop?: DesktopBridge
  }
}

const key = 'pagehand-commands'
// a stream that is resumed repeats its parts, and so does one that is resumed after a reload of the page
const executed = new Set<string>(JSON.parse(sessionStorage.getItem(key) ?? '[]'))

/** Executes a command in the desktop app, at most once, and reports its result. A browser without the app ignores it. */
export const runBrowserCommand = async (sessionId: string, part: BrowserCommandPart): Promise<void> => {
  const desktop = window.pagehandDesktop
  if (desktop === undefined || executed.has(part.commandId)) return
  executed.add(part.commandId)
  sessionStorage.setItem(key, JSON.stringify([...executed].slice(-500)))
  const result = await desktop.runBrowserCommand(part)
  await client.tab.reportBrowserCommandResult.mutate({
    sessionId,
    clientId: desktop.clientId,
    tabId: part.tabId,
    commandId: part.commandId,
    result,
  })
}

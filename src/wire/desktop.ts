// What a desktop application offers to the page of the studio, and nothing else: see apps/desktop.

import type { Result } from '../contract/run.ts'
import type { Box, LiveClientMessage, LiveServerMessage } from './live.ts'
import type { BrowserCommandPart } from './parts.ts'
import type { RemotePlace } from './remote-driver.ts'

/** The tab of a window that carries out the commands of a run; sent with the message that begins the run. */
export type BrowserPlace = Omit<RemotePlace, 'sessionId'>

/** A command with the chat that it belongs to. */
export interface DesktopCommand extends BrowserCommandPart {
  readonly sessionId: string
}

/** `window.pagehandDesktop` */
export interface DesktopBridge {
  readonly clientId: string
  /** Opens the browser of a chat, unless it is open, and returns the tab in front. */
  openBrowser(chatId: string): Promise<BrowserPlace>
  /** Carries out a command, once: the same id again gives the same result. */
  runBrowserCommand(command: DesktopCommand): Promise<Result>
  /** Call it when a run begins and ends. At the end, commands that are still being carried out are stopped. */
  setAgentWorking(chatId: string, isWorking: boolean): void
  /** Closes the tabs of a chat, with their cookies. */
  closeBrowser(chatId: string): void
  /** The messages of the live view, as over a WebSocket. */
  connectLive(chatId: string, onMessage: (message: LiveServerMessage) => void): DesktopLiveConnection
  /** Shows the tab of a chat at this place of the window, in CSS pixels; null: shows none. */
  placeBrowser(chatId: string, box: Box | null): void
}

export interface DesktopLiveConnection {
  send(message: LiveClientMessage): void
  close(): void
}

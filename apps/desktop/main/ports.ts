// The part of Electron that the app uses. electron.ts implements it; tests implement it with a real Chromium.
import type { Debugger } from 'pagehand/browser'
import type { Box } from 'pagehand/wire'
import type { TabPolicy } from './tab-policy.ts'

/** One web page in the window: in Electron, a WebContentsView. */
export interface TabView {
  readonly debugger: Debugger
  url(): string
  title(): string
  /** Shows the page at a place of the window. null: out of sight, where it goes on working at the same size. */
  place(box: Box | null): void
  close(): void
}

export interface TabViewEvents {
  /** The address or the title has changed. */
  changed(): void
  /** The page is gone: it closed itself, or the app closed it. */
  closed(): void
  /** Whether the page may open a window at this address. */
  allowsWindow(url: string): boolean
  /** The page has opened a window, which was allowed. Returns what the new view reports to. */
  windowOpened(view: TabView): TabViewEvents
}

export interface OpenTabOptions {
  /** Cookies and storage are shared within a partition, and with nothing else. */
  readonly partition: string
  readonly policy: TabPolicy
  readonly events: TabViewEvents
}

export interface TabHost {
  open(options: OpenTabOptions): Promise<TabView>
}

/** The sender of a message, as the browser process knows it. */
export interface IpcSender {
  /** whether it is in the view that shows the studio */
  readonly isStudioView: boolean
  readonly isMainFrame: boolean
  readonly origin: string
}

export interface Ipc {
  handle(channel: string, listener: (sender: IpcSender, ...given: unknown[]) => unknown): void
  /** Sends to the page of the studio. */
  send(channel: string, ...given: unknown[]): void
}

// Chromium, for Node.

// what goes wrong
export { PagehandError } from './contract/pagehand-error.ts'
// a browser that somebody else has started
export { type ConnectedBrowser, connect, connect as attach } from './drivers/cdp/browser/connect.ts'
export type { ConnectOptions } from './drivers/cdp/browser/endpoint.ts'
// which browser, and starting it
export { type BrowserExecutable, type FindBrowserOptions, findBrowser } from './drivers/cdp/browser/find.ts'
export { type Chromium, type LaunchOptions, launch } from './drivers/cdp/browser/launch.ts'
export type { CdpConnection } from './drivers/cdp/connection/connection.ts'
// a page in somebody else's window
export { type Debugger, debuggerConnection } from './drivers/cdp/connection/electron.ts'
// sessions: commands in, results out
export type { SessionOptions } from './drivers/cdp/options.ts'
export type { ConsoleEntry } from './drivers/cdp/page/console.ts'
export type { RequestEntry } from './drivers/cdp/page/network.ts'
// its tabs
export { openTarget, type PageTarget } from './drivers/cdp/page/target.ts'
export { openSession, type Session } from './drivers/cdp/session.ts'
export type { Download, DownloadRules } from './drivers/cdp/storage/downloads.ts'
export type { StorageState } from './drivers/cdp/storage/storage-state.ts'
// whose pages may be shown
export type { HostRules } from './policy/host-rules.ts'

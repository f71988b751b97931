// Chromium, for Node.

// whose pages may be shown
export type { HostRules } from './contract/hosts.ts'
// a browser that somebody else has started
export { type Attached, attach } from './drivers/cdp/attach.ts'
// a page in somebody else's window
export { type Debugger, debuggerPort } from './drivers/cdp/debugger.ts'
export type { Download, DownloadRules } from './drivers/cdp/downloads.ts'
export type { Attaching } from './drivers/cdp/endpoint.ts'
// what goes wrong
export { Failed } from './drivers/cdp/failed.ts'
// which browser, and starting it
export { type Finding, type Found, findBrowser } from './drivers/cdp/find.ts'
export { type Chromium, type Launching, launch } from './drivers/cdp/launch.ts'
export type { RequestLine } from './drivers/cdp/network.ts'
// sessions: commands in, results out
export type { SessionOptions } from './drivers/cdp/options.ts'
export type { LogLine } from './drivers/cdp/page-log.ts'
export type { Port } from './drivers/cdp/port.ts'
export { openSession, type Session } from './drivers/cdp/session.ts'
export type { StorageState } from './drivers/cdp/storage.ts'
// its tabs
export { openTab, type Tab } from './drivers/cdp/tab.ts'

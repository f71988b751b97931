// Chromium, for Node.

// devices to imitate
export type { DeviceName } from './contract/devices.ts'
export type { ConsoleEntry, RequestEntry } from './contract/page-log.ts'
// errors
export { PagehandError } from './contract/pagehand-error.ts'
// connect to a browser that is already running
export { type ConnectedBrowser, connect, connect as attach } from './drivers/cdp/browser/connect.ts'
export type { ConnectOptions } from './drivers/cdp/browser/endpoint.ts'
// find and launch a browser
export { type BrowserExecutable, type FindBrowserOptions, findBrowser } from './drivers/cdp/browser/find.ts'
export { type Chromium, type LaunchOptions, launch } from './drivers/cdp/browser/launch.ts'
export type { CdpConnection } from './drivers/cdp/connection/connection.ts'
// a page of an Electron window
export type { Debugger } from './drivers/cdp/connection/electron.ts'
// a proxy of the user
export type { ProxyOptions } from './drivers/cdp/egress/upstream.ts'
// a tab as people see and operate it
export type { LiveTabInfo } from './drivers/cdp/live/live-tabs.ts'
export type { LiveView } from './drivers/cdp/live/live-view.ts'
export type { PersonKeyEvent, PersonMouseEvent } from './drivers/cdp/live/person-input.ts'
export type { LiveFrame } from './drivers/cdp/live/screencast.ts'
// a window in which a person logs in
export { type LoginOptions, type LoginReport, type LoginWindow, openLogin } from './drivers/cdp/login.ts'
// sessions: commands in, results out
export type { SessionOptions } from './drivers/cdp/options.ts'
export type { ActionTarget } from './drivers/cdp/page/action-target.ts'
export { openSession, type Session } from './drivers/cdp/session.ts'
export type { Download, DownloadRules } from './drivers/cdp/storage/downloads.ts'
export { scopeStorageState } from './drivers/cdp/storage/storage-scope.ts'
export type { StorageState } from './drivers/cdp/storage/storage-state.ts'
// named secrets
export { secretsFromEnvironment, secretsFromFile } from './drivers/secret-sources.ts'
// which hosts a session may reach
export { type HostRules, parseHostRules } from './policy/host-rules.ts'
export { checkUrl, type UrlCheckResult, type UrlRules } from './policy/url-rules.ts'
export type { NamedSecret, NamedSecrets } from './secrets/named-secrets.ts'

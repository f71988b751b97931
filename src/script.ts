// Any WebView that can evaluate a string, as a driver.

export type { Command, Result, Run } from './contract/run.ts'
export type { NamedSecret, NamedSecrets } from './secrets/named-secrets.ts'
export { scriptDriver } from './webview/driver/driver.ts'
export type { ScriptHost, ScriptOptions } from './webview/driver/host.ts'

// Any WebView that can evaluate a string, as a driver.

export type { Command, Result, Run } from './contract/run.ts'
export { scriptDriver } from './drivers/script/driver.ts'
export type { ScriptHost, ScriptOptions } from './drivers/script/host.ts'

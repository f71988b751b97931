// The public entry pagehand/wire: what a server that runs agents and a page that shows them exchange.

// commands that another process carries out
export { type CommandClientOptions, createCommandClient } from './wire/command-client.ts'
export type * from './wire/desktop.ts'
export type * from './wire/live.ts'
export type * from './wire/parts.ts'
export { type StudioProblem, type StudioProblemCode, studioProblem, studioProblems } from './wire/problems.ts'
export { createRemoteDriver, type RemoteDriver, type RemoteDriverOptions, type RemotePlace } from './wire/remote-driver.ts'
export type * from './wire/studio-api.ts'

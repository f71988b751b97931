// The host library: pure, so that it runs in Node, a browser bundle, a worker, Hermes or Deno.

// what hands do, and what they answer
export {
  type ActionKind,
  type ActionPayloads,
  type ActionResult,
  type Effect,
  type PageInfo,
  type PageKind,
  type PageKinds,
  type PageResult,
  type QueryKind,
  type QueryResult,
  queryChars,
  queryKinds,
  type Settled,
  type WaitCheck,
  type WaitCondition,
} from './contract/acts.ts'
// what can go wrong
export { type Code, type Failure, failures } from './contract/failures.ts'
// how much text it may take
export {
  type Format,
  leastChars,
  mostChars,
  type RenderOptions,
  type RenderResult,
  type RenderStats,
  renderDefaults,
} from './contract/limits.ts'

// what a snapshot is
export type {
  Left,
  Meta,
  Reason,
  RefDetail,
  SnapshotError,
  SnapshotJson,
  SnapshotNode,
  SnapshotOptions,
  States,
  Stats,
} from './contract/snapshot.ts'
export { AgentBrowser } from './host/agent-browser.ts'
export { createSeal } from './host/seal.ts'
export type { DiffOptions, SnapshotDiff } from './render/diff.ts'
export type { ParsedNode, ParsedRef, ParsedSnapshot, ParseFailure } from './render/parse.ts'

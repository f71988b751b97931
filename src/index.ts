// The host library: pure, so that it runs in Node, a browser bundle, a worker, Hermes or Deno.

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
} from './contract/page-api.ts'

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
export type { ParsedNode, ParsedRef, ParsedSnapshot, ParseFailure } from './render/decode/snapshot.ts'
export type { DiffOptions, SnapshotDiff } from './render/diff/diff.ts'
export { AgentBrowser } from './webview/agent-browser.ts'
export { createSeal } from './webview/seal.ts'

// The host library: pure, so that it runs in Node, a browser bundle, a worker, Hermes or Deno.

// what can go wrong
export { type Failure, type FailureCode, failures } from './contract/failures.ts'
// how much text it may take
export {
  maxChars,
  minChars,
  type RenderOptions,
  type RenderResult,
  type RenderStats,
  renderDefaults,
  type SnapshotFormat,
} from './contract/limits.ts'
// what hands do, and what they answer
export {
  type ActionKind,
  type ActionPayloads,
  type ActionResult,
  type Effect,
  type PageInfo,
  type PageOperation,
  type PageOperations,
  type PageResult,
  type QueryKind,
  type QueryResult,
  queryKinds,
  queryLimits,
  type SettleReport,
  type WaitCheck,
  type WaitCondition,
} from './contract/page-api.ts'

export { normalizeRef } from './contract/refs.ts'
// what a snapshot is
export type {
  NodeStates,
  OmittedCounts,
  PageSnapshotOptions,
  PageSnapshotStats,
  RefDetail,
  Snapshot,
  SnapshotError,
  SnapshotMeta,
  SnapshotNode,
  TruncateReason,
} from './contract/snapshot.ts'
// the functions: one by one, and as an object
export { parseActionResult, parsePageResult, parseQueryResult } from './render/decode/answers.ts'
export type { ParsedNode, ParsedRef, ParsedSnapshot, ParseFailure } from './render/decode/snapshot.ts'
export { parseSnapshot } from './render/decode/snapshot.ts'
export type { DiffOptions, SnapshotDiff } from './render/diff/diff.ts'
export { diffSnapshots } from './render/diff/diff.ts'
export type { DiffEntry } from './render/diff/entries.ts'
export type { Dialect, Hints, OptionName, RefStyle } from './render/text/dialect.ts'
export { renderSnapshot } from './render/text/render.ts'
export { AgentBrowser } from './webview/agent-browser.ts'
export { actionJs, getScript, pageJs, queryJs, type SealOptions, snapshotJs } from './webview/expressions.ts'
export { createSeal } from './webview/seal.ts'

// Snapshots, reading and queries of a string of HTML, without a browser, the network or Node built-ins.

export { buildDocument, type SnapshotDocument } from './html/document.ts'
export { htmlDriver } from './html/driver.ts'
export { type SnapshotOptions, snapshotDefaults } from './html/options.ts'
export { query, queryRef, type RefQueryKind, type RefQueryResult } from './html/query.ts'
export { type ReadOptions, type ReadResult, read } from './html/read.ts'
export { type NodeRef, type SnapshotResult, type SnapshotStats, snapshot } from './html/snapshot.ts'

// The evidence of a run: what was asked, done and seen, in a folder that a person can open.

// reading
export { type Known, type LogEntry, type ReadLog, readLog } from './evidence/log.ts'
// writing
export { type EvidenceRecord, type RecordOptions, startRun } from './evidence/record.ts'
export { type ReportFiles, writeIndex, writeReport } from './evidence/runs.ts'
export type { RunOutcome, RunSummary } from './evidence/summary.ts'
export type { StepEvent } from './layers/evidence.ts'

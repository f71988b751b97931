// The evidence of a run: what was asked, done and seen, in a folder that a person can open.

// reading
export { type Known, type Logged, type ReadLog, readLog } from './evidence/log.ts'
// writing
export { type EvidenceRecord, openRecord, type RecordOptions } from './evidence/record.ts'
export { type Reported, writeIndex, writeReport } from './evidence/runs.ts'
export type { Ended, Summary } from './evidence/summary.ts'
export type { StepEvent } from './layers/evidence.ts'

// The evidence of a run: what was asked, done and seen, in a folder that a person can open.

export type { StepEvent } from './layers/evidence.ts'
// reading
export { type Known, type Logged, type ReadLog, readLog } from './surfaces/evidence/log.ts'
// writing
export { type EvidenceRecord, openRecord, type RecordOptions } from './surfaces/evidence/record.ts'
export { type Reported, writeIndex, writeReport } from './surfaces/evidence/shelf.ts'
export type { Ended, Summary } from './surfaces/evidence/summary.ts'

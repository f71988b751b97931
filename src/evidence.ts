// The public entry pagehand/evidence: records what an agent was asked, did and saw, in a folder that people can open.

// reading
export type { ActionSlot, LogContent, LogEntry, RunInfo, RunJournal, RunStore } from './contract/journal.ts'
// storing somewhere else
export { type ApprovalTexts, type RunRequests, requestsIn } from './evidence/approval-texts.ts'
export { continueJournal, type JournalStorage, startJournal } from './evidence/journal.ts'
export { type LineSink, type LogHead, lineFile, readLog } from './evidence/log.ts'
// writing
export { type EvidenceRecord, type RecordOptions, recordRun, resumeRun, startRun } from './evidence/record.ts'
export { fileRunStore, type RunStoreOptions } from './evidence/run-store.ts'
export { type ReportFiles, writeIndex, writeReport } from './evidence/runs.ts'
export { saveScreenshots } from './evidence/screenshots.ts'
export { type RunOutcome, type RunSummary, runFactsOf } from './evidence/summary.ts'
export type { StepEvent } from './layers/evidence.ts'

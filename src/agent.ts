// The public entry pagehand/agent: an agent for one goal in a browser. It needs the package `ai`, version 7.

export {
  type AgentApprovals,
  type AgentMessage,
  type AgentMetadata,
  type AgentRunResult,
  type AgentStream,
  type BrowserAgent,
  type BrowserAgentOptions,
  createBrowserAgent,
  type OutcomeCheck,
  type ResumeOptions,
  type RunSignals,
  resumeBrowserAgent,
} from './agent/browser-agent.ts'
export type { AgentLimits, PriceTable } from './agent/budget.ts'
export { charsOf, compactMessages } from './agent/compaction.ts'
export type { AgentDataParts } from './agent/data-parts.ts'
export { createMasterAgent, type MasterAgentOptions } from './agent/master-agent.ts'
export { resolveModel } from './agent/model.ts'
export { browserAgentPrompt, type PromptOptions } from './agent/prompt.ts'
export {
  formatRecording,
  parseRecording,
  type RecordedAction,
  type RecordedStep,
  type Recording,
  recordingOf,
} from './agent/recording.ts'
export { createRecorder, type Recorder } from './agent/recording-layer.ts'
export { type ReplayedStep, type ReplayOptions, type ReplayResult, replay } from './agent/recording-replay.ts'
export type { RecordedTarget } from './agent/recording-target.ts'
export { rulesModel } from './agent/rules-model.ts'
export { toSkill } from './agent/skill.ts'
export { type SubAgentResult, type SubAgentToolOptions, subAgentTool } from './agent/sub-agent.ts'
export type { AgentEvent, AgentUsage, StopReason } from './contract/agent-run.ts'
export type { StudioMessage } from './wire/studio-message.ts'

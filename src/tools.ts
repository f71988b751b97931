// The vocabularies: what a model is offered, on any Run.

// what a person is asked
export {
  type ApprovalPolicy,
  defaultRules,
  parseApprovalPolicy,
} from './approval/approval-policy.ts'
export { type ExplainOptions, type Explanation, explain } from './approval/explain.ts'
export { type GrantClause, parseGrantRule } from './approval/grant-rules.ts'
export { type ApprovalOptions, approvalLayer } from './approval/layer.ts'
export { approvePlan, type PlanOptions } from './approval/plan.ts'
export { needsApproval } from './approval/possible-classes.ts'
export { approvalHeadline } from './approval/question-words.ts'
export { retireRequests } from './approval/retire-requests.ts'
export type {
  ActionClass,
  ApprovalAnswer,
  ApprovalData,
  ApprovalDecision,
  ApprovalFile,
  ApprovalRecord,
  ApprovalRequest,
  ApprovalRule,
  ApprovalScope,
  Approve,
  Grant,
  GrantStore,
  RiskAssessment,
  RunPlan,
  StaleReason,
} from './contract/approval.ts'
export type { CommandInputs, DriverVerb } from './contract/command-inputs.generated.ts'
// verbs, and what they take
export { commands, derivedCommands, type ParsedCommand, type Risk, type VerbName, verbs } from './contract/commands.ts'
export { PagehandError } from './contract/pagehand-error.ts'
export { type ParseOptions, type ParseResult, parseCommand } from './contract/parse-command.ts'
export type { ActionData, CommandData, PageData, ScreenshotData, TabInfo } from './contract/results.ts'
export { type RiskReason, riskReasons } from './contract/risk-reasons.ts'
export { type AnyCommand, type AnyRun, type Command, type Layer, type Result, type Run, wrap } from './contract/run.ts'
export type { FormTarget, SentData, SentField, TargetFacts } from './contract/target.ts'
// the verbs as methods
export {
  type CallOptions,
  type CommandMethods,
  createMethods,
  type SnapshotText,
  type SnapshotTextOptions,
} from './layers/command-methods.ts'
// what is refused
export { limitsLayer, type RunLimits } from './layers/limits.ts'
export type { Policy, PolicyRules } from './policy/command-policy.ts'
// how an answer is worded
export { createDialect, type Dialect, type Hints, type OptionName, type RefStyle } from './render/text/dialect.ts'
export type { Answer, SavedScreenshot } from './surfaces/respond/answer.ts'
export type { ResponderOptions, RespondOptions } from './surfaces/respond/context.ts'
export { createResponder, type Responder } from './surfaces/respond/responder.ts'
// for other loops
export {
  type AiSdkTool,
  type AnthropicTool,
  type ChatTool,
  type ModelOutput,
  type ResponsesTool,
  toAiSdk,
  toAnthropic,
  toOpenAI,
} from './surfaces/tools/adapters.ts'
// the tools
export { agentToolList } from './surfaces/tools/agent-tool-list.ts'
export { type AgentData, type AgentResult, type AgentToolsOptions, agentTools } from './surfaces/tools/agent-tools.ts'
export { type BrowserHost, type BrowserStart, browserTool, browserToolList } from './surfaces/tools/browser-tool.ts'
export {
  type AiSdkMessage,
  type AiSdkToolMessage,
  type AnthropicMessage,
  type AnthropicToolMessage,
  type ChatMessage,
  type ChatToolMessage,
  executeToolCalls,
  type ResponsesItem,
  type ResponsesToolOutput,
} from './surfaces/tools/execute-tool-calls.ts'
export { createPolicy, parsePolicy } from './surfaces/tools/policy.ts'
export { agentPrompt, browserPrompt, promptVersion, systemPrompt } from './surfaces/tools/prompts.ts'
export { inputSchema, type Tool, type Toolbox, type ToolResult } from './surfaces/tools/tool.ts'
export { createToolApprovals, type ToolApprovalStatus, type ToolApprovals } from './surfaces/tools/tool-approval.ts'
export { type WebToolsOptions, webToolList, webTools } from './surfaces/tools/web-tools.ts'

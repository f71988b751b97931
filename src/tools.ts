// The vocabularies: what a model is offered, on any Run.

// verbs, and what they take
export { type Call, commands, type Risk, readings, type VerbName, verbs } from './contract/commands.ts'
export { parseCommand } from './contract/parse-command.ts'
export type { Acted, Data, Picture, Seen, TabInfo } from './contract/results.ts'
export { type Command, type Layer, type Result, type Run, wrap } from './contract/run.ts'
export { keepPictures } from './evidence/screenshots.ts'
// what is refused
export type { Policy, Rules } from './policy/command-policy.ts'
export { type Answer, type Kept, type Saying, type Talk, type Talking, talk } from './surfaces/respond/responder.ts'
// for other loops
export { type AiSdkTool, type ChatTool, type ResponsesTool, toAiSdk, toOpenAI } from './surfaces/tools/adapters.ts'
// the tools
export { type AgentData, type AgentResult, agentToolList, agentTools } from './surfaces/tools/agent-tools.ts'
export { type BrowserHost, browserTool, browserToolList, type Started } from './surfaces/tools/browser-tool.ts'
export { policy, policyFrom } from './surfaces/tools/policy.ts'
export { agentPrompt, browserPrompt, promptVersion, systemPrompt } from './surfaces/tools/prompts.ts'
export { inputSchema, type Tool, type Toolbox, type ToolResult } from './surfaces/tools/tool.ts'
export { type WebToolsOptions, webToolList, webTools } from './surfaces/tools/web-tools.ts'

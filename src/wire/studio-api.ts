// What the tRPC router of the studio takes and returns.

import type {
  ApprovalPart,
  ApprovalScope,
  BrowserEventPart,
  GrantClause,
  HandoffPart,
  RunState,
  RunUsage,
  RunUsageLimits,
} from './parts.ts'
import type { StudioProblem } from './problems.ts'

export interface StudioMetadata {
  readonly createdAt?: string
  readonly error?: StudioProblem
}

export interface ChatSummary {
  readonly id: string
  readonly title: string
  readonly updatedAt: string
  readonly state: 'idle' | 'running' | 'waiting'
}
export interface Chat extends ChatSummary {
  readonly messages: readonly ChatMessage[]
}
/** A message as the AI SDK stores it (`StudioMessage` of pagehand/agent), without the types of that SDK. */
export interface ChatMessage {
  readonly id: string
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly { readonly type: string; readonly [field: string]: unknown }[]
}

export interface RunListItem {
  readonly id: string
  readonly chatId: string
  readonly goal: string
  readonly state: RunState
  readonly stopReason?: string
  readonly startedAt: string
  readonly endedAt?: string
  readonly steps: number
}
export interface RunDetail extends RunListItem {
  readonly summary?: string
  readonly events: readonly BrowserEventPart[]
  readonly usage: RunUsage
  readonly limits: RunUsageLimits
}

export interface WaitingList {
  readonly approvals: readonly ApprovalPart[]
  readonly handoffs: readonly WaitingHandoff[]
}

export interface WaitingHandoff extends Pick<HandoffPart, 'runId' | 'reason' | 'kind'> {
  readonly chatId: string
  readonly goal: string
}

export interface ApprovalAnswer {
  readonly id: string
  readonly approved: boolean
  readonly scope: ApprovalScope
  readonly reason?: string
}

export interface Grant {
  readonly id: string
  /** the exact rule, such as: allow submit on https://shop.example */
  readonly rule: string
  readonly clauses?: readonly GrantClause[]
  readonly scope: ApprovalScope
  readonly createdAt: string
}

export interface StudioSettings {
  /** `auto` for the model of the command line or the environment, `rules` for the built-in rules without a model, or provider/model */
  readonly model: string
  readonly limits: RunUsageLimits
  /** the rule of every class of actions; a change names those that it sets */
  readonly policy: { readonly [actionClass: string]: 'allow' | 'ask' | 'deny' }
  /** hosts that may be opened; empty: all public hosts */
  readonly allowedHosts: readonly string[]
  readonly language: 'auto' | 'en' | 'zh-CN'
  readonly theme: 'system' | 'light' | 'dark'
}

export interface StudioInfo {
  readonly version: string
  readonly drive: 'local' | 'remote'
  /** the model that the next run will use, and whether it is an AI at all */
  readonly model: { readonly id: string; readonly isAi: boolean }
  readonly secretNames: readonly string[]
  /** the goal of the demo, and the address of its shop */
  readonly demo?: { readonly goal: string; readonly url: string }
  readonly dataFolder: string
  readonly database: StudioDatabase
}

/** The database of the studio, without what is needed to log in. */
export type StudioDatabase =
  | { readonly kind: 'embedded'; readonly folder: string }
  | { readonly kind: 'postgresql'; readonly host: string; readonly name: string }

// The procedures of the router, `q` for queries and `m` for mutations:
//
//   q info -> StudioInfo
//   q chat.list -> ChatSummary[]              m chat.create -> { id }
//   q chat.get { id } -> Chat                 m chat.rename { id, title }     m chat.remove { id }
//   q run.list { search?, limit? } -> RunListItem[]
//   q run.get { id } -> RunDetail             m run.stop { runId? , chatId? } -> { stopped: string[] }
//   m run.handBack { runId }                  q waiting -> WaitingList
//   m approval.decide ApprovalAnswer -> { outcome: 'decided' | 'already_decided' | 'unknown', approval: ApprovalPart }
//   q grants.list -> Grant[]                  m grants.revoke { id }
//   q settings.get -> StudioSettings          m settings.set Partial<StudioSettings> -> StudioSettings
//   m tab.reportBrowserCommandResult BrowserCommandReport -> { accepted: boolean }
//   m tab.upsertSnapshot { sessionId, tabId, text }   q tab.getSnapshot { sessionId, tabId } -> { text, at } | null
//
// Other routes: POST /api/auth { token }; GET /api/runs/RUN/files/FILE; GET /api/runs/RUN/replay.html; WebSocket /api/live/CHAT;
// WebSocket /api/chat/socket in the protocol of the AI SDK's WebSocketChatTransport, with the body { id, message }; the same for programs:
// POST /api/chat { id, message } -> SSE, and GET /api/chat/ID/stream -> SSE or 204.

// The router of the studio as its page sees it: types only, from the contract in src/wire, so that the page needs nothing of the server.
import type { TRPCBuiltRouter, TRPCDefaultErrorShape, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server'
import type { ApprovalPart, BrowserCommandReport } from '../../../../src/wire/parts.ts'
import type {
  ApprovalAnswer,
  Chat,
  ChatSummary,
  Grant,
  RunDetail,
  RunListItem,
  StudioInfo,
  StudioSettings,
  WaitingList,
} from '../../../../src/wire/studio-api.ts'

type Query<Input, Output> = TRPCQueryProcedure<{ meta: object; input: Input; output: Output }>
type Mutation<Input, Output> = TRPCMutationProcedure<{ meta: object; input: Input; output: Output }>

export type StudioRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: TRPCDefaultErrorShape; transformer: false },
  {
    info: Query<void, StudioInfo>
    waiting: Query<void, WaitingList>
    chat: {
      list: Query<void, ChatSummary[]>
      get: Query<{ id: string }, Chat>
      create: Mutation<void, { id: string }>
      rename: Mutation<{ id: string; title: string }, unknown>
      remove: Mutation<{ id: string }, unknown>
    }
    run: {
      list: Query<{ search?: string; limit?: number }, RunListItem[]>
      get: Query<{ id: string }, RunDetail>
      stop: Mutation<{ runId?: string; chatId?: string }, { stopped: string[] }>
      handBack: Mutation<{ runId: string }, unknown>
    }
    approval: {
      decide: Mutation<ApprovalAnswer, { outcome: 'decided' | 'already_decided' | 'unknown'; approval: ApprovalPart | null }>
    }
    grants: { list: Query<void, Grant[]>; revoke: Mutation<{ id: string }, unknown> }
    settings: { get: Query<void, StudioSettings>; set: Mutation<Partial<StudioSettings>, StudioSettings> }
    tab: {
      reportBrowserCommandResult: Mutation<BrowserCommandReport, { accepted: boolean }>
      upsertSnapshot: Mutation<{ sessionId: string; tabId: string; text: string }, unknown>
      getSnapshot: Query<{ sessionId: string; tabId: string }, { text: string; at: string } | null>
    }
  }
>

import { AuiIf, MessagePrimitive } from '@assistant-ui/react'
import { Brain, OctagonX } from 'lucide-react'
import type { ApprovalPart, HandoffPart, ManualStopPart, StoredFilePart, SubAgentRunPart } from '../../../../src/wire/parts.ts'
import { ApprovalCard } from '../approvals/approval-card.tsx'
import { HandoffCard } from '../approvals/handoff-card.tsx'
import { useMessages } from '../messages/language.tsx'
import { RunCard } from '../timeline/run-card.tsx'
import { AnswerText } from './answer-text.tsx'
import { useStudioChat } from './chat-context.ts'
import { FileChip } from './file-chip.tsx'

const ManualStop = ({ part }: { part: ManualStopPart }) => {
  const { chat } = useMessages()
  return (
    <p className="flex items-center gap-1.5 text-[0.8125rem] text-muted">
      <OctagonX className="size-3.5" aria-hidden />
      {chat.stopped(part.by)}
    </p>
  )
}

const Reasoning = ({ text }: { text: string }) => {
  const { chat } = useMessages()
  if (text.trim() === '') return null
  return (
    <details className="text-[0.8125rem] text-muted">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 text-faint hover:text-ink">
        <Brain className="size-3.5" aria-hidden />
        {chat.reasoning}
      </summary>
      <p className="mt-1 border-l-2 pl-3 whitespace-pre-wrap">{text}</p>
    </details>
  )
}

const DataPart = ({ name, data }: { name: string; data: unknown }) => {
  const { approval } = useStudioChat()
  switch (name) {
    case 'sub-agent-run':
      return <RunCard runId={(data as SubAgentRunPart).runId} />
    case 'approval':
      return <ApprovalCard approval={approval((data as ApprovalPart).id) ?? (data as ApprovalPart)} />
    case 'handoff':
      return <HandoffCard handoff={data as HandoffPart} />
    case 'stored-file':
      return <FileChip file={data as StoredFilePart} />
    case 'manual-stop':
      return <ManualStop part={data as ManualStopPart} />
    default:
      // steps are shown by the card of their run, commands and tabs by the browser panel
      return null
  }
}

export const AssistantMessage = () => {
  const { chat } = useMessages()
  const { reconnecting } = useStudioChat()
  return (
    <MessagePrimitive.Root className="flex flex-col gap-3">
      <h2 className="sr-only">{chat.agent}</h2>
      <MessagePrimitive.Parts>
        {({ part }) => {
          if (part.type === 'text') return <AnswerText text={part.text} running={part.status?.type === 'running'} />
          if (part.type === 'reasoning') return <Reasoning text={part.text} />
          if (part.type === 'data') return <DataPart name={part.name} data={part.data} />
          return null
        }}
      </MessagePrimitive.Parts>
      <AuiIf condition={state => state.message.status?.type === 'running' && state.message.content.length === 0}>
        <p role="status" className="animate-breathe text-[0.8125rem] text-muted">
          {chat.thinking}
        </p>
      </AuiIf>
      {/* a stream that was cut has not failed: the run goes on */}
      {reconnecting ? null : (
        <MessagePrimitive.Error>
          <p className="rounded-lg bg-bad-soft px-3 py-2 text-[0.8125rem] text-bad">{chat.error}</p>
        </MessagePrimitive.Error>
      )}
    </MessagePrimitive.Root>
  )
}

import { AuiIf, ThreadPrimitive } from '@assistant-ui/react'
import { ArrowDown, CircleAlert } from 'lucide-react'
import { useMessages } from '../messages/language.tsx'
import { errorWords } from '../shell/error-words.ts'
import { Spinner } from '../shell/states.tsx'
import { AssistantMessage } from './assistant-message.tsx'
import { useStudioChat } from './chat-context.ts'
import { Composer } from './composer.tsx'
import { EmptyThread } from './empty-thread.tsx'
import { UserMessage } from './user-message.tsx'

const StreamNotice = () => {
  const messages = useMessages()
  const { reconnecting, error } = useStudioChat()
  return (
    <div role="status" className="empty:hidden">
      {reconnecting ? (
        <p className="flex items-center gap-2 text-[0.8125rem] text-warn">
          <Spinner className="size-3.5" />
          {messages.connection.streamCut}
        </p>
      ) : error === undefined ? null : (
        <p className="flex items-start gap-2 rounded-lg bg-bad-soft px-3 py-2 text-[0.8125rem] text-bad">
          <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          <span>
            {messages.chat.error}: {errorWords(error, messages)}
          </span>
        </p>
      )}
    </div>
  )
}

export const Thread = () => {
  const messages = useMessages()
  const { busy } = useStudioChat()
  return (
    <ThreadPrimitive.Root className="flex h-full flex-col bg-surface">
      <ThreadPrimitive.Viewport className="relative min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
        <AuiIf condition={state => state.thread.messages.length === 0}>
          <EmptyThread />
        </AuiIf>
        <div className="mx-auto flex w-full max-w-2xl flex-col gap-5 px-4 py-5 empty:hidden" role="log" aria-busy={busy}>
          <ThreadPrimitive.Messages components={{ UserMessage, AssistantMessage }} />
          <StreamNotice />
        </div>
        <AuiIf condition={state => state.thread.messages.length > 0}>
          <div className="pointer-events-none sticky bottom-2 flex justify-center">
            <ThreadPrimitive.ScrollToBottom
              aria-label={messages.chat.scrollDown}
              title={messages.chat.scrollDown}
              className="pointer-events-auto grid size-8 place-items-center rounded-full border bg-raised text-muted shadow-card hover:text-ink disabled:invisible"
            >
              <ArrowDown className="size-4" />
            </ThreadPrimitive.ScrollToBottom>
          </div>
        </AuiIf>
      </ThreadPrimitive.Viewport>
      <Composer />
    </ThreadPrimitive.Root>
  )
}

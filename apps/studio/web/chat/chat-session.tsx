import { useChat } from '@ai-sdk/react'
import { AssistantRuntimeProvider } from '@assistant-ui/react'
import { useAISDKRuntime } from '@assistant-ui/react-ai-sdk'
import { WebSocketChatTransport } from 'ai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ApprovalPart } from '../../../../src/wire/parts.ts'
import type { StudioMessage } from '../../../../src/wire/studio-message.ts'
import { api, client, queries } from '../api/client.ts'
import { desktopBridge } from '../browser/desktop.ts'
import { LiveProvider } from '../browser/live-context.tsx'
import { runBrowserCommand } from '../browser/remote-commands.ts'
import { useMessages } from '../messages/language.tsx'
import { toast, toastError } from '../shell/toast.tsx'
import { useAttachments } from './attachments.ts'
import { ChatContext, type ChatContextValue } from './chat-context.ts'
import { ChatPanels } from './chat-panels.tsx'
import { activeRunOf, approvalsOf, hasBrowser, runsOf } from './conversation.ts'
import { toMessageParts, usePicks } from './picks.ts'
import { useStreamRecovery } from './stream-recovery.ts'

interface ChatSessionProps {
  sessionKey: string
  /** undefined until the first message was sent */
  chatId: string | undefined
  initial: readonly StudioMessage[]
  onCreated: (id: string) => void
}

/** How long the end of a stopped run may take until this window stops listening. */
const maxStopMs = 1_000

export const ChatSession = ({ sessionKey, chatId, initial, onCreated }: ChatSessionProps) => {
  const messages = useMessages()
  const picks = usePicks()
  const known = useRef(chatId)
  if (chatId !== undefined) known.current = chatId

  const creating = useRef<Promise<string> | undefined>(undefined)
  /** the id of the chat, which it gets with its first message or file */
  const created = useCallback(async () => {
    if (known.current !== undefined) return known.current
    creating.current ??= client.chat.create.mutate().then(({ id }) => {
      known.current = id
      onCreated(id)
      void queries.invalidateQueries(api.chat.list.queryFilter())
      return id
    })
    return creating.current.finally(() => {
      creating.current = undefined
    })
  }, [onCreated])
  const attachments = useAttachments(created, toastError(messages))

  const transport = useMemo(
    () =>
      new WebSocketChatTransport<StudioMessage>({
        url: '/api/chat/socket',
        prepareSendMessagesRequest: async ({ messages: all }) => {
          const id = await created()
          const desktop = await desktopBridge()
          const browser = await desktop?.openBrowser(id)
          return { messages: [], body: { id, message: all.at(-1), browser } }
        },
        prepareReconnectToStreamRequest: () => ({ body: { id: known.current } }),
      }),
    [created],
  )
  useEffect(() => () => transport.close(), [transport])

  const chat = useChat<StudioMessage>({
    id: sessionKey,
    messages: [...initial],
    transport,
    resume: chatId !== undefined,
    throttle: 50,
    onData: part => {
      if (part.type === 'data-browser-command' && known.current !== undefined) void runBrowserCommand(known.current, part.data)
      if (part.type === 'data-approval' || part.type === 'data-handoff') void queries.invalidateQueries(api.waiting.queryFilter())
    },
    onFinish: () => {
      void queries.invalidateQueries(api.chat.list.queryFilter())
      void queries.invalidateQueries(api.waiting.queryFilter())
    },
  })
  const runtime = useAISDKRuntime(chat, {
    cancelPendingToolCallsOnSend: false,
    toCreateMessage: message =>
      ({ role: 'user', parts: toMessageParts(message, { picks: picks.take(), files: attachments.take() }) }) as never,
  })
  const recovery = useStreamRecovery(chat, chatId)

  const [decided, setDecided] = useState<ReadonlyMap<string, ApprovalPart>>(new Map())
  const runs = useMemo(() => runsOf(chat.messages), [chat.messages])
  const approvals = useMemo(() => approvalsOf(chat.messages), [chat.messages])
  const [stopping, setStopping] = useState(false)

  const stop = async () => {
    if (known.current === undefined) return chat.stop()
    setStopping(true)
    try {
      // the server ends the run, whichever window started it; closing the request alone would not
      const { stopped } = await client.run.stop.mutate({ chatId: known.current })
      await Promise.race([recovery.idle(), new Promise(resolve => setTimeout(resolve, maxStopMs))])
      await chat.stop()
      await recovery.reload()
      void toast(stopped.length > 0 ? messages.run.stoppedNow : messages.run.nothingToStop)
    } catch (error) {
      toastError(messages)(error)
    } finally {
      setStopping(false)
      void queries.invalidateQueries(api.waiting.queryFilter())
    }
  }

  const activeRun = activeRunOf(runs)
  const busy = chat.status === 'submitted' || chat.status === 'streaming' || activeRun !== undefined
  useEffect(() => {
    if (chatId !== undefined) void desktopBridge().then(desktop => desktop?.setAgentWorking(chatId, busy))
  }, [chatId, busy])
  const value: ChatContextValue = {
    chatId,
    runs,
    activeRun,
    busy,
    hasBrowser: hasBrowser(chat.messages),
    reconnecting: recovery.reconnecting,
    error: recovery.reconnecting ? undefined : chat.error,
    stopping,
    stop,
    send: text => void chat.sendMessage({ text }),
    approval: id => {
      const part = approvals.get(id)
      return part?.state === 'pending' ? (decided.get(id) ?? part) : part
    },
    noteDecided: approval => setDecided(before => new Map(before).set(approval.id, approval)),
    attachments,
    picks: {
      list: picks.list,
      setNote: picks.setNote,
      remove: picks.remove,
      add: picked => {
        const number = picks.add(picked)
        const { composer } = runtime.thread
        const draft = composer.getState().text
        composer.setText(`${draft}${draft === '' || draft.endsWith(' ') ? '' : ' '}[${number}] `)
        return number
      },
    },
  }
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ChatContext value={value}>
        <LiveProvider chatId={chatId}>
          <ChatPanels />
        </LiveProvider>
      </ChatContext>
    </AssistantRuntimeProvider>
  )
}

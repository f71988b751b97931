import { useQuery } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { useState } from 'react'
import type { StudioMessage } from '../../../../src/wire/studio-message.ts'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/language.tsx'
import { Crash } from '../shell/crash.tsx'
import { chatPath, go } from '../shell/route.ts'
import { Failed, Loading } from '../shell/states.tsx'
import { ChatSession } from './chat-session.tsx'
import { storedMessages } from './stored-messages.ts'

// A chat gets its id from the server with its first message. The session that sent it goes on under that id.
let draftKey = crypto.randomUUID() as string
const keysOfCreated = new Map<string, string>()

const keyOf = (id: string | undefined) => (id === undefined ? draftKey : (keysOfCreated.get(id) ?? id))

const onCreated = (id: string) => {
  keysOfCreated.set(id, draftKey)
  draftKey = crypto.randomUUID()
  go(chatPath(id), { replace: true })
}

const noMessages: readonly StudioMessage[] = []

const StoredChat = ({ id }: { id: string }) => {
  const messages = useMessages()
  // read once: later changes come through the stream of the session
  const { data, error, refetch } = useQuery(api.chat.get.queryOptions({ id }, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }))
  if (data !== undefined) return <ChatSession sessionKey={id} chatId={id} initial={storedMessages(data)} onCreated={onCreated} />
  if (error === null) return <Loading />
  const missing = error instanceof TRPCClientError && (error.data as { code?: string } | null)?.code === 'NOT_FOUND'
  return missing ? (
    <Failed title={messages.chat.notFound} onRetry={() => go(chatPath(undefined))} />
  ) : (
    <Failed title={messages.chat.loadFailed} error={error} onRetry={() => void refetch()} />
  )
}

/** The chat of the route with its browser; the last one while another screen is open. */
export const ChatWorkspace = ({ chatId, shown }: { chatId: string | undefined; shown: boolean }) => {
  const [id, setId] = useState(chatId)
  if (shown && id !== chatId) setId(chatId)
  const key = keyOf(id)
  return (
    <Crash key={key}>
      {id === undefined || key !== id ? (
        <ChatSession sessionKey={key} chatId={id} initial={noMessages} onCreated={onCreated} />
      ) : (
        <StoredChat id={id} />
      )}
    </Crash>
  )
}

import type { UseChatHelpers } from '@ai-sdk/react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { StudioMessage } from '../../../../src/wire/studio-message.ts'
import { api, client } from '../api/client.ts'
import { storedMessages } from './stored-messages.ts'

const maxDelayMs = 8_000

/**
 * Keeps the messages of a chat in step with the server: resumes a stream that was cut, joins a run that another window started, and reads
 * the messages again if they changed while this window did not listen.
 */
export const useStreamRecovery = (chat: UseChatHelpers<StudioMessage>, chatId: string | undefined) => {
  const latest = useRef(chat)
  latest.current = chat
  const waiters = useRef<(() => void)[]>([])
  const [attempts, setAttempts] = useState(0)
  // the transport reports a connection that was lost as a TypeError, as `fetch` does
  const cut = chatId !== undefined && chat.status === 'error' && chat.error instanceof TypeError

  const isIdle = chat.status === 'ready' || chat.status === 'error'
  useEffect(() => {
    if (!isIdle) return
    for (const wake of waiters.current.splice(0)) wake()
  }, [isIdle])

  const reload = async () => {
    if (chatId === undefined) return
    const stored = storedMessages(await client.chat.get.query({ id: chatId }))
    const { messages, setMessages, status } = latest.current
    if (status !== 'ready' && status !== 'error') return
    if (JSON.stringify(messages) !== JSON.stringify(stored)) setMessages(stored)
  }
  const reloadLatest = useRef(reload)
  reloadLatest.current = reload

  useEffect(() => {
    if (!cut) return
    const resume = async () => {
      try {
        latest.current.clearError()
        await latest.current.resumeStream()
        await reloadLatest.current()
        setAttempts(0)
      } catch {
        setAttempts(before => before + 1)
      }
    }
    const timer = setTimeout(() => void resume(), Math.min(maxDelayMs, 500 * 2 ** attempts))
    return () => clearTimeout(timer)
  }, [cut, attempts])

  const { data: chats } = useQuery(api.chat.list.queryOptions(undefined, { refetchInterval: 3_000 }))
  const summary = chats?.find(each => each.id === chatId)
  const seen = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (summary === undefined || latest.current.status !== 'ready') return
    const changed = seen.current !== undefined && seen.current !== summary.updatedAt
    seen.current = summary.updatedAt
    if (summary.state !== 'idle')
      void latest.current.resumeStream().then(
        () => reloadLatest.current(),
        () => undefined,
      )
    else if (changed) void reloadLatest.current().catch(() => undefined)
  }, [summary])

  return {
    reconnecting: cut,
    reload,
    /** resolves as soon as nothing streams */
    idle: (): Promise<void> =>
      latest.current.status === 'ready' || latest.current.status === 'error'
        ? Promise.resolve()
        : new Promise(resolve => waiters.current.push(resolve)),
  }
}

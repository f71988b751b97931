import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import { problemWords } from '../messages/fact-words.ts'
import { useMessages } from '../messages/language.tsx'
import { toast } from '../shell/toast.tsx'
import { useBrowserOwner } from './desktop.ts'
import { LiveConnection } from './live-connection.ts'
import { type LiveState, noLiveState } from './live-state.ts'

interface LiveContextValue {
  readonly connection: LiveConnection | undefined
  readonly state: LiveState
}
const Context = createContext<LiveContextValue>({ connection: undefined, state: noLiveState })

/** Connects to the browser of a chat as soon as the chat exists. */
export const LiveProvider = ({ chatId, children }: { chatId: string | undefined; children: ReactNode }) => {
  const messages = useMessages()
  const owner = useBrowserOwner()
  const connection = useMemo(
    () =>
      chatId === undefined || owner === 'unknown' || owner === 'elsewhere'
        ? undefined
        : new LiveConnection(chatId, owner === 'server' ? undefined : owner),
    [chatId, owner],
  )
  useEffect(() => {
    if (connection === undefined) return
    connection.open()
    return () => connection.close()
  }, [connection])
  useEffect(() => {
    if (connection !== undefined)
      connection.onRefused = problem => void toast(messages.browser.refused(problemWords(problem, messages)), 'error')
  }, [connection, messages])
  const state = useSyncExternalStore(connection?.subscribe ?? (() => () => undefined), connection?.state ?? (() => noLiveState))
  return <Context value={{ connection, state }}>{children}</Context>
}

export const useLive = (): LiveContextValue => useContext(Context)

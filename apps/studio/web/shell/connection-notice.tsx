import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useConnection } from '../api/connection.ts'
import { useMessages } from '../messages/language.tsx'
import { Spinner } from './states.tsx'

const subscribe = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export const ConnectionNotice = () => {
  const { connection: texts } = useMessages()
  const connection = useConnection()
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  const problem = connection === 'unreachable' ? texts.unreachable : connection === 'no-database' ? texts.noDatabase : undefined
  const text = problem ?? (online ? undefined : texts.offline)
  return (
    <div role="status">
      {text === undefined ? null : (
        <p className="flex items-center gap-2 border-b border-warn-line bg-warn-soft px-4 py-1.5 text-[0.8125rem] text-warn">
          {problem !== undefined ? <Spinner className="size-3.5 text-warn" /> : <WifiOff className="size-3.5" aria-hidden />}
          {text}
        </p>
      )}
    </div>
  )
}
